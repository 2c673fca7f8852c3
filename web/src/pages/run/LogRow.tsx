import { Button } from "../../ui/Button";
import type { Book } from "./book";
import { pieces } from "./pieces";
import { longest, type Row } from "./rows";
import { size } from "./size";
import { stamp, stampWidth, type StampMode } from "./stamp";

export interface LogRowProps {
  book: Book;
  row: Row;
  digits: number; // of the longest number of a line
  mode: StampMode;
  start: number; // ms: when the run began
  find: string;
  marked: number; // the line that somebody pointed at
  /** It is asked for what begins after so many bytes, with the number of the line there. */
  onRead: (offset: number, line: number) => void;
}

/** LogRow is one row of the log: a line, a part of one, or a note about what is not there. */
export function LogRow({ book, row, digits, mode, start, find, marked, onRead }: LogRowProps) {
  const line = book.line(row.index);
  if (!line) {
    const at = book.droppedAt;
    return (
      <div class="log-row log-note">
        … {book.dropped.toLocaleString("en")} lines are not held on this page{" "}
        {at && (
          <Button small look="bare" onClick={() => onRead(at.offset, at.n)}>
            Read them
          </Button>
        )}
      </div>
    );
  }
  if (line.n === 0) {
    return (
      <div class="log-row log-note">
        … {size(line.gap)} were not kept: the beginning and the end of an output are (logs.maxBytes)
      </div>
    );
  }
  const first = row.from === 0;
  const rest = row.to >= longest ? line.shown.length - longest : 0;
  const name = `log-row${line.stderr ? " log-err" : ""}${line.n === marked ? " log-marked" : ""}`;
  return (
    <div class={name} data-n={first ? line.n : undefined}>
      <span
        class="log-n"
        style={{ width: `${digits + 1}ch` }}
        data-line={first ? line.n : undefined}
        title={first ? `Link to line ${line.n}${line.stderr ? ", of stderr" : ""}` : undefined}
      >
        {first ? line.n : ""}
      </span>
      {mode !== "off" && (
        <span class="log-at" style={{ width: `${stampWidth[mode] + 1}ch` }}>
          {first ? stamp(line.at, start, mode) : ""}
        </span>
      )}
      {first && line.stderr && <span class="away">stderr: </span>}
      <span class="log-text">
        {pieces(line.text, line.from, row.from, row.to, find).map((p) =>
          p.found ? (
            <mark class={p.class}>{p.text}</mark>
          ) : p.class ? (
            <span class={p.class}>{p.text}</span>
          ) : (
            p.text
          ),
        )}
        {rest > 0 && (
          <span class="muted"> … {rest.toLocaleString("en")} characters more in the raw output</span>
        )}
      </span>
    </div>
  );
}
