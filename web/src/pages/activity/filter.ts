import type { Deed } from "../../api/types";

const words: Record<string, string> = {
  trigger: "triggered",
  cancel: "cancelled a run",
  rerun: "ran again",
  backfill: "backfilled",
  pause: "paused",
  resume: "resumed",
  snooze: "snoozed",
  "skip-next": "skipped the next tick",
  "release-lease": "took the lease away",
  redrive: "ran a dead letter again",
  acknowledge: "acknowledged a dead letter",
  crash: "simulated a crash",
};

/** wordOf is what somebody did, for people; one that this page does not know keeps its own word. */
export function wordOf(what: string): string {
  return words[what] ?? what.replaceAll("-", " ");
}

/** matches reports whether a deed is of a kind ("": any) and has all the words of a search somewhere. */
export function matches(d: Deed, what: string, q: string): boolean {
  if (what && d.what !== what) return false;
  const text = [d.who, d.what, wordOf(d.what), d.job, d.run, d.reason, d.from, d.via].join(" ").toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
