import { useEffect, useRef } from "preact/hooks";
import { matching, paused, useResource, type Resource } from "../api/resource";
import { useSession } from "../api/session";
import type { Cluster } from "../api/types";
import { useLink } from "../live/live";
import { jobPath, Link } from "../router";
import { createStore, useStore } from "../store";
import { useNow, useOffset } from "../time/clock";
import { duration, parseDuration } from "../time/duration";
import { Time } from "../time/Time";
import { browserZone, clockOf } from "../time/zone";
import { announce } from "../ui/announce";
import { Button } from "../ui/Button";
import { Banner } from "../ui/Feedback";

/** A clock may be this far, in s, from that of the store before it is worth a word. */
const skewLimit = 0.5;

/** cluster is what the strip knows; screens may look at it instead of asking again. */
export const cluster = createStore<Resource<Cluster> | undefined>(undefined);

/** useCluster returns what the status strip knows of the cluster; undefined before it knows anything. */
export function useCluster(): Cluster | undefined {
  return useStore(cluster, (c) => c?.data);
}

/** whyDown is what a button says that does nothing now. */
export const whyDown = "not while the store does not answer";

/** useStoreDown reports whether the store gives no answer, so that nothing can be changed. */
export function useStoreDown(): boolean {
  return useStore(cluster, (c) => c?.data?.store?.answers === false);
}

/** StatusStrip says in one line whether all is well; each part leads to more about it. */
export function StatusStrip() {
  const resource = useResource(
    "/api/v1/cluster",
    {},
    { on: matching(["run", "replica", "config", "job"]), pace: 2000, every: 5000 },
  );
  useEffect(() => cluster.set(resource), [resource.data, resource.error, resource.loading]);
  const c = resource.data;
  return (
    <section class={resource.error ? "status-strip stale" : "status-strip"} aria-label="Status">
      {c && <Parts cluster={c} />}
      <span class="grow" />
      <Clocks />
      <LiveMark />
    </section>
  );
}

function Parts({ cluster: c }: { cluster: Cluster }) {
  const ready = c.replicas.filter((r) => r.state === "live").length;
  const { skew, furthest } = furthestClock(c);
  const versions = new Set(c.replicas.flatMap((r) => r.version ?? [])).size;
  const role = useSession()?.role;
  return (
    <>
      <Part to="/cluster" bad={ready < c.replicas.length || ready === 0}>
        replicas {ready}/{c.replicas.length} {ready < c.replicas.length ? "ready" : "ok"}
      </Part>
      <Part to="/cluster" bad={c.store ? !c.store.answers : false}>
        redis{" "}
        {!c.store
          ? "unknown"
          : !c.store.answers
            ? "down"
            : c.store.breaker && c.store.breaker !== "closed"
              ? c.store.breaker
              : `${c.strip.storeSeconds === null ? "" : `${duration(c.strip.storeSeconds)} `}ok`}
      </Part>
      <Part to="/config" bad={c.drift}>
        config {c.drift ? `${Object.keys(c.revisions).length} revisions` : "in sync"}
      </Part>
      <Part to="/cluster" bad={skew > skewLimit}>
        skew {duration(skew)}
        {skew > skewLimit && furthest && ` ${furthest}`}
      </Part>
      {versions > 1 && (
        <Part to="/cluster" bad>
          {versions} versions
        </Part>
      )}
      <Part to="/leases">
        {c.strip.leasesHeld} {c.strip.leasesHeld === 1 ? "lease" : "leases"}
      </Part>
      <Part to="/runs?status=open">
        {c.running} running{c.waiting > 0 && `, ${c.waiting} waiting`}
      </Part>
      {role === "viewer" && <span class="part">read-only (viewer)</span>}
    </>
  );
}

/** furthestClock is how far, in s, a clock is from the store's at most, and whose. */
export function furthestClock(c: Pick<Cluster, "replicas" | "maxOffset">): {
  skew: number;
  furthest: string | undefined;
} {
  const skew = Math.abs(parseDuration(c.maxOffset) ?? 0);
  const far = (offset: string) => Math.abs(parseDuration(offset) ?? 0);
  const furthest = c.replicas.toSorted((a, b) => far(b.clockOffset) - far(a.clockOffset))[0]?.id;
  return { skew, furthest };
}

