/** spans are the lengths of time that a timeline shows, in seconds, from the closest look to the widest. */
export const spans = { "15m": 900, "1h": 3600, "6h": 21_600, "24h": 86_400, "7d": 604_800 } as const;

export type Span = keyof typeof spans;

export const spanNames = Object.keys(spans) as Span[];

/** spanOf reads a span from the address; what it does not know is an hour. */
export function spanOf(text: string | null, usual: Span = "1h"): Span {
  return spanNames.includes(text as Span) ? (text as Span) : usual;
}

/** zoomed is the span one step closer (-1) or wider (1); at the end it stays. */
export function zoomed(span: Span, by: 1 | -1): Span {
  const at = spanNames.indexOf(span) + by;
  return spanNames[Math.min(Math.max(at, 0), spanNames.length - 1)]!;
}

/** Stretch is a stretch of time, in ms since 1970. */
export interface Stretch {
  from: number;
  to: number;
}

/** The part of a stretch that lies ahead while it moves with the clock. */
const ahead = 0.2;
/** How far from now, in ms, anybody may look: history is not kept for longer. */
const farthest = 366 * 86_400_000;

/** stretchOf is what is shown of a span: around at, or, if that is undefined, what leads up to now. */
export function stretchOf(span: Span, at: number | undefined, now: number): Stretch {
  const length = spans[span] * 1000;
  if (at === undefined) return { from: now - length * (1 - ahead), to: now + length * ahead };
  const middle = Math.min(Math.max(at, now - farthest), now + farthest);
  return { from: middle - length / 2, to: middle + length / 2 };
}

/** momentOf reads the middle of a stretch from the address; undefined: it moves with the clock. */
export function momentOf(text: string | null): number | undefined {
  const at = text ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** middleOf is the middle of a stretch as the address has it, moved by a part of its length. */
export function middleOf(s: Stretch, by = 0): string {
  return new Date(Math.round((s.from + s.to) / 2 + (s.to - s.from) * by)).toISOString();
}

/**
 * askedOf is what the API is asked for so that a stretch can be shown: somewhat more, in whole steps, so that the
 * question stays the same while the clock moves on by a twentieth.
 */
export function askedOf(s: Stretch): { from: string; to: string } {
  const step = (s.to - s.from) / 20;
  return {
    from: new Date(Math.floor(s.from / step - 1) * step).toISOString(),
    to: new Date(Math.ceil(s.to / step + 1) * step).toISOString(),
  };
}
