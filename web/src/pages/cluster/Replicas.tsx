import { useMay } from "../../api/session";
import type { Cluster, Replica } from "../../api/types";
import { Link, runPath } from "../../router";
import { useNow } from "../../time/clock";
import { duration, parseDuration } from "../../time/duration";
import { Time } from "../../time/Time";
import { Button } from "../../ui/Button";
import { Status } from "../../ui/Status";
import { Table, type Column } from "../../ui/Table";
import { odd, stateOf, usual } from "./facts";

/** A clock may be this far, in s, from the store's before it is worth a word. */
const skewLimit = 0.5;

/** Replicas lists those that live. Crash is asked for only where it may be had. */
export function Replicas(props: {
  cluster: Cluster;
  won: ReadonlyMap<string, number> | undefined;
  crash: ((id: string) => void) | undefined;
}) {
  const { cluster: c, won, crash } = props;
  const admin = useMay("admin");
  const version = usual(c.replicas.map((r) => r.version));
  const revision = usual(c.replicas.map((r) => r.revision));
  const most = Math.max(1, ...(won?.values() ?? []));
  const columns: Column<Replica>[] = [
    { key: "replica", title: "Replica", cell: (r) => <ReplicaLink id={r.id} /> },
    { key: "state", title: "State", cell: (r) => <State replica={r} stale={c.stale} /> },
    {
      key: "version",
      title: "Version",
      cell: (r) => <Value value={r.version} odd={odd(r.version, version)} />,
    },
    {
      key: "config",
      title: "Config",
      cell: (r) => (
        <Value value={r.revision?.slice(0, 8)} full={r.revision} odd={odd(r.revision, revision)} />
      ),
    },
    { key: "up", title: "Up since", cell: (r) => <Time at={r.started} show="relative" /> },
    { key: "running", title: "Running", cell: (r) => <Running ids={r.running} /> },
    {
      key: "won",
      title: "Won in 1 h",
      cell: (r) => <Won n={won?.get(r.id) ?? 0} most={most} known={won !== undefined} />,
    },
    { key: "seen", title: "Heartbeat", cell: (r) => <Time at={r.lastSeen} show="relative" /> },
    { key: "skew", title: "Skew", align: "right", cell: (r) => <Skew text={r.clockOffset} /> },
  ];
  if (crash && admin) {
    columns.push({
      key: "acts",
      title: <span class="away">Actions</span>,
      cell: (r) => (
        <div class="acts">
          <Button small aria-label={`Simulate crash of ${r.id}`} onClick={() => crash(r.id)}>
            Simulate crash…
          </Button>
        </div>
      ),
    });
  }
  return <Table caption="Replicas" hideCaption rows={c.replicas} rowKey={(r) => r.id} columns={columns} />;
}

function ReplicaLink({ id }: { id: string }) {
  return (
    <Link to={`/runs?replica=${encodeURIComponent(id)}`} class="strong">
      {id}
    </Link>
  );
}

function State({ replica, stale }: { replica: Replica; stale: boolean }) {
  const now = useNow();
  return <Status status={stale ? replica.state : stateOf(replica, now)} />;
}

/** Value is marked where it is not what most have. */
function Value({ value, full, odd }: { value: string | undefined; full?: string | undefined; odd: boolean }) {
  if (!value) return <span class="muted">–</span>;
  return (
    <span
      class={odd ? "differs" : ""}
      title={odd ? `${full ?? value}: others have another one` : (full ?? value)}
    >
      <code>{value}</code>
      {odd && (
        <>
          <span aria-hidden="true"> !</span>
          <span class="away"> differs from the others</span>
        </>
      )}
    </span>
  );
}

function Running({ ids }: { ids: string[] }) {
  if (!ids.length) return <>0</>;
  return (
    <span>
      {ids.length}{" "}
      <span class="sub">
        <Link to={runPath(ids[0]!)}>{ids[0]!.split(".")[0]}</Link>
        {ids.length > 1 && ` and ${ids.length - 1} more`}
      </span>
    </span>
  );
}

function Won({ n, most, known }: { n: number; most: number; known: boolean }) {
  if (!known) return <span class="muted">–</span>;
  return (
    <span class="won">
      <span class="won-bar" aria-hidden="true">
        <span style={{ width: `${(n / most) * 100}%` }} />
      </span>
      {n}
    </span>
  );
}

function Skew({ text }: { text: string }) {
  const seconds = parseDuration(text);
  if (seconds === undefined) return <>{text || "–"}</>;
  if (Math.abs(seconds) < 0.00005) return <>0ms</>;
  const far = Math.abs(seconds) > skewLimit;
  return (
    <span
      class={far ? "differs" : ""}
      title={far ? "Further from the store's clock than is good" : "Ahead of the store's clock"}
    >
      {seconds > 0 ? "+" : ""}
      {duration(seconds)}
      {far && " !"}
    </span>
  );
}
