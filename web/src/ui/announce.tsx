import { useEffect, useRef, useState } from "preact/hooks";
import { createStore, useStore } from "../store";

/** ms between two things that are read out at least: who listens cannot skip. */
const pace = 5000;

const queue: string[] = [];
const said = createStore("");
let timer: number | undefined;
let last = -pace;

function next(): void {
  timer = undefined;
  if (!queue.length) return;
  last = performance.now();
  said.set("");
  const text = queue.splice(0).slice(-3).join(". ");
  requestAnimationFrame(() => said.set(text)); // the same text twice is read twice
}

/** announce has a text read out, at most one every five seconds: what comes in between is said together. */
export function announce(text: string): void {
  queue.push(text);
  timer ??= window.setTimeout(next, Math.max(0, last + pace - performance.now()));
}

/** Announcer is where it is read from; the page has one. */
export function Announcer() {
  return (
    <div class="away" role="status" aria-live="polite">
      {useStore(said)}
    </div>
  );
}

interface Note {
  id: number;
  text: string;
  tone: "plain" | "bad";
}

const notes = createStore<readonly Note[]>([]);
let lastId = 0;

/** toast shows a text at the edge of the page for some seconds, and has it read out. */
export function toast(text: string, tone: Note["tone"] = "plain"): void {
  const note = { id: ++lastId, text, tone };
  notes.set((all) => [...all.slice(-2), note]);
  announce(text);
}

/** Toasts is where they are shown; the page has one. */
export function Toasts() {
  return (
    <div class="toasts">
      {useStore(notes).map((n) => (
        <Toast key={n.id} note={n} />
      ))}
    </div>
  );
}

function Toast({ note }: { note: Note }) {
  const [held, hold] = useState(false);
  const drop = useRef(() => notes.set((all) => all.filter((n) => n.id !== note.id)));
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(drop.current, 6000);
    return () => clearTimeout(timer);
  }, [held]);
  return (
    <div class={`toast ${note.tone}`} onMouseEnter={() => hold(true)} onMouseLeave={() => hold(false)}>
      <span>{note.text}</span>
      <button type="button" class="button bare small" aria-label="Dismiss" onClick={drop.current}>
        ✕
      </button>
    </div>
  );
}
