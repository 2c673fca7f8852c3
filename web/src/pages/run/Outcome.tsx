import { matching, useResource } from "../../api/resource";
import type { JobDetails, Run, RunDetails } from "../../api/types";
import { jobPath, Link, runPath } from "../../router";
import { duration } from "../../time/duration";
import { Time } from "../../time/Time";
import { bad, lookOf } from "../../ui/status";
import { Glyph } from "../../ui/Status";
import { sentence } from "./sentence";

/** Outcome says how a run ended and why, and what happened next. */
export function Outcome({ run: r, job }: { run: RunDetails; job: JobDetails | undefined }) {
  const tone = bad(r.status) ? "bad" : r.status === "succeeded" ? "good" : "plain";
  return (
    <section class={`outcome ${tone}`} aria-label="Outcome">
      <p class="outcome-what">
        <Glyph status={r.status} /> <strong>{lookOf(r.status).word}</strong>
        {r.seconds ? <span class="muted"> after {duration(r.seconds)}</span> : ""}
        {(r.attempt ?? 0) > 1 && <span class="muted">, at attempt {r.attempt}</span>}
        {sentence(r) && <span>. {sentence(r)}</span>}
        {r.olderToo && <span class="muted"> Ticks before it share the verdict.</span>}
      </p>
      {r.error && <pre class="outcome-error">{r.error}</pre>}
      <Next run={r} job={job} />
    </section>
  );
}

/** How many later runs are looked at to find the next one. */
const looked = 200;

function Next({ run: r, job }: { run: RunDetails; job: JobDetails | undefined }) {
  const later = useResource(
    "/api/v1/jobs/{job}/runs",
    { path: { job: r.job }, query: { from: r.tick, limit: looked } },
    { on: matching(["run"], r.job), pace: 3000, when: r.tick !== undefined },
  );
  const next = nextRun(later.data?.items ?? [], r.id);
  return (
    <p class="outcome-next">
      <span class="muted">What happened next: </span>
      {next === "far" ? (
        <>
          more than {looked} runs since, see <Link to={jobPath(r.job)}>{r.job}</Link>
        </>
      ) : next ? (
        <>
          <Link to={runPath(next.id)}>
            <Glyph status={next.status} /> {lookOf(next.status).word}
          </Link>
          {next.cause && next.cause !== "schedule" && ` (${next.cause}${next.by ? ` by ${next.by}` : ""})`},
          about <Time at={next.tick} job={job?.timeZone} />
        </>
      ) : job?.nextRun ? (
        <>
          nothing yet. Its next run is <Time at={job.nextRun} job={job.timeZone} />
        </>
      ) : (
        <>nothing yet{job?.nextRunReason ? `: ${job.nextRunReason}` : ""}</>
      )}
      {r.acknowledged && <span class="muted"> Somebody has acknowledged it.</span>}
    </p>
  );
}

/** nextRun is the run after one in a list whose latest comes first; far: it may be before the list begins. */
export function nextRun(list: Run[], id: string): Run | "far" | undefined {
  const at = list.findIndex((x) => x.id === id);
  if (at < 0) return list.length >= looked ? "far" : list.at(-1);
  return list[at - 1];
}
