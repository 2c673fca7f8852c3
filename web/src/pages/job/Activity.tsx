import { matching, useResource } from "../../api/resource";
import { Link, runPath } from "../../router";
import { Time } from "../../time/Time";
import { Empty, Loaded } from "../../ui/Feedback";
import { Table } from "../../ui/Table";

/** How many deeds are looked through for those about one job. */
const looked = 1000;

/** Activity shows what people did with a job, and why. */
export function Activity({ job, zone }: { job: string; zone: string }) {
  const deeds = useResource(
    "/api/v1/activity",
    { query: { limit: looked } },
    { on: matching(["job", "lease", "run"], job), pace: 3000 },
  );
  return (
    <Loaded resource={deeds}>
      {(data) => {
        const mine = data.items.filter((d) => d.job === job);
        if (!mine.length) {
          return (
            <Empty title={`Nobody has done anything with ${job}`}>
              <p>
                Whoever triggers, pauses, cancels or takes its lease away is listed here, with the reason.
                {data.nextPageToken ? ` The latest ${looked} deeds were looked through.` : ""}
              </p>
            </Empty>
          );
        }
        return (
          <>
            <Table
              caption={`What people did with ${job}`}
              hideCaption
              rows={mine}
              rowKey={(d) => `${d.at} ${d.what} ${d.run ?? ""}`}
              columns={[
                { key: "at", title: "When", cell: (d) => <Time at={d.at} job={zone} /> },
                { key: "who", title: "Who", cell: (d) => d.who },
                { key: "what", title: "What", cell: (d) => <span class="strong">{d.what}</span> },
                {
                  key: "run",
                  title: "Run",
                  cell: (d) => (d.run ? <Link to={runPath(d.run)}>{d.run}</Link> : "–"),
                },
                { key: "reason", title: "Reason", cell: (d) => d.reason ?? "" },
              ]}
            />
            {data.nextPageToken && (
              <p class="muted">
                Of the latest {looked} deeds. <Link to="/activity">All activity</Link>
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
