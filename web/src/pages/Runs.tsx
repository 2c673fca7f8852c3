import { useMemo } from "preact/hooks";
import { matching, useResource } from "../api/resource";
import { Link, navigate, useQuery } from "../router";
import { useTitle } from "../shell/title";
import { useNow } from "../time/clock";
import { Banner, Empty, Loaded } from "../ui/Feedback";
import { useKeys } from "../ui/keys";
import { Pager, Table } from "../ui/Table";
import { columnsOf } from "./runs/columns";
import { any, askedOf, filtersOf } from "./runs/filters";
import { FilterBar } from "./runs/FilterBar";

/** How many runs one page has. */
const pageSize = 50;

/** Runs lists the runs of all jobs, those about the latest moment first. */
export default function Runs() {
  useTitle("Runs");
  const [query] = useQuery();
  const page = query.get("page") ?? "";
  const filters = filtersOf(query);
  const now = useNow(60_000);
  const runs = useResource(
    "/api/v1/runs",
    { query: { ...askedOf(filters, now), pageSize, pageToken: page } },
    // A page behind the first one is history: it changes little, and must not move under the reader.
    {
      on: page ? () => false : matching(["run"], filters.job || undefined),
      pace: 2000,
      ...(page ? { every: 300_000 } : {}),
    },
  );
  const columns = useMemo(() => columnsOf(), []);
  useKeys([{ keys: "Escape", what: "Clear the filters", act: () => navigate("/runs") }]);
  return (
    <>
      <div class="page-head runs-head">
        <h1>Runs</h1>
      </div>
      <FilterBar filters={filters} />
      <Loaded resource={runs} rows={12}>
        {(data) =>
          data.items.length === 0 ? (
            <Nothing filtered={any(filters) || page !== ""} />
          ) : (
            <>
              {data.stale && (
                <Banner tone="warning">
                  The store does not answer: this is what this replica remembers.
                </Banner>
              )}
              <Table
                caption="Runs"
                hideCaption
                rows={data.items}
                rowKey={(r) => r.id}
                rowClass={() => "run"}
                columns={columns}
              />
              <footer class="page-foot">
                <span class="muted">
                  {data.items.length} {data.items.length === 1 ? "run" : "runs"}
                  {data.nextPageToken ? ", more follow" : ""}
                </span>
                <Pager next={data.nextPageToken || undefined} first={page === ""} />
              </footer>
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <Empty title="No run matches">
        <p>There may be runs, but none with all that was asked for.</p>
        <Link to="/runs" class="button primary">
          Clear filters
        </Link>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing has run yet">
      <p>Each tick of a job, and each wish to run one, is listed here with its verdict.</p>
      <Link to="/" class="button plain">
        When jobs are due
      </Link>
    </Empty>
  );
}
