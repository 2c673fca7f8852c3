import { duration } from "../../time/duration";
import { shortTime } from "../../time/zone";
import { lookOf } from "../../ui/status";
import { beginOf, countsOf, endOf, type Bar, type Planned } from "./layout";

/** wordsOf says in words what a bar is. */
export function wordsOf(b: Bar, now: number, zone: string): string {
  const parts = [b.job, lookOf(b.status).word + (b.why ? ` (${b.why})` : "")];
  parts.push(shortTime(beginOf(b), now, zone));
  if (b.started) {
    const took = duration(Math.max(0, (endOf(b, now) - beginOf(b)) / 1000));
    parts.push(b.ended ? `took ${took}` : `for ${took}`);
  }
  if (b.replica) parts.push(`${b.started ? "on" : "decided by"} ${b.replica}`);
  if (b.attempt > 1) parts.push(`attempt ${b.attempt}`);
  if (b.token) parts.push(`token ${b.token}`);
  if (b.takesOver) {
    const before = b.takesOver;
    const what = before.run === b.run ? `attempt ${before.attempt}` : before.run;
    parts.push(`takes over from ${before.replica}, where ${what} was lost under token ${before.token}`);
  }
  return parts.join(", ");
}

/** groupWords says in words what bars are that have no room beside each other. */
export function groupWords(bars: readonly Bar[], now: number, zone: string): string {
  const jobs = new Set(bars.map((b) => b.job));
  const which = jobs.size === 1 ? [...jobs][0] : `${jobs.size} jobs`;
  const span = [Math.min(...bars.map(beginOf)), Math.max(...bars.map(beginOf))] as const;
  const when = span.map((at) => shortTime(at, now, zone)).join(" to ");
  return `${bars.length} of ${which}: ${countsOf(bars, (s) => lookOf(s).word)}, ${when}. Enter looks closer`;
}

/** plannedWords says in words what is due. */
export function plannedWords(list: readonly Planned[], now: number, zone: string): string {
  if (list.length > 1)
    return `${list.length} due: ${[...new Set(list.map((p) => p.job))].slice(0, 5).join(", ")}`;
  const p = list[0]!;
  const will = p.runs ? "due" : "due, but will not run as things are";
  return `${p.job}, ${will}, ${shortTime(Date.parse(p.time), now, zone)}`;
}
