import type { Run } from "../../api/types";

const reasons: Record<string, string> = {
  overlap: "An older run still held the lease.",
  paused: "The job was paused.",
  excluded: "A calendar of the job excludes the moment.",
  superseded: "A later tick of the job was due too.",
  shadow: "The job is in shadow mode, and would have run.",
  deadline: "No replica could start it before its starting deadline.",
  store: "The lease store gave no answer until its starting deadline.",
  unreplicated: "Too few of the lease store's replicas confirmed what it did.",
  catchup: "The catch-up policy leaves out what came due while nobody was there.",
  dependency: "What it depends on had not happened until its starting deadline.",
  unrecorded: "Nobody lived to say what became of it.",
  replaced: "A later run took its place.",
  crash: "Its replica ended without a word, and another found the run.",
  panic: "The job panicked.",
};

const verdicts: Record<string, string> = {
  interrupted: "Its replica shut down before it was done.",
  lost: "Its lease ended in mid-run: what it did after that is not known.",
  cancelled: "Somebody stopped it.",
  timed_out: "It took longer than its timeout allows.",
};

/** sentence says why a run ended as it did, or was not run; "" when there is nothing to say. */
export function sentence(r: Pick<Run, "status" | "why" | "by" | "cause">): string {
  const text = (r.why && (reasons[r.why] ?? r.why)) || (verdicts[r.status] ?? "");
  if (r.why === "overlap" && r.by && r.cause === "schedule") return `${text} It was on ${r.by}.`;
  return text;
}
