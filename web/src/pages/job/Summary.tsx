import type { JobDetails, Run } from "../../api/types";
import { duration } from "../../time/duration";
import { Facts } from "../../ui/Field";
import { useNarrow } from "../../ui/narrow";
import { Strip } from "../../ui/Strip";
import { Durations } from "./Durations";
import { statsOf } from "./stats";

/** How many runs the summary is about. */
export const summed = 50;

/** Summary is how the latest runs went: a bar each, how many succeeded, how long they took. */
export function Summary({ job: j, runs }: { job: JobDetails; runs: readonly Run[] }) {
  const narrow = useNarrow();
  if (!runs.length) return null;
  const s = statsOf(runs);
  const cells = runs
    .filter((r) => r.state === "ended")
    .map((r) => ({ id: r.id, status: r.status, seconds: r.seconds ?? 0, tick: r.tick ?? "" }));
  const share = s.ran ? `${Math.round((100 * s.succeeded) / s.ran)} %` : "–";
  const time = (v: number | undefined) => (v === undefined ? "–" : duration(v));
  return (
    <section class="card-box summary" aria-labelledby="summary">
      <h2 id="summary">Last {Math.min(summed, runs.length)}</h2>
      <Strip
        outcomes={cells}
        running={j.running ?? undefined}
        cells={narrow ? Math.min(28, runs.length) : Math.min(summed, runs.length)}
        height={narrow ? 36 : 48}
      />
      <Facts
        facts={[
          [
            "Success",
            <>
              <strong>
                {s.succeeded}/{s.ran}
              </strong>{" "}
              <span class="muted">{share}</span>
            </>,
          ],
          ["p50", time(s.p50)],
          ["p95", time(s.p95)],
          ["Start delay p95", time(s.delay95)],
          ...(s.notRun ? ([["Not run", String(s.notRun)]] as [string, string][]) : []),
        ]}
      />
      <Durations runs={runs} p50={s.p50} />
    </section>
  );
}
