import { matching, useResource } from "../api/resource";
import type { JobDetails, Lease, Run } from "../api/types";
import { Link, useQuery } from "../router";
import type { PageProps } from "../shell/routes";
import { useTitle } from "../shell/title";
import { Banner, Empty, Loaded } from "../ui/Feedback";
import { Table } from "../ui/Table";
import { Tabs, type Tab } from "../ui/Tabs";
import { Activity } from "./job/Activity";
import { Ahead } from "./job/Ahead";
import { Config } from "./job/Config";
import { Head } from "./job/Head";
import { Leases, useLease } from "./job/Leases";
import { Queries } from "./job/Queries";
import { summed, Summary } from "./job/Summary";
import { columnsOf } from "./runs/columns";

const tabs: readonly Tab[] = [
  { value: "", label: "Runs" },
  { value: "config", label: "Config" },
  { value: "leases", label: "Leases" },
  { value: "metrics", label: "Metrics queries" },
  { value: "activity", label: "Activity" },
];

/** Job shows one job: when it is due, how it went, and all that is known of it. */
export default function Job({ params }: PageProps) {
  const name = params["job"]!;
  useTitle(name);
  const job = useResource(
    "/api/v1/jobs/{job}",
    { path: { job: name }, query: { next: 5 } },
    { on: matching(["run", "job", "config"], name) },
  );
  const runs = useResource(
    "/api/v1/jobs/{job}/runs",
    { path: { job: name }, query: { limit: summed } },
    { on: matching(["run"], name) },
  );
  const { lease } = useLease(name, true);
  if (!job.data && job.error?.type === "job-not-found") return <Unknown name={name} />;
  return (
    <Loaded resource={job}>
      {(j) => (
        <>
          <Head job={j} lease={lease} />
          {j.stale && (
            <Banner tone="warning">The store does not answer: this is what this replica remembers.</Banner>
          )}
          <div class="job-top">
            <Ahead job={j} />
            <Summary job={j} runs={runs.data?.items ?? []} />
          </div>
          <Loaded resource={runs}>{(list) => <View job={j} runs={list.items} lease={lease} />}</Loaded>
        </>
      )}
    </Loaded>
  );
}

/** View is what stands below the tabs. */
function View({ job: j, runs, lease }: { job: JobDetails; runs: readonly Run[]; lease: Lease | undefined }) {
  const [query] = useQuery();
  const tab = query.get("tab") ?? "";
  return (
    <>
      <Tabs value={tab} tabs={tabs} label={`About ${j.name}`} />
      {tab === "config" ? (
        <Config job={j} />
      ) : tab === "leases" ? (
        <Leases job={j} runs={runs} held={lease} />
      ) : tab === "metrics" ? (
        <Queries job={j.name} />
      ) : tab === "activity" ? (
        <Activity job={j.name} zone={j.timeZone} />
      ) : (
        <Runs job={j} runs={runs} />
      )}
    </>
  );
}

function Runs({ job: j, runs }: { job: JobDetails; runs: readonly Run[] }) {
  if (!runs.length) {
    return (
      <Empty title="It has not run yet">
        <p>
          {j.nextRun
            ? "Its first run is the first of the moments above. It can be triggered before."
            : (j.nextRunReason ?? "It has no further moments.")}
        </p>
      </Empty>
    );
  }
  const kept = j.policies?.history;
  return (
    <>
      <Table
        caption={`Runs of ${j.name}`}
        hideCaption
        rows={runs}
        rowKey={(r) => r.id}
        rowClass={() => "run"}
        columns={columnsOf({ zone: j.timeZone })}
      />
      <footer class="page-foot">
        <span class="muted">
          The last {runs.length}.
          {kept && ` Kept are ${kept.succeeded} that succeeded and ${kept.failed} that did not.`}
        </span>
        <Link to={`/runs?job=${encodeURIComponent(j.name)}`}>All its runs, with filters</Link>
      </footer>
    </>
  );
}

/** Unknown stands where a job would, that no configuration has; it may have left runs. */
function Unknown({ name }: { name: string }) {
  const runs = useResource("/api/v1/jobs/{job}/runs", { path: { job: name }, query: { limit: summed } });
  const left = runs.data?.items ?? [];
  return (
    <Empty title={`There is no job ${name}`}>
      <p>
        {left.length
          ? "The configuration no longer has it. What is remembered of its runs is here:"
          : "No configuration has it, and nothing is remembered of it."}
      </p>
      {left.length > 0 ? (
        <Link to={`/runs?job=${encodeURIComponent(name)}`} class="button plain">
          Its runs
        </Link>
      ) : (
        <Link to="/" class="button plain">
          All jobs
        </Link>
      )}
    </Empty>
  );
}
