import type { RunDetails } from "../../api/types";
import { useNow } from "../../time/clock";
import { Button } from "../../ui/Button";
import type { Begin, Log } from "./useLog";

export interface LogFootProps {
  run: RunDetails;
  log: Log;
  follow: boolean;
  behind: number; // lines that came since following ended
  begin: Begin;
  onEnd: () => void;
  onStart: () => void;
}

/** LogFoot says how the log stands: whether more comes, how far one is behind, and what is not held. */
export function LogFoot({ run: r, log, follow, behind, begin, onEnd, onStart }: LogFootProps) {
  const { book } = log;
  const over = book.ended !== undefined;
  return (
    <div class="log-foot">
      <span class="muted">
        <Standing run={r} log={log} />
      </span>
      {book.dropped > 0 && (
        <span class="muted">
          The first and the last lines are held here, at most 50,000; Raw and Download have all.
        </span>
      )}
      {begin.offset > 0 && (
        <span>
          From line {begin.line.toLocaleString("en")} on.{" "}
          <Button small onClick={onStart}>
            From the beginning
          </Button>
        </span>
      )}
      <span class="grow" />
      {!follow && book.count > 0 && (
        <Button small onClick={onEnd}>
          {!over && behind > 0 ? `${behind.toLocaleString("en")} lines behind – jump to end` : "Jump to end"}
        </Button>
      )}
    </div>
  );
}

function Standing({ run: r, log }: { run: RunDetails; log: Log }) {
  const now = useNow(log.link.is === "lost" ? 1000 : 60_000);
  const { book, link } = log;
  if (book.ended !== undefined) return book.count ? <>End of the output</> : <>It printed nothing.</>;
  switch (link.is) {
    case "none":
      return <>No output is kept of it.</>;
    case "lost": {
      const wait = Math.max(0, Math.ceil((link.retryAt - Date.now()) / 1000));
      return (
        <span data-now={now}>
          The output was cut off ({link.why}); it goes on {wait ? `in ${wait} s` : "now"}.
        </span>
      );
    }
    case "connecting":
      return <>…</>;
    case "live":
      if (book.count) return <>More will come while it runs</>;
      return r.started ? <>Nothing printed yet</> : <>It has not begun</>;
  }
}
