import { useNow } from "./clock";
import { relative } from "./duration";
import { fullTime, shortTime, useZone } from "./zone";

/** TimeProps: at is what the API said; job is the zone of the job it is about. */
export interface TimeProps {
  at: string | undefined | null;
  job?: string | undefined;
  /** both: "in 3m 12:15:00Z"; clock: the time alone; relative: "in 3m", with the time to hover over. */
  show?: "both" | "clock" | "relative";
  /** What stands there when there is no such moment. */
  none?: string;
}

/** Time shows a moment in the chosen zone, with all of it to hover over. */
export function Time({ at, job, show = "both", none = "–" }: TimeProps) {
  const zone = useZone(job);
  const now = useNow(show === "clock" ? 60_000 : 1000);
  if (!at) return <span class="muted">{none}</span>;
  const ms = Date.parse(at);
  const clock = shortTime(ms, now, zone);
  return (
    <time dateTime={new Date(ms).toISOString()} title={fullTime(ms, zone)} class="time">
      {show !== "clock" && <span aria-hidden={show === "both"}>{relative(ms, now)}</span>}
      {show === "both" && " "}
      {show !== "relative" && <span class={show === "both" ? "muted" : ""}>{clock}</span>}
    </time>
  );
}
