import { useLayoutEffect, useRef } from "preact/hooks";
import { createStore, remembered, useStore } from "../store";
import { hold, holding, letGo, openRow, startRows } from "./rows";

/** Binding is what a key does. */
export interface Binding {
  /** One key such as "t", "/" or "Escape", or two in a row such as "g j". */
  keys: string;
  what: string; // for the help
  act: () => void;
  /** It moves among the rows, or acts on the one that has the focus: it waits while they are asked for. */
  row?: "moves" | "acts";
}

const bound = createStore<readonly Binding[]>([]);

/** singleKeys is off for who dictates, or whose keyboard types by itself. */
export const singleKeys = remembered<"on" | "off">("keys", ["on", "off"], "on");

/** useKeys binds keys while a component is there. They do nothing within fields and dialogs. */
export function useKeys(bindings: Binding[]): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  const names = bindings.map((b) => b.keys).join();
  // Not after a paint: keys may be faster.
  useLayoutEffect(() => {
    const mine = latest.current.map((b, i) => ({ ...b, act: () => latest.current[i]?.act() }));
    bound.set((all) => [...all, ...mine]);
    return () => bound.set((all) => all.filter((b) => !mine.includes(b)));
  }, [names]);
}

/** useBindings returns all that keys do now. */
export function useBindings(): readonly Binding[] {
  return useStore(bound);
}

/** For how long, in ms, the second of two keys may come after the first. */
const chord = 1200;
let first = "";
let firstAt = 0;

function typing(target: EventTarget | null): boolean {
  const el = target as HTMLElement | null;
  return Boolean(el?.closest?.("input, textarea, select, [contenteditable], dialog"));
}

function pressed(e: KeyboardEvent): void {
  if (e.defaultPrevented || e.metaKey || e.ctrlKey || e.altKey || typing(e.target)) return;
  if (singleKeys.get() === "off" || document.querySelector("dialog[open]")) return;
  const before = performance.now() - firstAt < chord ? first : "";
  first = "";
  const keys = before ? `${before} ${e.key}` : e.key;
  const all = bound.get();
  const found = all.findLast((b) => b.keys === keys);
  if (found) {
    e.preventDefault();
    if (found.row && hold(found.act, found.row === "moves")) return;
    letGo(); // whoever does something else has changed their mind
    found.act();
  } else if (e.key === "Enter" && holding()) {
    e.preventDefault();
    hold(openRow, false);
  } else if (!before && all.some((b) => b.keys.startsWith(`${e.key} `))) {
    first = e.key;
    firstAt = performance.now();
  }
}

/** startKeys begins to listen. */
export function startKeys(): void {
  document.addEventListener("keydown", pressed);
  startRows();
}
