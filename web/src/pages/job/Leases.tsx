import { useState } from "preact/hooks";
import { matching, useResource } from "../../api/resource";
import type { JobDetails, Lease, Run } from "../../api/types";
import { Link, runPath } from "../../router";
import { useNow } from "../../time/clock";
import { duration } from "../../time/duration";
import { Time } from "../../time/Time";
import { Empty, ErrorNote, Skeleton } from "../../ui/Feedback";
import { Facts } from "../../ui/Field";
import { Status } from "../../ui/Status";
import { Table } from "../../ui/Table";

/** How many leases are asked for at once: they come by the names of their jobs. */
const pageSize = 500;

/** useLease looks for the lease of a job, page by page; done says that all were looked through. */
export function useLease(job: string, held: boolean) {
  const [page, setPage] = useState("");
  const leases = useResource(
    "/api/v1/leases",
    { query: { held: held || undefined, pageSize, pageToken: page } },
    { on: matching(["lease", "run"], job), every: 3000, pace: 2000 },
  );
  const lease = leases.data?.items.find((l) => l.job === job);
  const more = leases.data && !lease && !leases.loading ? leases.data.nextPageToken : "";
  if (more && more !== page) setPage(more);
  return { lease, error: leases.error, done: Boolean(leases.data) && !more };
}

/** Leases shows who may run a job now, what the store remembers, and who had its leases before. */
export function Leases({
  job: j,
  runs,
  held,
}: {
  job: JobDetails;
  runs: readonly Run[];
  held: Lease | undefined;
}) {
  const found = useLease(j.name, false);
  const lease = found.lease ?? held;
  const past = runs.filter((r) => r.token);
  return (
    <>
      {lease ? (
        <Present lease={lease} zone={j.timeZone} />
      ) : found.error ? (
        <ErrorNote error={found.error} />
      ) : found.done ? (
        <Empty title="It has never had a lease">
          <p>A lease begins when a replica claims a tick of the job.</p>
        </Empty>
      ) : (
        <Skeleton rows={2} />
      )}
      {past.length > 0 && (
        <Table
          caption="Leases of its latest runs"
          rows={past}
          rowKey={(r) => r.id}
          columns={[
            { key: "token", title: "Token", cell: (r) => <code>{r.token}</code> },
            { key: "holder", title: "Holder", cell: (r) => r.replica ?? "–" },
            {
              key: "run",
              title: "Run",
              cell: (r) => <Link to={runPath(r.id)}>{r.id}</Link>,
            },
            {
              key: "from",
              title: "From",
              cell: (r) => <Time at={r.started} job={j.timeZone} show="clock" />,
            },
            {
              key: "took",
              title: "Held",
              align: "right",
              cell: (r) => (r.state === "ended" ? duration(r.seconds ?? 0) : "still"),
            },
            { key: "end", title: "Ended", cell: (r) => <Status status={r.status} /> },
          ]}
        />
      )}
    </>
  );
}

function Present({ lease: l, zone }: { lease: Lease; zone: string }) {
  const now = useNow();
  const left = l.expires ? Math.max(0, (Date.parse(l.expires) - now) / 1000) : 0;
  const facts: [string, preact.ComponentChildren][] = [
    ["State", <Status status={l.state} />],
    [l.held ? "Holder" : "Last holder", l.holder ?? "–"],
    ["Token", <code>{l.token}</code>],
  ];
  if (l.held && l.expires) {
    facts.push([
      "Ends",
      <span aria-hidden="true">{left > 0 ? `in ${duration(left)}, unless renewed` : "expired"}</span>,
    ]);
    if (l.renewed) facts.push(["Renewed", <Time at={l.renewed} job={zone} show="relative" />]);
  }
  if (l.decided) facts.push(["Last tick decided", <Time at={l.decided} job={zone} show="clock" />]);
  if (l.completed) facts.push(["Last tick succeeded", <Time at={l.completed} job={zone} show="clock" />]);
  facts.push(["Abandoned runs", String(l.crashes)], ["Late releases", String(l.late)]);
  return (
    <div class="card-box">
      <Facts facts={facts} />
      {l.late > 0 && (
        <p class="note">A late release is evidence that a run went on after its lease: look at its tokens.</p>
      )}
    </div>
  );
}
