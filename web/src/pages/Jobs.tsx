import { useEffect, useMemo, useRef } from "preact/hooks";
import { matching, useResource } from "../api/resource";
import { useMay } from "../api/session";
import type { Job } from "../api/types";
import { ask } from "../dialogs/actions";
import type { OpenRun } from "../live/events";
import { useOpenRuns } from "../live/live";
import { navigate, useQuery } from "../router";
import { useCluster } from "../shell/StatusStrip";
import { useTitle } from "../shell/title";
import { announce } from "../ui/announce";
import { Banner, Loaded } from "../ui/Feedback";
import { useKeys, type Binding } from "../ui/keys";
import { focusedRow } from "../ui/rows";
import { lookOf } from "../ui/status";
import { Pager, Table } from "../ui/Table";
import { Attention } from "./jobs/Attention";
import { useColumns } from "./jobs/columns";
import { Filtered, NoJobs } from "./jobs/Empties";
import { Filters } from "./jobs/Filters";
import { asked } from "./jobs/search";

/** How many jobs one page has. */
const pageSize = 50;

/** Jobs shows what is wrong, what runs, and what comes next. */
export default function Jobs() {
  useTitle("Jobs");
  const [query] = useQuery();
  const search = asked(query.get("q") ?? "");
  const status = query.get("status") || search.status;
  const sort = query.get("sort") || "nextRun";
  const page = query.get("page") ?? "";
  const plain = !search.q && !search.labelSelector && !status && !page;
  const jobs = useResource(
    "/api/v1/jobs",
    { query: { q: search.q, labelSelector: search.labelSelector, status, sort, pageSize, pageToken: page } },
    { on: matching(["run", "job", "config"]), pace: 1500 },
  );
  useChanges(jobs.data?.items);
  useRowKeys(jobs.data?.items);
  return (
    <>
      <div class="page-head">
        <h1>Jobs</h1>
        <Filters status={status} />
      </div>
      {plain && <Attention />}
      <Loaded resource={jobs} rows={12}>
        {(data) =>
          data.items.length === 0 ? (
            plain ? (
              <NoJobs />
            ) : (
              <Filtered />
            )
          ) : (
            <>
              {data.stale && (
                <Banner tone="warning">
                  The store does not answer: this is what this replica remembers.
                </Banner>
              )}
              <List jobs={data.items} sort={sort} />
              <footer class="page-foot">
                <Count shown={data.items.length} all={plain} />
                <Pager next={data.nextPageToken} first={page === ""} />
              </footer>
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Count({ shown, all }: { shown: number; all: boolean }) {
  const total = useCluster()?.jobs;
  const text =
    all && total !== undefined && total > shown
      ? `${shown} of ${total} jobs`
      : `${shown} ${shown === 1 ? "job" : "jobs"}`;
  return <span class="muted">{text}</span>;
}

function List({ jobs, sort }: { jobs: Job[]; sort: string }) {
  const open = useOpenRuns();
  const running = useMemo(() => {
    const by = new Map<string, OpenRun>();
    for (const run of open) if (run.state === "running") by.set(run.job, run);
    return by;
  }, [open]);
  const columns = useColumns(running);
  return (
    <Table
      caption="Jobs"
      hideCaption
      columns={columns}
      rows={jobs}
      rowKey={(j) => j.name}
      sorted={sort}
      rowClass={(j) => `job is-${j.state}`}
    />
  );
}

/** useChanges has it read out when a job begins to fail, or is well again. */
function useChanges(jobs: Job[] | undefined): void {
  const before = useRef(new Map<string, string>());
  useEffect(() => {
    for (const j of jobs ?? []) {
      const was = before.current.get(j.name);
      if (was && was !== j.state && (j.state === "failing" || was === "failing" || j.state === "paused")) {
        announce(`${j.name} is ${lookOf(j.state).word}`);
      }
      before.current.set(j.name, j.state);
    }
  }, [jobs]);
}

/** useRowKeys binds the keys that act on the job that has the focus. */
function useRowKeys(jobs: Job[] | undefined): void {
  const may = useMay("operator");
  const on = (act: (job: Job) => void) => () => {
    const job = jobs?.find((j) => j.name === focusedRow());
    if (job) act(job);
  };
  const acts: Binding[] = [
    {
      keys: "t",
      what: "Trigger the job that has the focus",
      act: on((j) => ask("trigger", j.name)),
      row: "acts",
    },
    {
      keys: "p",
      what: "Pause or resume it",
      act: on((j) => ask(j.paused ? "resume" : "pause", j.name)),
      row: "acts",
    },
  ];
  useKeys([...(may ? acts : []), { keys: "Escape", what: "Clear the filters", act: () => navigate("/") }]);
}
