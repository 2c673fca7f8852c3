import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { matching, useResource } from "../api/resource";
import { useMay } from "../api/session";
import type { Lease } from "../api/types";
import { ReleaseDialog } from "../dialogs/ReleaseDialog";
import { jobPath, Link, runPath, useQuery } from "../router";
import { useStoreDown } from "../shell/StatusStrip";
import { useTitle } from "../shell/title";
import "../styles/watch.css";
import { useNow, useOffset } from "../time/clock";
import { duration } from "../time/duration";
import { Time } from "../time/Time";
import { clockOf } from "../time/zone";
import { Button } from "../ui/Button";
import { Banner, Empty, Loaded } from "../ui/Feedback";
import { Pager, Table, type Column } from "../ui/Table";
import { counted, everyOf, leftOf, type Seen } from "./leases/countdown";
import { Countdown, Standing } from "./leases/Countdown";
import { Recent } from "./leases/Recent";

/** Leases shows who may run what now, under which token, and for how long. */
export default function Leases() {
  useTitle("Leases");
  const [query] = useQuery();
  const page = query.get("page") ?? "";
  const [every, setEvery] = useState(2000);
  const leases = useResource(
    "/api/v1/leases",
    { query: { held: true, pageSize: 100, pageToken: page } },
    { on: matching(["run", "lease"]), every },
  );
  const items = leases.data?.items;
  useEffect(() => setEvery(everyOf(items ?? [])), [items]);
  const seen = useSeen(items);
  const [releasing, release] = useState<Lease>();
  return (
    <>
      <div class="page-head">
        <h1>Leases</h1>
        {items && <Tally leases={items} />}
        <span class="grow" />
        <StoreClock />
      </div>
      <Loaded resource={leases}>
        {(data) => (
          <>
            {data.stale && (
              <Banner tone="warning">
                The store does not answer: these are as of <Time at={data.serverTime} />. Who could not renew
                has stopped by itself when its time was up.
              </Banner>
            )}
            {data.items.length === 0 ? (
              <NoLease first={page === ""} />
            ) : (
              <Held leases={data.items} seen={seen} release={release} />
            )}
            <Pager next={data.nextPageToken || undefined} first={page === ""} />
          </>
        )}
      </Loaded>
      <Recent />
      {releasing && <ReleaseDialog lease={releasing} onClose={() => release(undefined)} />}
    </>
  );
}

function NoLease({ first }: { first: boolean }) {
  return (
    <Empty title={first ? "No lease is held now" : "No more leases are held"}>
      <p>
        A replica takes the lease of a job for as long as it runs it, renews it meanwhile, and gives it back.
        While it is held nobody else runs the job.
      </p>
    </Empty>
  );
}

/** Tally counts in the head what is held, and what is late. */
function Tally({ leases }: { leases: readonly Lease[] }) {
  const now = useNow();
  const late = leases.filter((l) => leftOf(l.expires, l.ttlSeconds, now).state !== "held").length;
  return (
    <span class="muted">
      {leases.length} held{late > 0 && <strong class="tone-missed"> · {late} late or expired</strong>}
    </span>
  );
}

/** StoreClock says by which clock is counted. */
function StoreClock() {
  const now = useNow();
  const offset = useOffset();
  return (
    <span class="muted" aria-hidden="true">
      counted on the server's clock, {clockOf(now, "UTC").time}Z; this machine's is{" "}
      {offset === 0 ? "the same" : `${duration(Math.abs(offset) / 1000)} ${offset > 0 ? "behind" : "ahead"}`}
    </span>
  );
}

function useSeen(items: Lease[] | undefined): Seen {
  const seen = useRef<Seen>(new Map());
  return useMemo(() => (items ? (seen.current = counted(seen.current, items)) : seen.current), [items]);
}

function Held(props: { leases: Lease[]; seen: Seen; release: (l: Lease) => void }) {
  const { leases, seen, release } = props;
  const may = useMay("admin");
  const down = useStoreDown();
  const times = (l: Lease) => seen.get(`${l.job} ${l.token}`)?.times ?? 0;
  const columns: Column<Lease>[] = [
    { key: "job", title: "Job", cell: (l) => <JobOf lease={l} /> },
    { key: "state", title: "State", cell: (l) => <Standing lease={l} /> },
    { key: "left", title: "Left", cell: (l) => <Countdown lease={l} /> },
    { key: "holder", title: "Holder", cell: (l) => l.holder ?? "–" },
    { key: "token", title: "Token", align: "right", cell: (l) => <code>{l.token}</code> },
    { key: "held", title: "Held since", cell: (l) => <Time at={l.acquired} /> },
    { key: "renewed", title: "Renewed", cell: (l) => <Renewed lease={l} times={times(l)} /> },
  ];
  if (may) {
    columns.push({
      key: "acts",
      title: <span class="away">Actions</span>,
      cell: (l) => (
        <div class="acts">
          <Button
            small
            disabled={down}
            title={down ? "The store does not answer: nothing can be taken away" : undefined}
            aria-label={`Release the lease of ${l.job}${down ? ": the store does not answer" : ""}`}
            onClick={() => release(l)}
          >
            Release…
          </Button>
        </div>
      ),
    });
  }
  return (
    <Table caption="Leases that are held" hideCaption rows={leases} rowKey={(l) => l.job} columns={columns} />
  );
}

function JobOf({ lease: l }: { lease: Lease }) {
  return (
    <div class="two-links">
      <Link to={jobPath(l.job)} class="strong">
        {l.job}
      </Link>
      {l.run && (
        <Link to={runPath(l.run)} class="sub">
          {l.run}
        </Link>
      )}
    </div>
  );
}

function Renewed({ lease: l, times }: { lease: Lease; times: number }) {
  if (!l.renewed) return <span class="muted">–</span>;
  return (
    <>
      <Time at={l.renewed} show="relative" />
      {times > 0 && (
        <span class="muted" title={`${times} renewals seen since this page was opened`}>
          {" "}
          ×{times}
        </span>
      )}
    </>
  );
}
