import { useEffect, useReducer, useRef } from "preact/hooks";
import { address } from "../../api/client";
import { follow } from "../../live/stream";
import type { Link } from "../../live/state";
import { Book, type EndEvent, type GapEvent, type LineEvent } from "./book";

/** Log is the output of a run as far as it came. */
export interface Log {
  book: Book;
  /** It grows when the book has changed, at most once a frame. */
  version: number;
  link: Link;
}

/** Begin is where to begin to read: after so many bytes, with the number of the line there. */
export interface Begin {
  offset: number;
  line: number;
}

/** logAddress is where the output of a run is. */
export function logAddress(
  run: string,
  query: Record<string, string | number | boolean | undefined>,
): string {
  return address("/api/v1/runs/{run}/log", { path: { run }, query });
}

/** useLog reads what a run prints until it has ended; attempt 0 is all attempts. */
export function useLog(run: string, attempt: number, begin: Begin): Log {
  const [, render] = useReducer((n: number) => n + 1, 0);
  const log = useRef<Log>(undefined as never);
  log.current ??= { book: new Book(begin.line), version: 0, link: { is: "connecting" } };

  useEffect(() => {
    const end = new AbortController();
    const book = new Book(begin.line);
    log.current = { book, version: 0, link: { is: "connecting" } };
    let frame = 0;
    const changed = () => {
      // A hidden page draws no frames, and need not.
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        log.current = { ...log.current, version: log.current.version + 1 };
        render(undefined as never);
      });
    };
    const listener = {
      message(m: { event: string; data: string }) {
        if (m.event === "line") book.add(JSON.parse(m.data) as LineEvent);
        else if (m.event === "gap") book.skip(JSON.parse(m.data) as GapEvent);
        else if (m.event === "end") {
          book.end(JSON.parse(m.data) as EndEvent);
          end.abort();
        } else return;
        changed();
      },
      link(link: Link) {
        if (book.ended !== undefined) return;
        log.current = { ...log.current, link };
        changed();
      },
    };
    changed();
    void follow(
      listener,
      end.signal,
      logAddress(run, { attempt: attempt || undefined, offset: begin.offset || undefined }),
    );
    return () => {
      end.abort();
      cancelAnimationFrame(frame);
    };
  }, [run, attempt, begin.offset, begin.line]);
  return log.current;
}
