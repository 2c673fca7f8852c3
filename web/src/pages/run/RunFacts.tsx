import type { ComponentChildren } from "preact";
import type { JobDetails, RunDetails } from "../../api/types";
import { jobPath, Link } from "../../router";
import { useNow } from "../../time/clock";
import { duration, parseDuration } from "../../time/duration";
import { Time } from "../../time/Time";
import { CopyButton } from "../../ui/Copy";
import { Facts } from "../../ui/Field";

/** RunFacts is what is known of a run, in a few words each. What does not apply is left out. */
export function RunFacts({ run: r, job }: { run: RunDetails; job: JobDetails | undefined }) {
  const zone = job?.timeZone;
  const facts: [string, ComponentChildren][] = [["Job", <Link to={jobPath(r.job)}>{r.job}</Link>]];
  if (r.tick) {
    facts.push([
      r.cause === "schedule" ? "Scheduled for" : "About",
      <Time at={r.tick} job={zone} show={r.state === "ended" ? "clock" : "both"} />,
    ]);
  }
  if (r.started) {
    const late = parseDuration(r.startDelay);
    facts.push([
      "Started",
      <>
        <Time at={r.started} job={zone} show="clock" />
        {late !== undefined && <span class="muted"> (+{duration(late)})</span>}
      </>,
    ]);
  }
  facts.push(["Took", <Took run={r} usual={job?.medianSeconds ?? undefined} />]);
  if (r.replica) facts.push([r.started ? "Replica" : "Decided by", r.replica]);
  if (r.token) facts.push(["Token", <code>{r.token}</code>]);
  if (r.lease) facts.push(["Lease", <Remaining expires={r.lease.expiresAt} />]);
  facts.push(["Trigger", trigger(r)]);
  if (r.reason) facts.push(["Reason", r.reason]);
  if (r.attempt) facts.push(["Attempt", attempt(r, job)]);
  for (const [name, value] of Object.entries(r.params ?? {}))
    facts.push([`param ${name}`, <code>{value}</code>]);
  if (r.traceId) {
    facts.push([
      "Trace",
      <span class="trace" title={r.traceId}>
        <code>{r.traceId.slice(0, 8)}…</code> <CopyButton text={r.traceId} />
      </span>,
    ]);
  }
  return <Facts facts={facts} />;
}

function trigger(r: RunDetails): string {
  const by = r.by && r.cause !== "schedule" ? ` by ${r.by}` : "";
  return `${r.cause ?? "unknown"}${by}`;
}

function attempt(r: RunDetails, job: JobDetails | undefined): string {
  const most = job?.policies?.retry?.maxAttempts;
  return most ? `${r.attempt} of ${most}` : String(r.attempt);
}

function Took({ run: r, usual }: { run: RunDetails; usual: number | undefined }) {
  const now = useNow();
  const expected = usual === undefined ? null : <span class="muted"> (~{duration(usual)} usual)</span>;
  if (r.state === "running" && r.started) {
    const on = Math.max(0, Math.round((now - Date.parse(r.started)) / 1000));
    return (
      <>
        <span aria-hidden="true">{duration(on)} so far</span>
        {expected}
      </>
    );
  }
  if (r.state !== "ended" || !r.started) return <>–</>;
  return (
    <>
      {duration(r.seconds ?? 0)}
      {expected}
    </>
  );
}

/** Remaining counts down to when a lease ends, and stops at 0. */
function Remaining({ expires }: { expires: string }) {
  const now = useNow();
  const left = Math.max(0, (Date.parse(expires) - now) / 1000);
  return (
    <span>
      <span aria-hidden="true">{left > 0 ? `${duration(left)} left` : "expired"}</span>
      <span class="away">
        until <time dateTime={expires}>{expires}</time>
      </span>
    </span>
  );
}
