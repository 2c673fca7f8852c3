import { clockOf } from "../../time/zone";
import type { Stretch } from "./span";

/** Tick is a round time of a zone. */
export interface Tick {
  at: number; // ms since 1970
  label: string;
  /** It begins a day there. */
  day: boolean;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minute),
  ...[1, 2, 3, 6, 12].map((n) => n * hour),
  ...[1, 2, 7].map((n) => n * day),
];

/** offsetAt is how far, in ms, a zone is ahead of UTC at a moment. */
export function offsetAt(at: number, zone: string): number {
  const parts = /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(clockOf(at, zone).offset);
  if (!parts) return 0;
  const far = Number(parts[2]) * hour + Number(parts[3]) * minute + Number(parts[4] ?? 0) * 1000;
  return parts[1] === "-" ? -far : far;
}

/** stepOf is the shortest step, in ms, at which no more than most ticks fall into a stretch. */
export function stepOf(s: Stretch, most: number): number {
  const least = (s.to - s.from) / Math.max(1, most);
  return steps.find((step) => step >= least) ?? steps.at(-1)!;
}

/**
 * ticksOf are the round times of a zone within a stretch, no more than about most. An hour that the zone has twice
 * has its ticks twice, and one that it leaves out has none.
 */
export function ticksOf(s: Stretch, zone: string, most: number): Tick[] {
  const step = stepOf(s, most);
  const offsets = [...new Set([offsetAt(s.from, zone), offsetAt(s.to, zone)])];
  const found = new Map<number, Tick>();
  const first = Math.floor((s.from + Math.min(...offsets)) / step) * step;
  for (let local = first; local <= s.to + Math.max(...offsets); local += step) {
    for (const offset of offsets) {
      const at = local - offset;
      if (at < s.from || at > s.to || offsetAt(at, zone) !== offset) continue;
      found.set(at, tickOf(at, zone, step));
    }
  }
  return [...found.values()].sort((a, b) => a.at - b.at);
}

function tickOf(at: number, zone: string, step: number): Tick {
  const c = clockOf(at, zone);
  const begins = c.time === "00:00:00";
  const label = begins || step >= day ? `${c.weekday} ${Number(c.day)} ${c.month}` : c.time.slice(0, 5);
  return { at, label, day: begins };
}
