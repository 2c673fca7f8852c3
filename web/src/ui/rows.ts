import { useLayoutEffect } from "preact/hooks";

/** For how long, in ms, keys wait for rows that are asked for; then they act on those that are there. */
const patience = 3000;

/** Spot is where the focus was last among rows: a row may go, or be made anew, while somebody reads. */
interface Spot {
  row: string;
  at: number; // how many are above it
  link: HTMLElement;
}

/** Held is what a key does as soon as the rows are there that were asked for. */
interface Held {
  act: () => void;
  moves: boolean;
}

let last: Spot | undefined;
let held: Held[] = [];
let late: number | undefined;
let awaited = 0;
let since = 0;

/** rowLinks are the links that j and k go through: the first of each row in sight. */
function rowLinks(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-row]")].flatMap((row) => {
    const link = row.querySelector<HTMLElement>("a[href]");
    return link && link.offsetParent !== null ? [link] : [];
  });
}

function rowOf(el: Element | null): HTMLElement | null {
  return el?.closest<HTMLElement>("[data-row]") ?? null;
}

/** nameOf tells a row from those of other tables, which may have the same keys. */
function nameOf(row: HTMLElement): string {
  return `${row.closest("table")?.caption?.textContent ?? ""} ${row.dataset["row"]}`;
}

function nobody(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** moveRow puts the focus on the next row, or the one before; where a row went, on what stands in its place. */
export function moveRow(by: 1 | -1): void {
  const links = rowLinks();
  const row = rowOf(document.activeElement);
  const at = row ? links.findIndex((l) => row.contains(l)) : -1;
  let next = by > 0 ? 0 : links.length - 1;
  if (at >= 0) next = at + by;
  else if (last && nobody()) next = by > 0 ? last.at : last.at - 1;
  links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
}

/** focusedRow is the key of the row that has the focus; else undefined. */
export function focusedRow(): string | undefined {
  return rowOf(document.activeElement)?.dataset["row"];
}

/** keepRow gives the focus back to the row that had it, if it was made anew. What shows rows calls it after each change. */
export function keepRow(): void {
  if (!last) return;
  const { row, link } = last;
  const links = rowLinks();
  const at = links.findIndex((l) => nameOf(rowOf(l)!) === row);
  if (at < 0) return;
  last.at = at;
  // No other row: what Enter opens must be what somebody has chosen.
  if (nobody()) (link.isConnected ? link : links[at]!).focus({ preventScroll: true });
}

/** forgetRow is for a screen that goes: its row is no place on another one, and no key waits for it. */
export function forgetRow(): void {
  last = undefined;
  letGo();
}

/** startRows begins to remember which row has the focus. */
export function startRows(): void {
  document.addEventListener("focusin", (e) => {
    const link = e.target as HTMLElement;
    const row = rowOf(link);
    last = row ? { row: nameOf(row), at: rowLinks().findIndex((l) => row.contains(l)), link } : undefined;
    if (!row) letGo(); // else it may be that keepRow gave it back, and the keys still go on from there
  });
  document.addEventListener("pointerdown", forgetRow, true);
}

/** useAwaited says that rows are asked for, and that those in sight, if any, answer another question. */
export function useAwaited(busy: boolean): void {
  useLayoutEffect(() => {
    if (!busy) return;
    if (awaited++ === 0) since = performance.now();
    return () => {
      awaited--;
      queueMicrotask(() => {
        if (awaited === 0) release(false); // else another part of the screen is asked for in its place
      });
    };
  }, [busy]);
}

/**
 * hold keeps what a key does until the rows are there, and reports whether it does. A move waits when rows are
 * asked for; what acts on a row waits only behind a move, as what has the focus does not change otherwise.
 */
export function hold(act: () => void, moves: boolean): boolean {
  const left = since + patience - performance.now();
  if (held.length === 0 && !(moves && awaited > 0 && left > 0)) return false;
  held.push({ act, moves });
  late ??= window.setTimeout(() => release(true), left);
  return true;
}

/** holding reports whether a key waits. */
export function holding(): boolean {
  return held.length > 0;
}

/** letGo forgets the keys that wait. */
export function letGo(): void {
  clearTimeout(late);
  late = undefined;
  held = [];
}

/** release does what was held. When the rows are late only the moves are: nobody has seen what else would act on. */
function release(tooLate: boolean): void {
  const now = held;
  letGo();
  for (const h of now) {
    if (tooLate && !h.moves) return;
    h.act();
  }
}

/** openRow follows the link that has the focus, if it is in a row. */
export function openRow(): void {
  if (focusedRow() !== undefined) (document.activeElement as HTMLElement).click();
}
