import { clockOf } from "./zone";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** wall is a moment, in ms, on the wall of a zone, as if that were UTC. */
function wall(at: number, zone: string): number {
  const c = clockOf(at, zone);
  const month = months.indexOf(c.month.slice(0, 3));
  const [h, m, s] = c.time.split(":").map(Number);
  return Date.UTC(Number(c.year), month, Number(c.day), h, m, s);
}

/**
 * momentIn reads a moment as people type it: RFC 3339, or a date, perhaps with a time, on the wall of a zone. The
 * result is in ms since 1970; undefined: it is none. A time that a change of the clocks leaves out is the one after
 * it, and of a time that there is twice it is the first.
 */
export function momentIn(text: string, zone: string): number | undefined {
  const t = text.trim();
  if (/[zZ]$|[+-]\d\d:\d\d$/.test(t)) {
    const at = Date.parse(t);
    return Number.isNaN(at) ? undefined : at;
  }
  const m = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?$/.exec(t);
  if (!m) return undefined;
  const [year, month, day, h, min, s] = m.slice(1).map((n) => Number(n ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const want = Date.UTC(year, month - 1, day, h, min, s);
  const back = new Date(want);
  if (back.getUTCMonth() !== month - 1 || back.getUTCDate() !== day || h > 23 || min > 59 || s > 59)
    return undefined;
  // Offsets change by the day at most: one of the two of that day is right.
  const offsets = [want - 86_400_000, want + 86_400_000].map((at) => wall(at, zone) - at);
  const fits = offsets.map((o) => want - o).filter((at) => wall(at, zone) === want);
  return fits.length ? Math.min(...fits) : want - offsets[0]!;
}
