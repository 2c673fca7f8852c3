import type { components } from "../../api/schema";
import { bad } from "../../ui/status";

export type Bar = components["schemas"]["Bar"];
export type Timeline = components["schemas"]["Timeline"];
export type Planned = components["schemas"]["Planned"];

/** Mark is something with a place on the line of time, in px; wide is 0 for a moment. */
export interface Mark<T> {
  of: T;
  x: number;
  wide: number;
}

/** Item is what is drawn in a lane: one thing, or several that have no room beside each other. */
export interface Item<T> {
  of: T[];
  x: number;
  wide: number;
  row: number;
}

/** Nothing is drawn narrower than this, in px. */
export const narrowest = 3;
/** How wide, in px, what stands for a moment is. */
const momentWide = 6;
/** Several that are drawn as one are kept within cells of so many px, so that one sees when there were more. */
const cellWide = 30;
/** How many rows a lane has at most: what does not fit is told as one. */
const mostRows = 6;

/**
 * layOut places marks in rows so that none covers another one, and tells as one those that are too close. Phase is
 * how far, in px, the beginning of time is to the left: with it the same marks stay together while the clock moves.
 */
export function layOut<T>(marks: readonly Mark<T>[], phase = 0): { items: Item<T>[]; rows: number } {
  const sorted = [...marks].sort((a, b) => a.x - b.x);
  const ends: number[] = []; // of each row
  const last: Item<T>[] = []; // in each row
  const items: Item<T>[] = [];
  for (const item of clustered(sorted, phase)) {
    let row = ends.findIndex((end) => end + 1 <= item.x);
    if (row < 0 && ends.length < mostRows) row = ends.length;
    if (row < 0) {
      const full = last[mostRows - 1]!;
      full.of.push(...item.of);
      full.wide = Math.max(full.wide, item.x + item.wide - full.x);
      ends[mostRows - 1] = full.x + full.wide;
      continue;
    }
    item.row = row;
    ends[row] = item.x + item.wide;
    last[row] = item;
    items.push(item);
  }
  return { items, rows: Math.max(1, ends.length) };
}

/** clustered makes one item of the short marks of a cell that would touch, in the order of x. */
function clustered<T>(sorted: readonly Mark<T>[], phase: number): Item<T>[] {
  const cellOf = (x: number) => Math.floor((x + phase) / cellWide);
  const items: Item<T>[] = [];
  let open: Item<T> | undefined; // the last one of short marks
  for (const m of sorted) {
    const short = m.wide < narrowest;
    const wide = m.wide === 0 ? momentWide : Math.max(narrowest, m.wide);
    if (!short) {
      items.push({ of: [m.of], x: m.x, wide, row: 0 });
      continue;
    }
    const same = open && cellOf(open.x) === cellOf(m.x);
    if (open && same && m.x < open.x + open.wide + 1) {
      open.of.push(m.of);
      open.wide = Math.max(open.wide, m.x + wide - open.x);
      continue;
    }
    open = { of: [m.of], x: m.x, wide, row: 0 };
    items.push(open);
  }
  for (const item of items) if (item.of.length > 1) fit(item, cellOf(item.x) * cellWide - phase);
  return items.sort((a, b) => a.x - b.x);
}

/** fit has an item of several be wide enough for its count, and stay within its cell, from cell on, if it can. */
function fit<T>(item: Item<T>, cell: number): void {
  item.wide = Math.max(countWide(item.of.length), Math.min(item.wide, cell + cellWide - 2 - item.x));
  item.x = Math.max(cell, Math.min(item.x, cell + cellWide - 2 - item.wide));
}

/** countWide is how wide, in px, a number must have it to be read. */
function countWide(n: number): number {
  return String(n).length * 7 + 6;
}

/** beginOf and endOf are when a bar begins and ends, in ms since 1970; one that is on ends now. */
export function beginOf(b: Bar): number {
  return Date.parse(b.started ?? b.ended ?? b.tick ?? "");
}
export function endOf(b: Bar, now: number): number {
  if (!b.started) return beginOf(b);
  return b.ended ? Date.parse(b.ended) : Math.max(now, beginOf(b));
}

/** keyOf names an attempt of a run. */
export function keyOf(b: { run: string; attempt: number }): string {
  return `${b.run} ${b.attempt}`;
}

const order = ["lost", "failed", "timed_out", "missed", "interrupted", "running", "succeeded", "cancelled"];

/** usualOf is the status that most of several bars have. */
export function usualOf(bars: readonly Bar[]): string {
  const counts = new Map<string, number>();
  for (const b of bars) counts.set(b.status, (counts.get(b.status) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "succeeded";
}

/** worstOf is the status of several bars that most wants to be looked at. */
export function worstOf(bars: readonly Bar[]): string {
  return order.find((status) => bars.some((b) => b.status === status)) ?? bars[0]?.status ?? "succeeded";
}

/** countsOf says in words what several bars are, those in trouble first. */
export function countsOf(bars: readonly Bar[], word: (status: string) => string): string {
  const counts = new Map<string, number>();
  for (const b of bars) counts.set(b.status, (counts.get(b.status) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => Number(bad(b)) - Number(bad(a)))
    .map(([status, n]) => `${n} ${word(status)}`)
    .join(", ");
}
