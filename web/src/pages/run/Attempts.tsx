import type { RunDetails } from "../../api/types";
import { Link, withQuery } from "../../router";
import { duration, parseDuration } from "../../time/duration";
import { Time } from "../../time/Time";
import { Status } from "../../ui/Status";
import { Table } from "../../ui/Table";
import { attemptsOf } from "./attempts";

/** Attempts lists the attempts of a run; each leads to what it printed. Nothing while there is one. */
export function Attempts({
  run: r,
  shown,
  zone,
}: {
  run: RunDetails;
  shown: number;
  zone: string | undefined;
}) {
  const rows = attemptsOf(r);
  if (rows.length < 2) return null;
  return (
    <section class="attempts" aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      <Table
        caption="Attempts"
        hideCaption
        rows={rows}
        rowKey={(a) => String(a.n)}
        columns={[
          { key: "n", title: "Attempt", cell: (a) => <span class="strong">{a.n}</span> },
          { key: "status", title: "Status", cell: (a) => <Status status={a.status} /> },
          { key: "started", title: "Started", cell: (a) => <Time at={a.started} job={zone} show="clock" /> },
          {
            key: "took",
            title: "Took",
            align: "right",
            cell: (a) => {
              const s = parseDuration(a.took);
              return s === undefined ? "–" : duration(s);
            },
          },
          { key: "replica", title: "Replica", cell: (a) => a.replica ?? "–" },
          { key: "token", title: "Token", from: "medium", cell: (a) => <code>{a.token ?? "–"}</code> },
          { key: "why", title: "Why", cell: (a) => a.error ?? "" },
          {
            key: "log",
            title: "Log",
            cell: (a) =>
              a.n === shown ? (
                <Link to={withQuery({ attempt: "" })}>of all attempts</Link>
              ) : (
                <Link to={withQuery({ attempt: String(a.n) })}>of this one</Link>
              ),
          },
        ]}
      />
    </section>
  );
}