function Part({ to, bad, children }: { to: string; bad?: boolean; children: preact.ComponentChildren }) {
  return (
    <Link to={to} class={bad ? "part bad" : "part"}>
      {bad && <span aria-hidden="true">! </span>}
      {children}
    </Link>
  );
}

/** Clocks shows the server's time, in UTC and where the browser is. */
function Clocks() {
  const now = useNow(1000);
  const offset = useOffset();
  const utc = clockOf(now, "UTC").time;
  const local = clockOf(now, browserZone);
  const far =
    Math.abs(offset) > 2000
      ? ` This machine's clock is ${duration(Math.abs(offset) / 1000)} ${offset > 0 ? "behind" : "ahead"}.`
      : "";
  return (
    <span class={far ? "part bad" : "part"} title={`The server's clock.${far}`} aria-hidden="true">
      {utc} UTC
      {local.offset !== "Z" &&
        ` · ${local.time.slice(0, 5)} ${browserZone.split("/").pop()?.replaceAll("_", " ")}`}
    </span>
  );
}

/** LiveMark says whether what is shown moves, and lets somebody stop it. */
function LiveMark() {
  const link = useLink();
  const still = useStore(paused);
  const now = useTicking(link.is === "lost");
  const was = useRef(link.is);
  useEffect(() => {
    if (was.current !== link.is && link.is === "lost") announce("Live updates are lost");
    if (was.current === "lost" && link.is === "live") announce("Live updates are back");
    was.current = link.is;
  }, [link.is]);
  let text = "connecting";
  let tone = "wait";
  if (link.is === "live") [text, tone] = ["live", "on"];
  else if (link.is === "none") [text, tone] = ["every 5 s", "wait"];
  else if (link.is === "lost") {
    const age = duration(Math.max(1, Math.round((now - link.since) / 1000)));
    const wait = Math.max(0, Math.ceil((link.retryAt - now) / 1000));
    [text, tone] = [`live lost ${age} ago, retrying ${wait ? `in ${wait} s` : "now"}`, "off"];
  }
  if (still) [text, tone] = ["paused", "wait"];
  return (
    <span class="live" data-live={link.is}>
      <span class={`dot ${tone}`} aria-hidden="true" />
      {text}
      <Button
        look="bare"
        small
        onClick={() => paused.set((p) => !p)}
        title={still ? "Let it move again" : "Keep it still"}
      >
        {still ? "Go on" : "Pause"}
      </Button>
    </span>
  );
}

/** useTicking is the browser's own time, each second while it is wanted. */
function useTicking(wanted: boolean): number {
  useNow(wanted ? 1000 : 60_000);
  return Date.now();
}

/** Notices are what is true of the whole page and must not be missed. */
export function Notices() {
  const session = useSession();
  const c = useCluster();
  return (
    <>
      {session?.via === "nothing" && (
        <Banner tone="bad">
          No authentication: everybody who reaches {window.location.host} may do everything here.
        </Banner>
      )}
      {c?.store && !c.store.answers && <StoreDown store={c.store} />}
    </>
  );
}

/** StoreDown says since when the store gives no answer, what that stops and what it does not, and what comes due. */
function StoreDown({ store }: { store: NonNullable<Cluster["store"]> }) {
  const due = useResource(
    "/api/v1/jobs",
    { query: { sort: "nextRun", pageSize: 3 } },
    { every: 15_000 },
  ).data;
  const soon = (due?.items ?? []).filter((j) => j.nextRun && !j.paused);
  return (
    <Banner tone="bad">
      <div>
        <strong>The store does not answer{store.breaker === "half-open" ? " (probing)" : ""}.</strong>{" "}
        {store.heard ? (
          <>
            Last heard of <Time at={store.heard} show="both" />.
          </>
        ) : (
          "It has not answered since this replica started."
        )}{" "}
        What you see is what this replica remembers. Runs that are on go on while their leases last. New
        ticks, triggers, pauses and history wait for the store.
        {soon.length > 0 && (
          <>
            {" "}
            At risk:{" "}
            {soon.map((j, i) => (
              <>
                {i > 0 && ", "}
                <Link to={jobPath(j.name)}>{j.name}</Link> <Time at={j.nextRun!} job={j.timeZone} />
              </>
            ))}
            ; a tick that cannot start before its starting deadline is missed.
          </>
        )}
        {store.trouble && <div class="sub">{store.trouble}</div>}
      </div>
    </Banner>
  );
}
