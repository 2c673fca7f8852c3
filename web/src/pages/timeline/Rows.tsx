import { jobPath, Link, runPath } from "../../router";
import { duration } from "../../time/duration";
import { Time } from "../../time/Time";
import { Empty } from "../../ui/Feedback";
import { Status } from "../../ui/Status";
import { Table } from "../../ui/Table";
import { beginOf, endOf, keyOf, type Bar, type Timeline } from "./layout";
import type { Stretch } from "./span";

/** How many rows there are at most: who wants more looks closer, or filters. */
const most = 500;

/** Rows says in rows what lanes draw. */
export function Rows({ timeline, stretch }: { timeline: Timeline; stretch: Stretch }) {
  const now = Date.parse(timeline.serverTime);
  const bars = timeline.bars
    .filter((b) => beginOf(b) <= stretch.to && endOf(b, now) >= stretch.from)
    .reverse();
  const due = timeline.planned.filter((p) => Date.parse(p.time) <= stretch.to);
  return (
    <div class="stack">
      {bars.length === 0 ? (
        <Empty title="Nothing ran in this time" />
      ) : (
        <Table
          caption={bars.length > most ? `The last ${most} of ${bars.length}` : "What ran, the latest first"}
          rows={bars.slice(0, most)}
          rowKey={keyOf}
          columns={[
            { key: "began", title: "Began", cell: (b) => <Began bar={b} /> },
            { key: "status", title: "Status", cell: (b) => <Status status={b.status} /> },
            { key: "job", title: "Job", cell: (b) => <Link to={jobPath(b.job)}>{b.job}</Link> },
            { key: "replica", title: "Replica", class: "nowrap", cell: (b) => b.replica || "–" },
            { key: "took", title: "Took", align: "right", cell: (b) => <Took bar={b} now={now} /> },
            {
              key: "attempt",
              title: "Attempt",
              align: "right",
              from: "medium",
              cell: (b) => b.attempt || "–",
            },
            { key: "token", title: "Token", align: "right", from: "wide", cell: (b) => b.token ?? "–" },
            { key: "why", title: "Why", cell: (b) => <Why bar={b} /> },
          ]}
        />
      )}
      {due.length > 0 && (
        <Table
          caption="What is due"
          rows={due}
          rowKey={(p) => `${p.job} ${p.time}`}
          columns={[
            { key: "time", title: "When", cell: (p) => <Time at={p.time} /> },
            { key: "job", title: "Job", cell: (p) => <Link to={jobPath(p.job)}>{p.job}</Link> },
            { key: "runs", title: "Will run", cell: (p) => (p.runs ? "yes" : "no, as things are") },
          ]}
        />
      )}
    </div>
  );
}

function Began({ bar: b }: { bar: Bar }) {
  return (
    <Link to={runPath(b.run)}>
      <Time at={b.started ?? b.ended} show="clock" />
    </Link>
  );
}

function Took({ bar: b, now }: { bar: Bar; now: number }) {
  return b.started ? duration(Math.max(0, (endOf(b, now) - beginOf(b)) / 1000)) : "–";
}

function Why({ bar: b }: { bar: Bar }) {
  if (!b.takesOver) return b.why ?? "";
  return (
    <>
      took over from {b.takesOver.replica}, where it was lost under token {b.takesOver.token}
    </>
  );
}
