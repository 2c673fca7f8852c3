import type { Job, Outcome } from "../../api/types";
import { bad } from "../../ui/status";

/** inARow is how many of the latest runs of a job went wrong, one after the other. */
export function inARow(recent: readonly Outcome[]): number {
  const n = recent.findIndex((o) => !bad(o.status));
  return n < 0 ? recent.length : n;
}

/** trouble is what is wrong with a job that fails: the latest thing that ended. */
export function trouble(job: Job): Outcome | undefined {
  return job.recent.find((o) => bad(o.status)) ?? job.lastRun ?? undefined;
}
