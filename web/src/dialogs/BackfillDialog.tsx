import { useState } from "preact/hooks";
import { post } from "../api/client";
import { ApiError, offline } from "../api/error";
import { useResource } from "../api/resource";
import type { JobDetails, Runs } from "../api/types";
import { Link, runPath } from "../router";
import { parseDuration } from "../time/duration";
import { momentIn } from "../time/moment";
import { Time } from "../time/Time";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorNote, Loaded } from "../ui/Feedback";
import { TextField } from "../ui/Field";
import { ActionDialog } from "./ActionDialog";
import { goLength } from "./PauseDialogs";

/** BackfillDialog runs past moments of a job's schedule, after it has shown which they are. */
export function BackfillDialog({ job, onClose }: { job: string; onClose: () => void }) {
  const details = useResource("/api/v1/jobs/{job}", { path: { job } });
  if (!details.data) {
    return (
      <Dialog title={`Backfill ${job}`} onClose={onClose}>
        <div class="dialog-main">
          <Loaded resource={details} rows={3}>
            {() => null}
          </Loaded>
        </div>
      </Dialog>
    );
  }
  return <Form job={details.data} onClose={onClose} />;
}

/** Stretch is what is asked for, as the API takes it. */
interface Stretch {
  from: string;
  to: string;
  max?: number;
  spacing?: string;
}

/** Rehearsed is which runs there would be, of the stretch that was asked about. */
interface Rehearsed {
  of: string;
  runs: Runs;
}

function Form({ job, onClose }: { job: JobDetails; onClose: () => void }) {
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [most, setMost] = useState("");
  const [spacing, setSpacing] = useState("");
  const [error, setError] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const [list, setList] = useState<Rehearsed>();
  const stretch = stretchOf(from, to, most, spacing, job.timeZone);
  const asked = typeof stretch === "string" ? "" : JSON.stringify(stretch);
  const known = list && list.of === asked ? list.runs.items : undefined;

  async function rehearse() {
    if (typeof stretch === "string" || busy) return;
    setBusy(true);
    setError(undefined);
    try {
      const runs = await post(
        "/api/v1/jobs/{job}/backfill",
        { ...stretch, dryRun: true },
        { path: { job: job.name } },
      );
      setList({ of: asked, runs });
    } catch (err) {
      setError(err instanceof ApiError ? err : offline());
    }
    setBusy(false);
  }

  const words = ["scheduler", "job", "backfill", job.name, "--from", from.trim(), "--to", to.trim()];
  if (typeof stretch !== "string") {
    if (stretch.max) words.push("--max", String(stretch.max));
    if (stretch.spacing) words.push("--spacing", stretch.spacing);
  }
  let blocked: string | undefined;
  if (typeof stretch === "string") blocked = stretch;
  else if (!known) blocked = "List the moments first.";
  else if (!known.length) blocked = "There is nothing to run.";
  return (
    <ActionDialog<Runs>
      verb={known?.length ? `Backfill ${known.length} ${known.length === 1 ? "run" : "runs"}` : "Backfill"}
      object={job.name}
      onClose={onClose}
      command={words}
      blocked={blocked}
      submit={(reason, key) =>
        post(
          "/api/v1/jobs/{job}/backfill",
          { ...(stretch as Stretch), ...(reason ? { reason } : {}) },
          { path: { job: job.name }, key },
        )
      }
      done={(runs) => <Asked runs={runs} job={job} onClose={onClose} />}
    >
      <p>
        Runs moments of the past, the oldest first, as <code>{job.schedule}</code> has them now. Times without
        a zone are in {job.timeZone}.
      </p>
      <div class="field-row">
        <TextField
          label="From"
          name="from"
          value={from}
          onText={setFrom}
          placeholder="2026-11-01 00:00"
          required
        />
        <TextField
          label="Before"
          name="to"
          value={to}
          onText={setTo}
          placeholder="2026-11-08 00:00"
          required
        />
      </div>
      <div class="field-row">
        <TextField
          label="At most"
          name="max"
          type="number"
          value={most}
          onText={setMost}
          placeholder="100 runs"
        />
        <TextField
          label="Spacing"
          name="spacing"
          value={spacing}
          onText={setSpacing}
          placeholder="none, or 5m"
        />
      </div>
      <Button busy={busy} disabled={typeof stretch === "string"} onClick={() => void rehearse()}>
        List the moments (dry run)
      </Button>
      {error && <ErrorNote error={error} />}
      {known && <Moments runs={known} zone={job.timeZone} />}
    </ActionDialog>
  );
}

/** stretchOf is what the fields ask for, or what is wrong with them. */
export function stretchOf(
  from: string,
  to: string,
  most: string,
  spacing: string,
  zone: string,
): Stretch | string {
  if (!from.trim() || !to.trim()) return "From and before are needed.";
  const first = momentIn(from, zone);
  const end = momentIn(to, zone);
  if (first === undefined || end === undefined) return "A moment is such as 2026-11-01 or 2026-11-01 02:30.";
  if (end <= first) return "Before comes after from.";
  const max = most.trim() === "" ? undefined : Number(most);
  if (max !== undefined && !(Number.isInteger(max) && max >= 1 && max <= 1000))
    return "At most is from 1 to 1000.";
  const gap = spacing.trim() === "" ? undefined : parseDuration(spacing.trim());
  if (spacing.trim() !== "" && (gap === undefined || gap < 0))
    return "Spacing is a length of time such as 5m.";
  return {
    from: new Date(first).toISOString(),
    to: new Date(end).toISOString(),
    ...(max ? { max } : {}),
    ...(gap ? { spacing: goLength(gap) } : {}),
  };
}

function Moments({ runs, zone }: { runs: Runs["items"]; zone: string }) {
  if (!runs.length) return <p class="note">No moment of the schedule lies in this stretch.</p>;
  return (
    <div class="moments" tabIndex={0} role="region" aria-label="Moments that would run">
      <p class="muted">
        {runs.length} {runs.length === 1 ? "moment" : "moments"} would run:
      </p>
      <ol>
        {runs.map((r) => (
          <li key={r.tick}>
            <Time at={r.tick} job={zone} show="clock" />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Asked({ runs, job, onClose }: { runs: Runs; job: JobDetails; onClose: () => void }) {
  return (
    <>
      <p>
        {runs.items.length} {runs.items.length === 1 ? "run is" : "runs are"} asked for.
      </p>
      <ul class="moments" tabIndex={0} aria-label="Runs that are asked for">
        {runs.items.map((r) => (
          <li key={r.id}>
            <Link to={runPath(r.id)} onClick={onClose}>
              <Time at={r.tick} job={job.timeZone} show="clock" />
            </Link>
          </li>
        ))}
      </ul>
      <p>
        <Link to={`/runs?job=${encodeURIComponent(job.name)}&trigger=backfill`} onClick={onClose}>
          All backfills of {job.name}
        </Link>
      </p>
    </>
  );
}
