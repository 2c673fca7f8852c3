import {
  beginOf,
  endOf,
  keyOf,
  layOut,
  type Bar,
  type Item,
  type Mark,
  type Planned,
  type Timeline,
} from "./layout";
import type { Stretch } from "./span";

/** Scale turns moments into px. */
export interface Scale extends Stretch {
  wide: number;
}

/** placeOf is where a moment is, in px. */
export function placeOf(s: Scale, at: number): number {
  return ((at - s.from) / (s.to - s.from)) * s.wide;
}

/** Lane is a line of bars: a replica's, or a job's. */
export interface Lane {
  name: string;
  top: number; // px
  high: number;
  items: Item<Bar>[];
  planned: Item<Planned>[];
}

/** Takeover leads from the attempt whose holder was lost to the one that came after it. */
export interface Takeover {
  key: string; // of the attempt that came after it
  bar: Bar;
  from: { x: number; y: number };
  to: { x: number; y: number; end: number };
}

export const rowHigh = 18;
const pad = 6;
/** px that a row is higher than its bars. */
export const rowGap = 4;

/** planLane is the name of the lane of what is ahead, where lanes are replicas. */
export const planLane = "planned";

/** lanesOf places the bars of a timeline in lanes below each other, from top on. */
export function lanesOf(t: Timeline, s: Scale, now: number, top: number): Lane[] {
  const byJob = t.by === "job";
  const phase = (s.from / (s.to - s.from)) * s.wide;
  const bars = new Map<string, Mark<Bar>[]>(t.lanes.map((name) => [name, []]));
  const planned = new Map<string, Mark<Planned>[]>();
  for (const b of t.bars) {
    const m = markOf(b, s, now);
    const name = byJob ? b.job : (b.replica ?? "");
    if (m) put(bars, name, m);
  }
  for (const p of t.planned) {
    const x = placeOf(s, Date.parse(p.time));
    if (x < 0 || x > s.wide) continue;
    put(planned, byJob ? p.job : planLane, { of: p, x, wide: 0 });
    if (byJob && !bars.has(p.job)) bars.set(p.job, []);
  }
  const names = [...bars.keys()].sort((a, b) => a.localeCompare(b));
  if (!byJob) names.push(planLane);
  return names.map((name) => {
    const past = layOut(bars.get(name) ?? [], phase);
    const ahead = layOut(planned.get(name) ?? [], phase);
    const rows = Math.max(past.rows, ahead.rows);
    const lane = {
      name,
      top,
      high: rows * rowHigh + 2 * pad - rowGap,
      items: past.items,
      planned: ahead.items,
    };
    top += lane.high;
    return lane;
  });
}

function put<T>(map: Map<string, T[]>, name: string, value: T): void {
  const list = map.get(name);
  if (list) list.push(value);
  else map.set(name, [value]);
}

/** markOf is where a bar is; undefined: it is not in view. */
function markOf(b: Bar, s: Scale, now: number): Mark<Bar> | undefined {
  const begin = placeOf(s, beginOf(b));
  const end = placeOf(s, endOf(b, now));
  if (!(end >= 0 && begin <= s.wide)) return undefined;
  if (!b.started) return { of: b, x: begin, wide: 0 };
  const x = Math.max(begin, -narrowMargin);
  return { of: b, x, wide: Math.max(0.01, Math.min(end, s.wide + narrowMargin) - x) };
}

/** How far, in px, a bar goes on beyond the edge, so that one sees that it does. */
const narrowMargin = 4;

/** rowTop is where the bars of a row of a lane begin. */
export function rowTop(lane: Lane, row: number): number {
  return lane.top + pad + row * rowHigh;
}

/** takeoversOf are the lines between bars of lanes: each follows one whose holder was lost. */
export function takeoversOf(lanes: readonly Lane[], s: Scale): Takeover[] {
  const places = new Map<string, { lane: Lane; item: Item<Bar> }>();
  for (const lane of lanes) {
    for (const item of lane.items) for (const b of item.of) places.set(keyOf(b), { lane, item });
  }
  const middle = (p: { lane: Lane; item: Item<Bar> }) => rowTop(p.lane, p.item.row) + (rowHigh - rowGap) / 2;
  const found: Takeover[] = [];
  for (const lane of lanes) {
    for (const item of lane.items) {
      for (const bar of item.of) {
        const before = bar.takesOver;
        if (!before) continue;
        const source = places.get(keyOf(before));
        const beside = lanes.find((l) => l.name === before.replica);
        const x = Math.min(Math.max(placeOf(s, Date.parse(before.ended)), 0), s.wide);
        const y = source ? middle(source) : beside ? rowTop(beside, 0) + rowHigh / 2 : lane.top;
        found.push({
          key: keyOf(bar),
          bar,
          from: { x: source ? Math.min(x, source.item.x + source.item.wide) : x, y },
          to: { x: item.x, y: middle({ lane, item }), end: item.x + item.wide },
        });
      }
    }
  }
  return found;
}
