import { cluster } from "../../shell/StatusStrip";
import { createStore } from "../../store";

/** Sample is how long, in s, the store took at a moment; undefined: it gave no answer. */
export interface Sample {
  at: number; // ms, browser's clock
  seconds: number | undefined;
}

const most = 180;

/** latencies are those that this page has seen since it was opened, the latest last. */
export const latencies = createStore<readonly Sample[]>([]);

let looked: unknown;
function look(): void {
  const c = cluster.get();
  if (!c?.data || c.data === looked) return;
  looked = c.data;
  const { store, strip } = c.data;
  const seconds = store && !store.answers ? undefined : (strip.storeSeconds ?? undefined);
  latencies.set((list) => [...list, { at: Date.now(), seconds }].slice(-most));
}
look();
cluster.subscribe(look);
