import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Happening } from "../live/events";
import { live, onHappening } from "../live/live";
import { createStore } from "../store";
import { get, type GetPath, type Got, type Where } from "./client";
import { ApiError, offline } from "./error";

/** paused is set while whoever looks wants nothing to move. */
export const paused = createStore(false);

/** Resource is what is known of something that the API gives. Data stays while it is asked for again. */
export interface Resource<T> {
  data: T | undefined;
  error: ApiError | undefined; // of the last time it was asked for
  at: number; // when data came, ms on the browser's clock
  loading: boolean;
  changing: boolean; // data, if there is any, is of another question, and the answer to this one is under way
  refresh(): void;
}

export interface ResourceOptions {
  /** Which happenings change it; left out: none do. */
  on?: (h: Happening) => boolean;
  /** ms after which it is asked for again anyway, while the page is looked at; default 30 s, 5 s without a stream. */
  every?: number;
  /** ms between two times at least, however much happens; default 1 s. */
  pace?: number;
  /** false: it is not asked for. */
  when?: boolean;
}

/** useResource asks for something, and again when something happens that changes it. */
export function useResource<P extends GetPath>(
  path: P,
  where: Where = {},
  options: ResourceOptions = {},
): Resource<Got<P>> {
  const [state, setState] = useState<Omit<Resource<Got<P>>, "refresh" | "changing"> & { of: string }>({
    data: undefined,
    error: undefined,
    at: 0,
    loading: true,
    of: "",
  });
  const of = JSON.stringify([path, where.path, where.query]);
  const latest = useRef({ where, options });
  latest.current = { where, options };
  const wish = useRef<() => void>(() => {});
  const wanted = options.when !== false;

  useEffect(() => {
    if (!wanted) return;
    const end = new AbortController();
    let timer: number | undefined;
    let asked = 0;
    let busy = false;
    let again = false;
    const ask = async () => {
      if (busy) {
        again = true;
        return;
      }
      busy = true;
      asked = Date.now();
      setState((s) => ({ ...s, loading: true, ...(s.of === of ? {} : { error: undefined }) }));
      try {
        const data = await get(path, { ...latest.current.where, signal: end.signal });
        setState({ data, error: undefined, at: Date.now(), loading: false, of });
      } catch (err) {
        if (end.signal.aborted) return;
        const error = err instanceof ApiError ? err : offline();
        setState((s) => ({ ...s, error, loading: false }));
      }
      busy = false;
      plan(again ? pace() : undefined);
      again = false;
    };
    const pace = () => latest.current.options.pace ?? 1000;
    const plan = (after?: number) => {
      clearTimeout(timer);
      const usual = latest.current.options.every ?? (live.get().link.is === "live" ? 30_000 : 5_000);
      timer = window.setTimeout(() => {
        if (document.hidden || paused.get()) plan();
        else void ask();
      }, after ?? usual);
    };
    const soon = () => {
      if (busy) again = true;
      else plan(Math.max(0, asked + pace() - Date.now()));
    };
    wish.current = () => void ask();
    const seen = () => {
      if (!document.hidden && Date.now() - asked > 5000) soon();
    };
    const deaf = onHappening((h) => {
      const { on } = latest.current.options;
      if (on && (h === undefined || on(h))) soon();
    });
    // A stream that breaks says little of what is shown: to ask says whether anybody is there.
    let link = live.get().link.is;
    const unbound = live.subscribe(() => {
      const was = link;
      link = live.get().link.is;
      if (was === "live" && link !== "live") soon();
    });
    document.addEventListener("visibilitychange", seen);
    void ask();
    return () => {
      end.abort();
      clearTimeout(timer);
      deaf();
      unbound();
      document.removeEventListener("visibilitychange", seen);
    };
  }, [of, wanted]);

  const refresh = useCallback(() => wish.current(), []);
  const { of: had, ...rest } = state;
  // What was got for another question is still better than nothing while a filter changes, but not after an error.
  if (had !== of && state.error) return { ...rest, data: undefined, changing: false, refresh };
  return { ...rest, loading: rest.loading || had !== of, changing: wanted && had !== of, refresh };
}

/** matching makes the on of a resource: happenings of these types, and of one job if it is named. */
export function matching(types: Happening["type"][], job?: string): (h: Happening) => boolean {
  return (h) => types.includes(h.type) && (job === undefined || h.job === undefined || h.job === job);
}
