import { matching, useResource } from "../../api/resource";
import { useRecent } from "../../live/live";
import { jobPath, Link, runPath } from "../../router";
import { duration } from "../../time/duration";
import { Time } from "../../time/Time";
import { Status } from "../../ui/Status";
import { Table } from "../../ui/Table";
import { pastsOf, type Past } from "./recent";

const words = { done: "released", lost: "lost", revoked: "taken away" };

/** Recent lists the leases that ended within the last hour. */
export function Recent() {
  const bars = useResource("/api/v1/timeline", {}, { on: matching(["run", "lease"]), pace: 4000 }).data?.bars;
  const told = useRecent((h) => h.type === "lease");
  const list = pastsOf(bars ?? [], told);
  if (!list.length) return null;
  return (
    <section class="block">
      <Table
        caption="Ended lately"
        rows={list}
        rowKey={(p) => p.key}
        columns={[
          { key: "at", title: "When", cell: (p) => <When past={p} /> },
          { key: "what", title: "How", cell: (p) => <Status status={p.what} word={words[p.what]} /> },
          { key: "job", title: "Job", cell: (p) => <Link to={jobPath(p.job)}>{p.job}</Link> },
          { key: "holder", title: "Holder", class: "nowrap", cell: (p) => p.holder || "–" },
          {
            key: "held",
            title: "Held for",
            align: "right",
            cell: (p) => (p.seconds === undefined ? "–" : duration(p.seconds)),
          },
          { key: "token", title: "Token", align: "right", from: "medium", cell: (p) => p.token ?? "–" },
          { key: "more", title: "And then", cell: (p) => p.more },
        ]}
      />
    </section>
  );
}

function When({ past: p }: { past: Past }) {
  if (!p.run) return <Time at={p.at} />;
  return (
    <Link to={runPath(p.run)}>
      <Time at={p.at} />
    </Link>
  );
}
