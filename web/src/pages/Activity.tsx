import { matching, useResource } from "../api/resource";
import type { Deed } from "../api/types";
import { jobPath, Link, navigate, runPath, useQuery } from "../router";
import { useTitle } from "../shell/title";
import "../styles/watch.css";
import { Time } from "../time/Time";
import { Chips } from "../ui/Chips";
import { Empty, Loaded } from "../ui/Feedback";
import { useKeys } from "../ui/keys";
import { SearchField } from "../ui/SearchField";
import { Pager, Table } from "../ui/Table";
import { matches, wordOf } from "./activity/filter";

const pageSize = 50;
/** How many of the latest are looked through for a filter, and how many are shown then. */
const searched = 1000;
const shown = 200;

/** Activity shows who did what, and why. */
export default function Activity() {
  useTitle("Activity");
  const [query] = useQuery();
  const what = query.get("what") ?? "";
  const q = query.get("q") ?? "";
  const filtered = what !== "" || q !== "";
  const page = filtered ? "" : (query.get("page") ?? "");
  const deeds = useResource(
    "/api/v1/activity",
    { query: { limit: filtered ? searched : pageSize, pageToken: page } },
    { on: matching(["job", "lease", "run"]), pace: 3000, ...(page ? { every: 600_000 } : {}) },
  );
  const items = deeds.data?.items ?? [];
  useKeys([{ keys: "Escape", what: "Clear the filters", act: () => navigate("/activity") }]);
  return (
    <>
      <div class="page-head">
        <h1>Activity</h1>
        <SearchField label="Search activity" placeholder="Who, what, job or reason" />
        <Kinds what={what} items={items} />
      </div>
      <Loaded resource={deeds} rows={12}>
        {(data) => {
          const rows = data.items.filter((d) => matches(d, what, q));
          if (!rows.length) return filtered ? <Unmatched /> : <Nobody first={page === ""} />;
          return (
            <>
              <List rows={rows.slice(0, shown)} />
              <footer class="page-foot">
                <span class="muted">
                  {filtered && counted(rows.length, data.items.length, data.nextPageToken !== "")}
                </span>
                {!filtered && <Pager next={data.nextPageToken || undefined} first={page === ""} />}
              </footer>
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function counted(found: number, of: number, more: boolean): string {
  const which = more ? `the last ${of.toLocaleString("en")}` : of.toLocaleString("en");
  return `${found} of ${which}${found > shown ? `; the first ${shown} are shown` : ""}`;
}

/** Kinds choose what was done, of what there is. */
function Kinds({ what, items }: { what: string; items: Deed[] }) {
  const kinds = [...new Set([...items.map((d) => d.what), ...(what ? [what] : [])])].sort();
  if (kinds.length < 2 && !what) return null;
  return (
    <Chips
      param="what"
      label="What was done"
      value={what}
      chips={[{ value: "", label: "all" }, ...kinds.map((k) => ({ value: k, label: wordOf(k) }))]}
    />
  );
}

function List({ rows }: { rows: Deed[] }) {
  return (
    <Table
      caption="Who did what"
      hideCaption
      rows={rows}
      rowKey={(d) => `${d.at} ${d.what} ${d.job ?? ""} ${d.run ?? ""}`}
      columns={[
        { key: "at", title: "When", cell: (d) => <Time at={d.at} /> },
        { key: "who", title: "Who", cell: (d) => <span class="strong">{d.who}</span> },
        { key: "what", title: "What", cell: (d) => wordOf(d.what) },
        { key: "job", title: "Job", cell: (d) => (d.job ? <Link to={jobPath(d.job)}>{d.job}</Link> : "–") },
        { key: "reason", title: "Reason", cell: (d) => d.reason || <span class="muted">–</span> },
        {
          key: "run",
          title: "Run",
          from: "medium",
          cell: (d) => (d.run ? <Link to={runPath(d.run)}>{d.run}</Link> : "–"),
        },
        {
          key: "from",
          title: "From",
          from: "wide",
          cell: (d) => [d.from, d.via].filter(Boolean).join(" via ") || "–",
        },
      ]}
    />
  );
}

function Unmatched() {
  return (
    <Empty title="Nothing matches">
      <p>The last {searched.toLocaleString("en")} were looked through.</p>
      <Link to="/activity" class="button plain">
        Clear filters
      </Link>
    </Empty>
  );
}

function Nobody({ first }: { first: boolean }) {
  if (!first) return <Empty title="There is no more" />;
  return (
    <Empty title="Nobody has done anything yet">
      <p>
        Whoever triggers, pauses or cancels something, or takes a lease away, is listed here with the reason.
      </p>
    </Empty>
  );
}
