import type { RunDetails } from "../../api/types";

/** AttemptRow is one attempt of a run. */
export interface AttemptRow {
  n: number; // from 1
  status: string;
  started: string | undefined;
  took: string | undefined; // a length of time; undefined: it has not ended
  replica: string | undefined;
  token: number | undefined;
  error: string | undefined;
}

/** attemptsOf lists the attempts of a run, the latest last. The oldest of many may be missing. */
export function attemptsOf(r: RunDetails): AttemptRow[] {
  const earlier = r.attempts ?? [];
  const waits = r.state === "retrying"; // then the present one is among the earlier ones
  const first = Math.max(1, (r.attempt ?? 0) - earlier.length + (waits ? 1 : 0));
  const rows: AttemptRow[] = earlier.map((a, i) => ({
    n: first + i,
    status: a.verdict,
    started: a.started,
    took: a.took,
    replica: a.replica,
    token: a.token,
    error: a.error,
  }));
  if (!waits && r.started && r.attempt) {
    rows.push({
      n: r.attempt,
      status: r.status,
      started: r.started,
      took: r.state === "ended" ? `${r.seconds ?? 0}s` : undefined,
      replica: r.replica,
      token: r.token,
      error: r.error,
    });
  }
  return rows;
}
