import { useEffect, useReducer } from "preact/hooks";
import { createStore, useStore } from "../store";

/** Reading is what is known of the server's clock. */
interface Reading {
  offset: number; // ms to add to the browser's clock
  doubt: number; // ms by which the offset may be wrong
  at: number; // ms, browser's clock
}

const reading = createStore<Reading>({ offset: 0, doubt: Infinity, at: 0 });

/** For how long, in ms, a better reading is kept before a worse one replaces it: clocks drift. */
const keep = 5 * 60_000;

/**
 * heard takes note of the server's time: it was said between asked and answered on the browser's clock, and is
 * exact to grain ms. The reading with the least doubt counts.
 */
export function heard(server: number, asked: number, answered: number, grain: number): void {
  if (!Number.isFinite(server)) return;
  const doubt = (answered - asked) / 2 + grain;
  const now = reading.get();
  if (doubt > now.doubt && answered - now.at < keep) return;
  reading.set({ offset: server - (asked + answered) / 2, doubt, at: answered });
}

/** serverNow returns the time on the server's clock, in ms since 1970. */
export function serverNow(): number {
  return Date.now() + reading.get().offset;
}

/** useOffset returns how far, in ms, the server's clock is ahead of the browser's. */
export function useOffset(): number {
  return useStore(reading, (r) => Math.round(r.offset));
}

/** frozen is set while the stream is broken: what counts down then would tell lies. */
export const frozen = createStore<number | undefined>(undefined);

/** Ticker calls many at once, and nobody while the page is hidden. */
const tickers = new Map<number, { listeners: Set<() => void>; timer: number | undefined }>();

function tick(every: number, fn: () => void): () => void {
  let t = tickers.get(every);
  if (!t) tickers.set(every, (t = { listeners: new Set(), timer: undefined }));
  const mine = t;
  mine.listeners.add(fn);
  mine.timer ??= window.setInterval(() => {
    if (!document.hidden) for (const each of [...mine.listeners]) each();
  }, every);
  return () => {
    mine.listeners.delete(fn);
    if (mine.listeners.size === 0) {
      clearInterval(mine.timer);
      mine.timer = undefined;
    }
  };
}

/**
 * useNow returns the server's time in ms, and renders again every so many ms. While the stream is broken it
 * stands still, so that no countdown pretends to know.
 */
export function useNow(every = 1000): number {
  const [, render] = useReducer((n: number) => n + 1, 0);
  useEffect(() => tick(every, () => render(undefined as never)), [every]);
  const still = useStore(frozen);
  return still ?? serverNow();
}
