import { useMemo } from "preact/hooks";
import { matching, useResource } from "../api/resource";
import { useRecent } from "../live/live";
import { Link, useQuery, withQuery } from "../router";
import { useCluster } from "../shell/StatusStrip";
import { useTitle } from "../shell/title";
import { useStore } from "../store";
import "../styles/timeline.css";
import "../styles/watch.css";
import { useNow } from "../time/clock";
import { useZone } from "../time/zone";
import { Banner, Empty, Loaded } from "../ui/Feedback";
import { useKeys } from "../ui/keys";
import { useNarrow } from "../ui/narrow";
import { asked } from "./jobs/search";
import { Chart } from "./timeline/Chart";
import { Controls } from "./timeline/Controls";
import type { Timeline as Told } from "./timeline/layout";
import { Legend } from "./timeline/Legend";
import { configNotes, replicaNotes } from "./timeline/notes";
import { Phone } from "./timeline/Phone";
import { Rows } from "./timeline/Rows";
import { askedOf, middleOf, momentOf, spanOf, spans, stretchOf, zoomed } from "./timeline/span";
import { standings } from "./timeline/store";

/** Timeline shows what ran when, and where; what runs, and what is ahead. */
export default function Timeline() {
  useTitle("Timeline");
  const narrow = useNarrow();
  const [query, change] = useQuery();
  const span = narrow ? "24h" : spanOf(query.get("span"));
  const at = narrow ? undefined : momentOf(query.get("at"));
  const by = narrow || query.get("by") === "job" ? "job" : "replica";
  const search = asked(query.get("q") ?? "");
  const now = useNow(Math.max(1000, spans[span])); // a px is about as long
  const stretch = stretchOf(span, at, now);
  const zone = useZone();
  const timeline = useResource(
    "/api/v1/timeline",
    { query: { ...askedOf(stretch), by, labelSelector: search.labelSelector } },
    { on: matching(["run", "job", "config", "replica"]), pace: 2000 },
  );
  const around = useAround();
  const pan = (by: number) => change({ at: middleOf(stretch, by) }, true);
  const closer = (to: number) => change({ at: new Date(to).toISOString(), span: zoomed(span, -1) });
  const zoom = (by: 1 | -1) =>
    change({ span: zoomed(span, by), at: at === undefined ? "" : middleOf(stretch) });
  useKeys([
    { keys: "ArrowLeft", what: "Earlier", act: () => pan(-0.25) },
    { keys: "ArrowRight", what: "Later", act: () => pan(0.25) },
    { keys: "+", what: "Look closer", act: () => zoom(-1) },
    { keys: "-", what: "See more", act: () => zoom(1) },
    { keys: "n", what: "Now", act: () => change({ at: "" }) },
    { keys: "Escape", what: "Clear the filter", act: () => query.has("q") && change({ q: "" }) },
  ]);
  return (
    <>
      <div class="page-head">
        <h1>Timeline</h1>
        {!narrow && (
          <Controls span={span} by={by} moves={at === undefined} pan={pan} now={() => change({ at: "" })} />
        )}
      </div>
      <Loaded resource={timeline} rows={8}>
        {(data) => {
          const shown = only(data, search.q);
          if (!shown.bars.length && !shown.planned.length && !shown.lanes.length)
            return <Nothing filtered={query.has("q")} />;
          if (narrow) return <Phone timeline={shown} stretch={stretch} now={now} zone={zone} />;
          return (
            <>
              {data.truncated && data.bars.length >= mostBars && (
                <Banner tone="warning">
                  Not all of it has room: the earliest bars are left out. Look closer, or filter.
                </Banner>
              )}
              {query.get("view") === "table" ? (
                <Rows timeline={shown} stretch={stretch} />
              ) : (
                <Chart {...{ timeline: shown, stretch, now, zone, pan, closer, ...around }} />
              )}
              <Foot table={query.get("view") === "table"} zone={zone} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** How many bars one answer has at most. */
const mostBars = 5000;

/** only leaves out the bars and moments of jobs whose names do not have all the words. */
function only(t: Told, q: string): Told {
  const words = q.toLowerCase().split(" ").filter(Boolean);
  if (!words.length) return t;
  const wanted = (job: string) => words.every((w) => job.toLowerCase().includes(w));
  return {
    ...t,
    lanes: t.by === "job" ? t.lanes.filter(wanted) : t.lanes,
    bars: t.bars.filter((b) => wanted(b.job)),
    planned: t.planned.filter((p) => wanted(p.job)),
  };
}

/** useAround is what is drawn beside the runs. */
function useAround() {
  const replicas = useCluster()?.replicas;
  const recent = useRecent((h) => h.type === "replica" || h.type === "config");
  const config = useResource("/api/v1/config", {}, { on: matching(["config"]) }).data;
  const seen = useStore(standings);
  return useMemo(
    () => ({
      live: replicas && new Set(replicas.map((r) => r.id)),
      standings: seen,
      configs: configNotes(recent, config),
      replicas: replicaNotes(recent, replicas ?? []),
    }),
    [replicas, recent, config, seen],
  );
}

function Foot({ table, zone }: { table: boolean; zone: string }) {
  return (
    <footer class="page-foot timeline-foot">
      <Legend />
      <span class="muted">Times in {zone.replaceAll("_", " ")}</span>
      <span id="as-table">
        <Link to={withQuery({ view: table ? "" : "table" })} class="button plain small">
          {table ? "View as lanes" : "View as table"}
        </Link>
      </span>
    </footer>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  return (
    <Empty title={filtered ? "Nothing matches in this time" : "Nothing ran in this time, and nothing is due"}>
      <p>A run is a bar in the lane of the replica that it is on; what is due stands on the right of now.</p>
      <p>
        {filtered ? (
          <Link to={withQuery({ q: "" })}>Clear the filter</Link>
        ) : (
          <Link to={withQuery({ at: "", span: "24h" })}>See the last day</Link>
        )}
      </p>
    </Empty>
  );
}
