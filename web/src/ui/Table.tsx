import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { Link, withQuery } from "../router";
import { keepRow } from "./rows";

export interface Column<T> {
  /** Names the column in the address (?sort=key) and in tests. */
  key: string;
  title: ComponentChildren;
  /** What stands in the column for a row. */
  cell: (row: T) => ComponentChildren;
  /** It can be sorted by: the API knows this word. */
  sort?: string;
  align?: "right";
  /** Left out below so many px of width; the phone layout of the page shows it elsewhere. */
  from?: "wide" | "medium";
  class?: string;
}

export interface TableProps<T> {
  caption: string;
  /** hidden: the caption is for those who hear the page. */
  hideCaption?: boolean;
  columns: Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** The sort as the API has it, such as "-nextRun". */
  sorted?: string;
  /** More about a row, for the style sheet. */
  rowClass?: (row: T) => string;
}

/**
 * Table shows rows. The first link of a row is where j and k go, and data-row has its key, for the keys of a page.
 * Below 640 px rows become cards: the first column is the head, the others stand below with their titles.
 * While rows and columns are the same arrays nothing of them is made anew: long lists keep theirs with useMemo.
 */
export function Table<T>({ caption, hideCaption, columns, rows, rowKey, sorted, rowClass }: TableProps<T>) {
  const body = useMemo(
    () =>
      rows.map((row) => (
        <tr key={rowKey(row)} data-row={rowKey(row)} class={rowClass?.(row) ?? ""}>
          {columns.map((c) => (
            <td key={c.key} class={classOf(c)} data-title={typeof c.title === "string" ? c.title : undefined}>
              {c.cell(row)}
            </td>
          ))}
        </tr>
      )),
    [rows, columns],
  );
  useLayoutEffect(keepRow, [body]);
  return (
    <div class="table-box">
      <table class="table">
        <caption class={hideCaption ? "away" : ""}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((c) => (
              <Head key={c.key} column={c} sorted={sorted} />
            ))}
          </tr>
        </thead>
        <tbody>{body}</tbody>
      </table>
    </div>
  );
}

function classOf<T>(c: Column<T>): string {
  return [`col-${c.key}`, c.align ?? "", c.from ? `from-${c.from}` : "", c.class ?? ""]
    .filter(Boolean)
    .join(" ");
}

function Head<T>({ column: c, sorted }: { column: Column<T>; sorted: string | undefined }) {
  if (!c.sort) {
    return (
      <th scope="col" class={classOf(c)}>
        {c.title}
      </th>
    );
  }
  const up = sorted === c.sort;
  const down = sorted === `-${c.sort}`;
  return (
    <th scope="col" class={classOf(c)} aria-sort={up ? "ascending" : down ? "descending" : "none"}>
      <Link to={withQuery({ sort: up ? `-${c.sort}` : c.sort, page: "" })} class="sort">
        {c.title}
        <span aria-hidden="true">{up ? " ↑" : down ? " ↓" : ""}</span>
      </Link>
    </th>
  );
}

/** Pager goes on in a list whose next page has a token. Back is the browser's. */
export function Pager({ next, first }: { next: string | undefined; first: boolean }) {
  if (!next && first) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {!first && (
        <Link class="button plain small" to={withQuery({ page: "" })}>
          First page
        </Link>
      )}
      {next && (
        <Link class="button plain small" to={withQuery({ page: next })}>
          Next page
        </Link>
      )}
    </nav>
  );
}
