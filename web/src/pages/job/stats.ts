import type { Run } from "../../api/types";
import { parseDuration } from "../../time/duration";

/** Stats is what the latest runs of a job tell about it. */
export interface Stats {
  ran: number; // that ran and have ended
  succeeded: number;
  notRun: number; // skipped or missed
  p50: number | undefined; // s
  p95: number | undefined; // s
  delay95: number | undefined; // s, from the moment to the start
}

const ranTo = ["succeeded", "failed", "timed_out", "cancelled", "interrupted", "lost"];

/** statsOf is the sum of some runs. */
export function statsOf(runs: readonly Run[]): Stats {
  const ended = runs.filter((r) => r.state === "ended");
  const ran = ended.filter((r) => ranTo.includes(r.status));
  // How long it took says something only of a run that came to its own end.
  const took = ran
    .filter((r) => r.status === "succeeded" || r.status === "failed")
    .map((r) => r.seconds ?? 0);
  const delays = runs.flatMap((r) => {
    const s = r.cause === "schedule" && (r.attempt ?? 1) === 1 ? parseDuration(r.startDelay) : undefined;
    return s === undefined ? [] : [s];
  });
  return {
    ran: ran.length,
    succeeded: ran.filter((r) => r.status === "succeeded").length,
    notRun: ended.length - ran.length,
    p50: quantile(took, 0.5),
    p95: quantile(took, 0.95),
    delay95: quantile(delays, 0.95),
  };
}

/** quantile is the smallest of some values that so large a part of them does not exceed; undefined of none. */
export function quantile(values: readonly number[], part: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
}
