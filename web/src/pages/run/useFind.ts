import { useEffect, useState } from "preact/hooks";
import type { Book } from "./book";
import { places } from "./pieces";
import type { Log } from "./useLog";

/** Find is what is looked for in a log. */
export interface Find {
  text: string;
  setText: (text: string) => void;
  /** How many lines have it, and which of them is shown: from 1; 0: none yet. */
  count: number;
  at: number;
  /** The number of the line that is shown; 0: none. */
  line: number;
  go: (by: 1 | -1) => void;
}

/** ms after the last change before all lines are looked through. */
const patience = 200;

/** useFind looks for a text in the lines that are held; goTo brings a line into view. */
export function useFind(log: Log, goTo: (n: number) => void): Find {
  const [text, setText] = useState("");
  const [found, setFound] = useState<{ of: string; lines: number[] }>({ of: "", lines: [] });
  const [line, setLine] = useState(0);
  useEffect(() => {
    if (!text) {
      setFound({ of: "", lines: [] });
      setLine(0);
      return;
    }
    const timer = setTimeout(() => setFound({ of: text, lines: linesWith(log.book, text) }), patience);
    return () => clearTimeout(timer);
  }, [text, log.book, Math.floor(log.version / 30), log.book.ended]);
  const go = (by: 1 | -1) => {
    // Somebody may be faster than the patience.
    const lines = found.of === text ? found.lines : linesWith(log.book, text);
    if (found.of !== text) setFound({ of: text, lines });
    if (!lines.length) return;
    const next = by > 0 ? lines.find((n) => n > line) : lines.findLast((n) => n < line);
    const n = next ?? (by > 0 ? lines[0]! : lines.at(-1)!);
    setLine(n);
    goTo(n);
  };
  const { lines } = found;
  return { text, setText, count: lines.length, at: lines.indexOf(line) + 1, line, go };
}

/** linesWith is the numbers of the lines, among those that are held, that have a text. */
function linesWith(book: Book, text: string): number[] {
  const found: number[] = [];
  if (!text) return found;
  for (let i = 0; i < book.count; i++) {
    const l = book.line(i);
    if (l && l.n > 0 && places(l.shown, text).length) found.push(l.n);
  }
  return found;
}
