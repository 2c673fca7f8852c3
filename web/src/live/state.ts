import type { Happening, LiveReplica, OpenRun, Snapshot } from "./events";

/** Link is how the stream is. */
export type Link =
  | { is: "connecting" }
  | { is: "live"; since: number }
  | { is: "lost"; since: number; retryAt: number; why: string } // ms, browser's clock
  | { is: "none" }; // this replica has no stream

/** LiveState is what the stream has told so far. It is never changed in place. */
export interface LiveState {
  link: Link;
  /** Runs that have not ended, by id. */
  runs: ReadonlyMap<string, OpenRun>;
  /** How many more there are that the snapshot left out. */
  moreRuns: number;
  replicas: ReadonlyMap<string, LiveReplica>;
  /** The latest happenings, the newest first; at most maxRecent. */
  recent: readonly Happening[];
  /** When something was last heard, ms on the browser's clock; 0: never. */
  heardAt: number;
}

/** How many happenings are kept. */
export const maxRecent = 200;

/** nothing is what is known before the stream has begun. */
export function nothing(): LiveState {
  return {
    link: { is: "connecting" },
    runs: new Map(),
    moreRuns: 0,
    replicas: new Map(),
    recent: [],
    heardAt: 0,
  };
}

/** begun is how things stand after a snapshot. What happened before stays to be read. */
export function begun(state: LiveState, s: Snapshot, at: number): LiveState {
  return {
    ...state,
    runs: new Map((s.runs ?? []).map((r) => [r.id, r])),
    moreRuns: s.moreRuns,
    replicas: new Map((s.replicas ?? []).map((r) => [r.id, r])),
    heardAt: at,
  };
}

/** happened is how things stand after h. What was told twice changes nothing the second time. */
export function happened(state: LiveState, h: Happening, at: number): LiveState {
  return {
    ...state,
    runs: h.type === "run" ? runsAfter(state.runs, h) : state.runs,
    replicas: h.type === "replica" ? replicasAfter(state.replicas, h) : state.replicas,
    recent: [h, ...state.recent.slice(0, maxRecent - 1)],
    heardAt: at,
  };
}

function runsAfter(runs: LiveState["runs"], h: Happening): LiveState["runs"] {
  if (!h.run || !h.job) return runs;
  const next = new Map(runs);
  const known = next.get(h.run);
  switch (h.phase) {
    case "ended":
      next.delete(h.run);
      return next;
    case "queued":
      if (known) return runs; // it may arrive after the start
      next.set(h.run, { id: h.run, job: h.job, state: "queued", ...(h.tick ? { tick: h.tick } : {}) });
      return next;
    case "started":
      next.set(h.run, {
        ...known,
        id: h.run,
        job: h.job,
        state: "running",
        replica: h.replica,
        started: h.at,
        tick: h.tick,
        cause: h.cause,
        attempt: h.attempt,
        token: h.token,
      });
      return next;
    case "retried":
      next.set(h.run, { ...known, id: h.run, job: h.job, state: "retrying", attempt: h.attempt });
      return next;
  }
  return runs;
}

function replicasAfter(replicas: LiveState["replicas"], h: Happening): LiveState["replicas"] {
  const next = new Map(replicas);
  if (h.phase === "joined") next.set(h.replica, { id: h.replica, started: h.at, lastSeen: h.at });
  else if (h.phase === "left") next.delete(h.replica);
  else if (h.phase === "gone") next.delete(h.replica);
  else return replicas;
  return next;
}
