import { cluster } from "../../shell/StatusStrip";
import { createStore } from "../../store";
import { serverNow } from "../../time/clock";
import type { Bar } from "./layout";

/** Standing is for how long the store was seen to be well, or to be down, in ms since 1970. */
export interface Standing {
  up: boolean;
  from: number;
  to: number; // when it was last seen to be so
}

/** How many changes are kept. */
const most = 200;
/** Between two looks that are further apart, in ms, nobody knows how the store was. */
const blind = 90_000;

/** standings is how this page saw the store since it was opened, the latest last. */
export const standings = createStore<readonly Standing[]>([]);

/** seen adds a look at the store to what was seen before. */
export function seen(before: readonly Standing[], up: boolean, at: number): readonly Standing[] {
  const last = before.at(-1);
  const near = last !== undefined && at - last.to <= blind;
  if (near && last.up === up) return [...before.slice(0, -1), { ...last, to: Math.max(last.to, at) }];
  // It went down, or came back, somewhere between two looks: the time between is told as what was before.
  const closed = near ? [...before.slice(0, -1), { ...last, to: at }] : before;
  return [...closed, { up, from: at, to: at }].slice(-most);
}

let looked: unknown;
cluster.subscribe(() => {
  const c = cluster.get()?.data;
  if (!c?.store || c === looked) return;
  looked = c;
  const up = c.store.answers;
  standings.set((before) => seen(before, up, serverNow()));
});

/** missedOf are the bars of ticks that were not run because the store gave no answer. */
export function missedOf(bars: readonly Bar[]): Bar[] {
  return bars.filter((b) => b.status === "missed" && (b.why === "store" || b.why === "unreplicated"));
}
