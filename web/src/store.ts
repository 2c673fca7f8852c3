import { useEffect, useReducer, useRef } from "preact/hooks";

/** Store is a value that components look at, and that changes as a whole. */
export interface Store<T> {
  get(): T;
  set(next: T | ((now: T) => T)): void;
  /** subscribe calls fn after each change until the function it returns is called. */
  subscribe(fn: () => void): () => void;
}

/** createStore returns a store that holds initial. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const changed = typeof next === "function" ? (next as (now: T) => T)(value) : next;
      if (Object.is(changed, value)) return;
      value = changed;
      for (const fn of [...listeners]) fn();
    },
    subscribe(fn) {
      listeners.add(fn);
      return () => listeners.delete(fn);
    },
  };
}

/** useStore returns what select takes from a store, and renders anew only when that changes. */
export function useStore<T, S = T>(
  store: Store<T>,
  select: (value: T) => S = (v) => v as unknown as S,
  equal: (a: S, b: S) => boolean = Object.is,
): S {
  const [, render] = useReducer((n: number) => n + 1, 0);
  const selected = select(store.get());
  const last = useRef({ select, equal, selected });
  last.current = { select, equal, selected };
  useEffect(() => {
    const look = () => {
      const { select, equal, selected } = last.current;
      if (!equal(select(store.get()), selected)) render(undefined as never);
    };
    look(); // it may have changed before this effect ran
    return store.subscribe(look);
  }, [store]);
  return selected;
}

/** remembered is a store whose value outlives the page, if the browser allows. */
export function remembered<T extends string>(key: string, known: readonly T[], usual: T): Store<T> {
  const read = (): T => {
    try {
      const text = localStorage.getItem(`solocron.${key}`) as T | null;
      return text !== null && known.includes(text) ? text : usual;
    } catch {
      return usual;
    }
  };
  const store = createStore<T>(read());
  store.subscribe(() => {
    try {
      localStorage.setItem(`solocron.${key}`, store.get());
    } catch {
      // The choice then holds for this visit.
    }
  });
  return store;
}
