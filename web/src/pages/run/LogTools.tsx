import type { RunDetails } from "../../api/types";
import { useStore } from "../../store";
import { Button } from "../../ui/Button";
import { CopyButton } from "../../ui/Copy";
import { stampMode, stampModes, wrapMode, type StampMode } from "./stamp";
import type { Find } from "./useFind";
import { logAddress, type Log } from "./useLog";

export interface LogToolsProps {
  run: RunDetails;
  attempt: number;
  log: Log;
  follow: boolean;
  onFollow: (on: boolean) => void;
  find: Find;
  anchor: number; // the line that the address points at; 0: none
}

const stampWords: Record<StampMode, string> = {
  off: "no time",
  rel: "since start",
  utc: "UTC",
  local: "local time",
};

/** LogTools is the bar above the log. */
export function LogTools({ run: r, attempt, log, follow, onFollow, find, anchor }: LogToolsProps) {
  const wrap = useStore(wrapMode);
  const raw = (more: Record<string, string | boolean>) =>
    logAddress(r.id, { attempt: attempt || undefined, ...more });
  const here = anchor ? window.location.href : "";
  return (
    <div class="log-tools" role="toolbar" aria-labelledby="log-title">
      <h2 id="log-title">Log</h2>
      <span class="muted" data-log-lines={log.book.seen}>
        {log.book.seen.toLocaleString("en")} {log.book.seen === 1 ? "line" : "lines"}
      </span>
      <Button small aria-pressed={follow} onClick={() => onFollow(!follow)} title="Stay at the end (f)">
        {follow ? "● Following" : "Follow"}
      </Button>
      <Button
        small
        aria-pressed={wrap === "on"}
        onClick={() => wrapMode.set(wrap === "on" ? "off" : "on")}
        title="Break long lines (w)"
      >
        Wrap
      </Button>
      <label class="pick log-time">
        <span class="away">Time of each line</span>
        <select
          value={useStore(stampMode)}
          onChange={(e) => stampMode.set(e.currentTarget.value as StampMode)}
        >
          {stampModes.map((m) => (
            <option key={m} value={m}>
              {stampWords[m]}
            </option>
          ))}
        </select>
      </label>
      <Finder find={find} />
      <span class="grow" />
      {here && <CopyButton text={here} label={`Copy link to line ${anchor}`} />}
      <a class="button plain small" href={raw({})} target="_blank" rel="noreferrer">
        Raw
      </a>
      <a class="button plain small" href={raw({ timestamps: true })} download={`${r.id}.log`}>
        Download
      </a>
    </div>
  );
}

function Finder({ find }: { find: Find }) {
  return (
    <span class="log-find">
      <input
        type="search"
        data-search
        value={find.text}
        placeholder="Find"
        aria-label="Find in the log"
        maxLength={200}
        spellcheck={false}
        onInput={(e) => find.setText(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === "Enter") find.go(e.shiftKey ? -1 : 1);
          if (e.key === "Escape") {
            find.setText("");
            e.currentTarget.blur();
          }
        }}
      />
      {find.text && (
        <>
          <span class="muted" role="status">
            {find.count ? `${find.at || "–"} of ${find.count.toLocaleString("en")}` : "none"}
          </span>
          <Button small aria-label="Place found before" disabled={!find.count} onClick={() => find.go(-1)}>
            ↑
          </Button>
          <Button small aria-label="Next place found" disabled={!find.count} onClick={() => find.go(1)}>
            ↓
          </Button>
        </>
      )}
    </span>
  );
}
