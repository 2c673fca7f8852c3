import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RunDetails } from "../../api/types";
import { navigate, useHash, withQuery } from "../../router";
import { useStore } from "../../store";
import { useKeys } from "../../ui/keys";
import { useNarrow } from "../../ui/narrow";
import { bad } from "../../ui/status";
import { VirtualList } from "../../ui/VirtualList";
import { LogFoot } from "./LogFoot";
import { LogRow } from "./LogRow";
import { LogTools } from "./LogTools";
import { Rows } from "./rows";
import { stampMode, stampWidth, wrapMode } from "./stamp";
import { useColumns } from "./useColumns";
import { useFind } from "./useFind";
import { useLog, type Begin } from "./useLog";

/** px of a row. */
const rowHeight = 20;
const fromStart: Begin = { offset: 0, line: 1 };

/** LogView shows what a run prints, as it prints it; attempt 0 is all attempts. */
export function LogView({ run: r, attempt }: { run: RunDetails; attempt: number }) {
  const [begin, setBegin] = useState(fromStart);
  const log = useLog(r.id, attempt, begin);
  const { book } = log;
  const box = useRef<HTMLDivElement>(null);
  const mode = useStore(stampMode);
  const wrap = useStore(wrapMode) === "on";
  const narrow = useNarrow();
  const stamped = narrow ? "off" : mode; // a phone has no room beside the text
  const digits = Math.max(4, String(book.seen).length);
  const columns = useColumns(box, digits + 2 + (stampWidth[stamped] ? stampWidth[stamped] + 2 : 0));
  const rows = useMemo(() => new Rows(book, wrap ? columns : 0), [book, wrap, columns]);
  const count = rows.count();

  const anchor = Number(/^L(\d{1,9})$/.exec(useHash())?.[1] ?? 0);
  const [follow, setFollow] = useState(!anchor && (r.state !== "ended" || bad(r.status)));
  const left = useRef(0); // the last line when following ended
  const setFollowing = (on: boolean) => {
    if (!on) left.current = book.seen;
    setFollow(on);
  };
  const [show, setShow] = useState<{ index: number; turn: number }>();
  const goTo = (n: number) => {
    const index = book.indexOf(n);
    if (index < 0) return;
    setFollowing(false);
    setShow((s) => ({ index: rows.first(index), turn: (s?.turn ?? 0) + 1 }));
  };
  const find = useFind(log, goTo);

  const shown = useRef(0);
  const read = (from: Begin) => {
    setShow(undefined); // places are others now
    shown.current = 0;
    setFollow(false);
    setBegin(from);
  };
  useEffect(() => {
    const index = anchor ? book.indexOf(anchor) : -1;
    if (index < 0 || shown.current === -anchor) return;
    // It may be held at first, and then no longer: the note in its place offers to read it.
    const now = book.line(index) ? anchor : -anchor;
    if (shown.current === now) return;
    shown.current = now;
    goTo(anchor);
  }, [anchor, log.version]);

  useKeys([
    { keys: "f", what: "Follow the log, or stop", act: () => setFollowing(!follow) },
    { keys: "w", what: "Wrap long lines, or not", act: () => wrapMode.set(wrap ? "off" : "on") },
    { keys: "G", what: "End of the log", act: () => setFollowing(true) },
    { keys: "n", what: "Next place found", act: () => find.go(1) },
    { keys: "N", what: "Place found before", act: () => find.go(-1) },
  ]);

  const start = Date.parse(r.attempts?.[0]?.started ?? r.started ?? r.tick ?? "");
  return (
    <section class="log" aria-labelledby="log-title">
      <LogTools
        run={r}
        attempt={attempt}
        log={log}
        follow={follow}
        onFollow={setFollowing}
        find={find}
        anchor={anchor}
      />
      <div
        ref={box}
        class="log-box"
        onClick={(e) => {
          const n = (e.target as Element).closest("[data-line]")?.getAttribute("data-line");
          if (!n) return;
          shown.current = Number(n); // it is in view
          navigate(`${withQuery({})}#L${n}`, { replace: true });
        }}
      >
        {count > 0 && (
          <VirtualList
            class="log-lines"
            label={`What ${r.id} printed`}
            count={count}
            lineHeight={rowHeight}
            follow={follow}
            onFollow={setFollowing}
            show={show}
            taken={rows.taken}
            takenAt={rows.first(book.head.length)}
            line={(i) => {
              const row = rows.row(i);
              return (
                <LogRow
                  book={book}
                  row={row}
                  digits={digits}
                  mode={stamped}
                  start={start}
                  find={find.text}
                  marked={anchor || find.line}
                  onRead={(offset, line) => read({ offset, line })}
                />
              );
            }}
          />
        )}
        <LogFoot
          run={r}
          log={log}
          follow={follow}
          behind={follow ? 0 : Math.max(0, book.seen - left.current)}
          begin={begin}
          onEnd={() => setFollowing(true)}
          onStart={() => read(fromStart)}
        />
      </div>
    </section>
  );
}
