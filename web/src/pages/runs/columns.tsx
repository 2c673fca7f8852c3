import type { Run } from "../../api/types";
import { jobPath, Link, runPath } from "../../router";
import { useNow } from "../../time/clock";
import { duration, parseDuration } from "../../time/duration";
import { Time } from "../../time/Time";
import { Status } from "../../ui/Status";
import type { Column } from "../../ui/Table";
import { sentence } from "../run/sentence";

/** Took is how long a run took, or is taking. */
export function Took({ run: r }: { run: Run }) {
  if (r.state === "running" && r.started) return <Elapsed started={r.started} />;
  return <>{r.state === "ended" && r.started ? duration(r.seconds ?? 0) : "–"}</>;
}

function Elapsed({ started }: { started: string }) {
  const now = useNow();
  return (
    <span class="tone-running" aria-hidden="true">
      {duration(Math.max(0, Math.round((now - Date.parse(started)) / 1000)))}
    </span>
  );
}

/** delayOf is how long after its moment a run began; "–": it did not, or that is not known. */
export function delayOf(r: Run): string {
  const s = parseDuration(r.startDelay);
  return s === undefined ? "–" : duration(s);
}

/** triggerOf is what a run was wanted for, and by whom. */
export function triggerOf(r: Run): string {
  return r.by && r.cause !== "schedule" ? `${r.cause} (${r.by})` : (r.cause ?? "–");
}

/** Why is what went wrong, or why there was no run. */
export function Why({ run: r }: { run: Run }) {
  const text = r.error || sentence(r);
  return (
    <span class="why" title={text}>
      {text || (r.reason ? `“${r.reason}”` : "")}
    </span>
  );
}

/** columnsOf are the columns of a list of runs; of those of one job without its name, and with the job's zone. */
export function columnsOf(one?: { zone: string }): Column<Run>[] {
  const columns: Column<Run>[] = [
    { key: "status", title: "Status", cell: (r) => <Status status={r.status} /> },
    {
      key: "run",
      title: one ? "Scheduled for" : "Run",
      cell: (r) =>
        one ? (
          <Link to={runPath(r.id)} class="strong" title={r.id}>
            <Time at={r.tick} job={one.zone} show="clock" none={r.id} />
          </Link>
        ) : (
          <Link to={runPath(r.id)} class="strong run-id" title={r.id}>
            {r.id}
          </Link>
        ),
    },
  ];
  if (!one) {
    columns.push(
      { key: "job", title: "Job", from: "wide", cell: (r) => <Link to={jobPath(r.job)}>{r.job}</Link> },
      { key: "tick", title: "Scheduled for", cell: (r) => <Time at={r.tick} /> },
    );
  }
  columns.push(
    { key: "delay", title: "Delay", align: "right", from: "wide", cell: delayOf },
    { key: "took", title: "Took", align: "right", cell: (r) => <Took run={r} /> },
    { key: "try", title: "Try", align: "right", from: "wide", cell: (r) => r.attempt || "–" },
    { key: "trigger", title: "Trigger", from: "medium", cell: triggerOf },
    { key: "replica", title: "Replica", from: "medium", cell: (r) => r.replica ?? "–" },
    { key: "why", title: "Why", cell: (r) => <Why run={r} /> },
  );
  return columns;
}
