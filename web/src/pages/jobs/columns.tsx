import { useMemo } from "preact/hooks";
import { useMay } from "../../api/session";
import type { Job } from "../../api/types";
import { ask } from "../../dialogs/actions";
import type { OpenRun } from "../../live/events";
import { jobPath, Link, runPath } from "../../router";
import { useStoreDown, whyDown } from "../../shell/StatusStrip";
import { useNow } from "../../time/clock";
import { duration } from "../../time/duration";
import { Time } from "../../time/Time";
import { Button } from "../../ui/Button";
import { Glyph, Status } from "../../ui/Status";
import { Strip } from "../../ui/Strip";
import type { Column } from "../../ui/Table";

/** useColumns are the columns of the list of jobs; running has the runs that are on, by job. */
export function useColumns(running: ReadonlyMap<string, OpenRun>): Column<Job>[] {
  const may = useMay("operator");
  return useMemo(() => columnsOf(running, may), [running, may]);
}

function columnsOf(running: ReadonlyMap<string, OpenRun>, may: boolean): Column<Job>[] {
  const columns: Column<Job>[] = [
    { key: "status", title: "Status", cell: (j) => <Status status={stateOf(j, running.get(j.name))} /> },
    { key: "job", title: "Job", sort: "name", cell: (j) => <Name job={j} /> },
    { key: "schedule", title: "Schedule", from: "medium", cell: (j) => <Schedule job={j} /> },
    { key: "next", title: "Next", sort: "nextRun", cell: (j) => <Next job={j} /> },
    { key: "last", title: "Last", sort: "lastRun", cell: (j) => <Last job={j} run={running.get(j.name)} /> },
    {
      key: "strip",
      title: "Last 20 runs",
      cell: (j) => <Strip outcomes={j.recent} running={j.running ?? running.get(j.name)} />,
    },
    { key: "where", title: "Where", from: "wide", cell: (j) => running.get(j.name)?.replica ?? <None /> },
  ];
  if (may)
    columns.push({ key: "acts", title: <span class="away">Actions</span>, cell: (j) => <Acts job={j} /> });
  return columns;
}

/** stateOf is how a job stands: the stream knows sooner than the list that a run is on. */
function stateOf(job: Job, run: OpenRun | undefined): string {
  return run && (job.state === "ok" || job.state === "failing" || job.state === "idle")
    ? "running"
    : job.state;
}

const None = () => <span class="muted none">–</span>;

function Name({ job: j }: { job: Job }) {
  const more = [j.kind, j.owner, ...Object.entries(j.labels ?? {}).map(([k, v]) => `${k}=${v}`)]
    .filter(Boolean)
    .join(" · ");
  return (
    <>
      <Link to={jobPath(j.name)} class="strong">
        {j.name}
      </Link>
      <div class="sub" title={more}>
        {more}
      </div>
    </>
  );
}

function Schedule({ job: j }: { job: Job }) {
  return (
    <>
      <code>{j.schedule}</code>
      {j.timeZone && j.timeZone !== "UTC" && <div class="sub">{j.timeZone}</div>}
    </>
  );
}

function Next({ job: j }: { job: Job }) {
  if (j.nextRun) {
    return (
      <>
        <Time at={j.nextRun} job={j.timeZone} />
        {j.nextNote && <div class="sub">{j.nextNote}</div>}
      </>
    );
  }
  return <span class="muted">{j.nextRunReason || "not scheduled"}</span>;
}

function Last({ job: j, run }: { job: Job; run: OpenRun | undefined }) {
  const on = j.running ?? (run?.started ? { id: run.id, started: run.started } : undefined);
  if (on) return <Elapsed started={on.started} usual={j.medianSeconds ?? undefined} run={on.id} />;
  const last = j.lastRun;
  if (!last) {
    return (
      <span class="muted">
        {j.nextRun ? (
          <>
            first run <Time at={j.nextRun} job={j.timeZone} show="relative" />
          </>
        ) : (
          "never run"
        )}
      </span>
    );
  }
  return (
    <Link to={runPath(last.id)} class="quiet">
      <Glyph status={last.status} /> <Time at={last.ended ?? last.tick} job={j.timeZone} show="relative" />{" "}
      <span class="muted">{duration(last.seconds)}</span>
    </Link>
  );
}

function Elapsed({ started, usual, run }: { started: string; usual: number | undefined; run: string }) {
  const now = useNow();
  return (
    <Link to={runPath(run)} class="quiet">
      <Glyph status="running" />{" "}
      <time dateTime={started} aria-hidden="true">
        {duration(Math.max(0, Math.round((now - Date.parse(started)) / 1000)))}
      </time>
      {usual !== undefined && <span class="muted"> / ~{duration(usual)}</span>}
    </Link>
  );
}

function Acts({ job: j }: { job: Job }) {
  const down = useStoreDown();
  if (j.suspend) return null; // its definition says so, and only that can change it
  const why = down ? whyDown : undefined;
  const label = (verb: string) => `${verb} ${j.name}${down ? `: ${whyDown}` : ""}`;
  return (
    <div class="acts">
      <Button
        small
        disabled={down}
        title={why}
        aria-label={label("Trigger")}
        onClick={() => ask("trigger", j.name)}
      >
        Trigger…
      </Button>
      {j.paused ? (
        <Button
          small
          disabled={down}
          title={why}
          aria-label={label("Resume")}
          onClick={() => ask("resume", j.name)}
        >
          Resume…
        </Button>
      ) : (
        <Button
          small
          disabled={down}
          title={why}
          aria-label={label("Pause")}
          onClick={() => ask("pause", j.name)}
        >
          Pause…
        </Button>
      )}
    </div>
  );
}
