import type { Book } from "./book";

/** Row is a part of a line: the whole of it, unless lines are wrapped. */
export interface Row {
  index: number; // of the line in the book
  from: number; // characters of it before this row
  to: number;
}

/** Longer lines are cut where they are shown: the rest is in the raw output. */
export const longest = 4000;

/**
 * Rows says which part of which line stands in which row, so that rows are all of one height and any of a hundred
 * thousand is found at once. Columns is how many characters have room; 0: lines are not wrapped.
 */
export class Rows {
  /** ends[i] is how many rows there are up to line i, that one included; not used unless lines are wrapped. */
  private ends: number[] = [];
  private made = { head: 0, dropped: 0 };
  /** How many rows have been taken out so far, with the lines that are no longer held. */
  taken = 0;

  constructor(
    private readonly book: Book,
    readonly columns: number,
  ) {}

  /** count is how many rows there are. What came since is taken in. */
  count(): number {
    if (!this.columns) {
      this.taken = Math.max(0, this.book.dropped - 1); // a note has the place of one
      return this.book.count;
    }
    const { book, made } = this;
    if (book.dropped !== made.dropped) {
      const first = made.head + (made.dropped > 0 ? 1 : 0);
      const gone = Math.min(first + book.dropped - made.dropped, this.ends.length);
      this.taken += Math.max(0, (this.ends[gone - 1] ?? 0) - (this.ends[first - 1] ?? 0));
      this.ends = this.ends.slice(0, Math.min(made.head, this.ends.length));
    }
    // The last line may have grown.
    if (this.ends.length) this.ends.pop();
    for (let i = this.ends.length; i < book.count; i++) {
      const length = Math.min(book.line(i)?.shown.length ?? 0, longest);
      this.ends.push((this.ends[i - 1] ?? 0) + Math.max(1, Math.ceil(length / this.columns)));
    }
    this.made = { head: book.head.length, dropped: book.dropped };
    return this.ends.at(-1) ?? 0;
  }

  /** row is the row at a place, which is less than count. */
  row(at: number): Row {
    if (!this.columns) return { index: at, from: 0, to: longest };
    let low = 0;
    let high = this.ends.length - 1;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.ends[mid]! > at) high = mid;
      else low = mid + 1;
    }
    const part = at - (this.ends[low - 1] ?? 0);
    return { index: low, from: part * this.columns, to: Math.min((part + 1) * this.columns, longest) };
  }

  /** first is the place of the first row of a line. */
  first(index: number): number {
    if (index > this.ends.length) this.count(); // it came since
    return this.columns ? (this.ends[index - 1] ?? 0) : index;
  }
}
