import { createStore, useStore } from "../store";
import { frozen, serverNow } from "../time/clock";
import type { Happening, Message, OpenRun, Snapshot } from "./events";
import { lead } from "./leader";
import { begun, happened, nothing, type Link, type LiveState } from "./state";

/** live is what the one stream of this browser has told. */
export const live = createStore<LiveState>(nothing());

const hearers = new Set<(h: Happening | undefined) => void>();

/**
 * onHappening calls fn with each thing that happens, and with undefined when anything may have happened: after
 * a snapshot. It returns what ends that.
 */
export function onHappening(fn: (h: Happening | undefined) => void): () => void {
  hearers.add(fn);
  return () => hearers.delete(fn);
}

function tell(h: Happening | undefined): void {
  for (const fn of [...hearers]) fn(h);
}

/** took notes one message of the stream. */
function took(m: Message): void {
  const at = Date.now();
  switch (m.event) {
    case "snapshot":
      live.set((s) => begun(s, JSON.parse(m.data) as Snapshot, at));
      tell(undefined);
      return;
    case "reset": // a snapshot follows
    case "bye": // the stream ends, and another one begins
      return;
    case "run":
    case "job":
    case "lease":
    case "replica":
    case "config": {
      const h = JSON.parse(m.data) as Happening;
      live.set((s) => happened(s, h, at));
      tell(h);
    }
  }
}

function linked(link: Link): void {
  live.set((s) => ({ ...s, link }));
  if (link.is === "lost") frozen.set((f) => f ?? serverNow());
  else frozen.set(undefined);
  if (link.is === "live") tell(undefined); // what happened meanwhile may not be told again
}

/** startLive begins to follow what happens, in this tab or through the one that leads. It returns what ends it. */
export function startLive(): () => void {
  return lead({
    message: took,
    link: linked,
    state: () => live.get(),
    adopt(state) {
      live.set(state);
      linked(state.link);
    },
  });
}

/** useLink returns how the stream is. */
export function useLink(): Link {
  return useStore(live, (s) => s.link);
}

/** useOpenRuns returns the runs that have not ended; of one job, if it is named. */
export function useOpenRuns(job?: string): OpenRun[] {
  return useStore(
    live,
    (s) => [...s.runs.values()].filter((r) => job === undefined || r.job === job),
    (a, b) => a.length === b.length && a.every((r, i) => r === b[i]),
  );
}

/** useOpenRun returns a run while it has not ended. */
export function useOpenRun(id: string): OpenRun | undefined {
  return useStore(live, (s) => s.runs.get(id));
}

/** useRecent returns the latest happenings that want takes, the newest first. */
export function useRecent(want: (h: Happening) => boolean): Happening[] {
  return useStore(
    live,
    (s) => s.recent.filter(want),
    (a, b) => a.length === b.length && a.every((h, i) => h === b[i]),
  );
}
