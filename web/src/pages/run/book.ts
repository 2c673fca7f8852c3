import { plainStyle, scan, type Style } from "./ansi";

/** LineEvent, GapEvent and EndEvent are what the API tells of an output: see LogLine, LogGap and LogEnd there. */
export interface LineEvent {
  offset: number; // of its first byte
  at: string;
  stream: string;
  attempt: number;
  text: string;
  open?: boolean; // it goes on with the next event
}
export interface GapEvent {
  offset: number;
  bytes: number;
}
export interface EndEvent {
  offset: number;
  status: string;
}

/** Line is a line of output, or a note about what is not there. */
export interface Line {
  n: number; // from 1, of all lines that came; 0: a note
  at: number; // ms since 1970
  stderr: boolean;
  attempt: number;
  offset: number; // bytes before it
  text: string; // as it came
  shown: string; // as it is seen, without colours
  from: Style; // how it begins
  gap: number; // bytes that were not kept; of a note
}

/** How many lines are held: the first of them, and the last, which are between the second and the third number. */
export const holdHead = 20_000;
export const holdTailLeast = 25_000;
export const holdTailMost = 30_000;

/**
 * Book holds the lines of an output: all of them while they are few, else the first and the last. What lies between
 * can be asked for again, by its offset.
 */
export class Book {
  head: Line[] = [];
  tail: Line[] = [];
  /** Lines that came and are not held, between head and tail. */
  dropped = 0;
  /** Where the first of them begins. */
  droppedAt: { offset: number; n: number } | undefined;
  /** The status of the run once it has ended and all was told. */
  ended: string | undefined;
  /** It grows with every change. */
  version = 0;
  private next: number;
  private open = false;
  /** How the next line of each stream begins: one may break into the colours of the other. */
  private styles = new Map<boolean, Style>();
  private attempt = 0;

  /** A book may begin in the middle: firstLine is the number of its first line. */
  constructor(firstLine = 1) {
    this.next = firstLine;
  }

  /** count is how many lines are held, with the note about those that are not. */
  get count(): number {
    return this.head.length + this.tail.length + (this.dropped > 0 ? 1 : 0);
  }

  /** seen is the number of the last line that came. */
  get seen(): number {
    return this.next - 1;
  }

  /** line is the line at a place; undefined: the note about those that are not held. */
  line(index: number): Line | undefined {
    if (index < this.head.length) return this.head[index];
    const i = index - this.head.length;
    return this.dropped > 0 ? (i === 0 ? undefined : this.tail[i - 1]) : this.tail[i];
  }

  /** indexOf is the place of the line with a number; that of the note, if it is not held; -1: there is no such line. */
  indexOf(n: number): number {
    const find = (lines: Line[]) => {
      let low = 0;
      let high = lines.length; // lines[high..] are too far; notes count as the line before them
      while (low < high) {
        const mid = (low + high) >> 1;
        const at = this.numberAt(lines, mid);
        if (at < n) low = mid + 1;
        else high = mid;
      }
      while (low < lines.length && lines[low]!.n === 0) low++;
      return lines[low]?.n === n ? low : -1;
    };
    const first = find(this.head);
    if (first >= 0) return first;
    const base = this.head.length + (this.dropped > 0 ? 1 : 0);
    const last = find(this.tail);
    if (last >= 0) return base + last;
    if (this.droppedAt && n >= this.droppedAt.n && n < this.droppedAt.n + this.dropped)
      return this.head.length;
    return -1;
  }

  private numberAt(lines: Line[], index: number): number {
    for (let i = index; i >= 0; i--) if (lines[i]!.n > 0) return lines[i]!.n;
    return 0;
  }

  /** add takes a line, or the rest of one. */
  add(e: LineEvent): void {
    this.version++;
    const last = this.tail.at(-1) ?? this.head.at(-1);
    if (this.open && last && last.n > 0) {
      last.text += e.text;
      this.see(last);
    } else {
      if (e.attempt !== this.attempt) this.styles.clear();
      this.attempt = e.attempt;
      const stderr = e.stream === "stderr";
      const line: Line = {
        n: this.next++,
        at: Date.parse(e.at),
        stderr,
        attempt: e.attempt,
        offset: e.offset,
        text: e.text,
        shown: "",
        from: this.styles.get(stderr) ?? plainStyle,
        gap: 0,
      };
      this.see(line);
      this.keep(line);
    }
    this.open = e.open ?? false;
  }

  /** skip notes that something was not kept. */
  skip(e: GapEvent): void {
    this.version++;
    this.open = false;
    this.styles.clear();
    const { offset, bytes: gap } = e;
    const at = this.tail.at(-1)?.at ?? this.head.at(-1)?.at ?? 0;
    this.keep({
      n: 0,
      at,
      stderr: false,
      attempt: this.attempt,
      offset,
      text: "",
      shown: "",
      from: plainStyle,
      gap,
    });
  }

  /** end notes that the run has ended, and all was told. */
  end(e: EndEvent): void {
    this.version++;
    this.ended = e.status;
  }

  private see(line: Line): void {
    const { spans, end } = scan(line.text, line.from);
    line.shown = spans.length === 1 ? spans[0]!.text : spans.map((s) => s.text).join("");
    this.styles.set(line.stderr, end);
  }

  private keep(line: Line): void {
    if (this.head.length < holdHead && !this.tail.length) {
      this.head.push(line);
      return;
    }
    this.tail.push(line);
    if (this.tail.length <= holdTailMost) return;
    const gone = this.tail.splice(0, holdTailMost - holdTailLeast);
    const first = gone.find((l) => l.n > 0);
    this.droppedAt ??= { offset: gone[0]!.offset, n: first?.n ?? this.next };
    this.dropped += gone.filter((l) => l.n > 0).length;
  }
}
