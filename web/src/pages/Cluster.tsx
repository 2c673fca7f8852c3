import { useMemo, useState } from "preact/hooks";
import { matching, useResource } from "../api/resource";
import type { Cluster as Told } from "../api/types";
import { useRecent } from "../live/live";
import { Link } from "../router";
import { useTitle } from "../shell/title";
import "../styles/watch.css";
import { serverNow } from "../time/clock";
import { duration } from "../time/duration";
import { Time } from "../time/Time";
import { Banner, Empty, Loaded } from "../ui/Feedback";
import { Table } from "../ui/Table";
import { CrashDialog } from "./cluster/CrashDialog";
import { formerOf, odd, usual, wonBy, type Former } from "./cluster/facts";
import { Replicas } from "./cluster/Replicas";
import { StoreCard } from "./cluster/StoreCard";

/** Cluster shows the replicas, and the store that they share. */
export default function Cluster() {
  useTitle("Cluster");
  const [crashing, crash] = useState<string>();
  const cluster = useResource(
    "/api/v1/cluster",
    {},
    { on: matching(["replica", "config", "run"]), pace: 2000, every: 5000 },
  );
  const hour = useLastHour(cluster.data);
  const dev = cluster.data?.dev === true;
  return (
    <>
      <div class="page-head">
        <h1>Cluster</h1>
        {cluster.data && <Sum cluster={cluster.data} />}
      </div>
      <Loaded resource={cluster}>
        {(c) => (
          <div class="stack">
            {c.stale && (
              <Banner tone="warning">
                The store does not answer: these are the replicas that were last heard of.
              </Banner>
            )}
            <Hints cluster={c} />
            {c.replicas.length ? (
              <Replicas cluster={c} won={hour?.won} crash={dev ? crash : undefined} />
            ) : (
              <Empty title="No replica is known">
                <p>Each says in the store that it lives. None has, since this one began to look.</p>
              </Empty>
            )}
            <StoreCard cluster={c} />
            {hour && hour.former.length > 0 && <Gone former={hour.former} />}
          </div>
        )}
      </Loaded>
      {crashing && <CrashDialog replica={crashing} onClose={() => crash(undefined)} />}
    </>
  );
}

/** useLastHour is what the runs of the last hour say of replicas; undefined: that is not known. */
function useLastHour(c: Told | undefined) {
  const bars = useResource("/api/v1/timeline", {}, { on: matching(["run", "replica"]), pace: 5000 }).data
    ?.bars;
  const recent = useRecent((h) => h.type === "replica");
  return useMemo(() => {
    if (!bars || !c) return undefined;
    const live = new Set(c.replicas.map((r) => r.id));
    return { won: wonBy(bars, serverNow() - 3600_000), former: formerOf(bars, live, recent) };
  }, [bars, recent, c]);
}

/** Sum is all of it in a line. */
function Sum({ cluster: c }: { cluster: Told }) {
  const versions = new Set(c.replicas.map((r) => r.version).filter(Boolean)).size;
  const n = c.replicas.length;
  return (
    <span class="muted">
      {n} {n === 1 ? "replica" : "replicas"} · {versions} {versions === 1 ? "version" : "versions"} · redis{" "}
      {c.strip.storeAnswers ? "ok" : "down"} · skew at most {duration(c.strip.maxOffsetSeconds)}
    </span>
  );
}

function Hints({ cluster: c }: { cluster: Told }) {
  const version = usual(c.replicas.map((r) => r.version));
  const others = c.replicas.filter((r) => odd(r.version, version));
  return (
    <>
      {c.replicas.length === 1 && (
        <Banner tone="info">
          There is one replica: when it ends nobody goes on. Start another one with the same configuration.
        </Banner>
      )}
      {others.length > 0 && (
        <Banner tone="warning">
          {others.map((r) => `${r.id} is ${r.version}`).join(", ")}
          {version && `; the others are ${version}`}. Two versions side by side are fine while a new one is
          rolled out.
        </Banner>
      )}
      {c.drift && (
        <Banner tone="warning">
          <span>
            Not all replicas have the same configuration. <Link to="/config">See how they differ</Link>
          </span>
        </Banner>
      )}
    </>
  );
}

/** Gone lists those that are not there any more. */
function Gone({ former }: { former: Former[] }) {
  return (
    <Table
      caption="Gone in the last hour"
      rows={former}
      rowKey={(f) => f.id}
      columns={[
        {
          key: "replica",
          title: "Replica",
          cell: (f) => <Link to={`/runs?replica=${encodeURIComponent(f.id)}`}>{f.id}</Link>,
        },
        { key: "last", title: "Last heard of", cell: (f) => <Time at={f.last} /> },
        { key: "why", title: "Why", cell: (f) => f.why || <span class="muted">not known here</span> },
      ]}
    />
  );
}
