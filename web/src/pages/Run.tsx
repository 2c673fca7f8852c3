import { useState } from "preact/hooks";
import { matching, useResource } from "../api/resource";
import { useMay } from "../api/session";
import type { JobDetails, RunDetails } from "../api/types";
import { CancelDialog, RerunDialog } from "../dialogs/RunDialogs";
import { useOpenRun } from "../live/live";
import { jobPath, navigate, useQuery } from "../router";
import type { PageProps } from "../shell/routes";
import { useStoreDown } from "../shell/StatusStrip";
import { useTitle } from "../shell/title";
import { Button } from "../ui/Button";
import { commandLine, CopyButton } from "../ui/Copy";
import { Loaded } from "../ui/Feedback";
import { useKeys } from "../ui/keys";
import { Status } from "../ui/Status";
import { Attempts } from "./run/Attempts";
import { Gone } from "./run/Gone";
import { LogView } from "./run/LogView";
import { Outcome } from "./run/Outcome";
import { RunFacts } from "./run/RunFacts";
import { Story } from "./run/Story";

/** Run shows one run: how it went, what it printed, and what came after it. */
export default function Run({ params }: PageProps) {
  const id = params["run"]!;
  useTitle(id);
  const [query] = useQuery();
  const witnesses = query.get("witnesses") === "true";
  const open = useOpenRun(id) !== undefined;
  const run = useResource(
    "/api/v1/runs/{run}",
    { path: { run: id }, query: { witnesses: witnesses || undefined } },
    // Renewals of its lease are not told of.
    { on: (h) => h.type === "run" && h.run === id, every: open ? 3000 : 60_000 },
  );
  const name = run.data?.job ?? "";
  const job = useResource(
    "/api/v1/jobs/{job}",
    { path: { job: name } },
    { when: name !== "", on: matching(["job", "config", "run"], name), pace: 5000 },
  );
  if (!run.data && run.error?.type === "run-not-found") return <Gone id={id} />;
  return (
    <Loaded resource={run}>
      {(r) => <Screen run={r} job={job.data} witnesses={witnesses} onDone={run.refresh} />}
    </Loaded>
  );
}

interface ScreenProps {
  run: RunDetails;
  job: JobDetails | undefined;
  witnesses: boolean;
  onDone: () => void;
}

function Screen({ run: r, job, witnesses, onDone }: ScreenProps) {
  const [query, change] = useQuery();
  const attempt = Math.max(0, Number(query.get("attempt") ?? 0) || 0);
  const ran = r.started !== undefined || (r.attempt ?? 0) > 0 || r.state !== "ended";
  return (
    <>
      <Head run={r} onDone={onDone} />
      <RunFacts run={r} job={job} />
      {r.state === "ended" && <Outcome run={r} job={job} />}
      <section class="story-box" aria-labelledby="story">
        <div class="section-head">
          <h2 id="story">Story</h2>
          {r.cause === "schedule" && (
            <Button
              small
              look="bare"
              aria-pressed={witnesses}
              onClick={() => change({ witnesses: witnesses ? "" : "true" }, true)}
            >
              {witnesses ? "Hide what other replicas saw" : "What other replicas saw"}
            </Button>
          )}
        </div>
        <Story run={r} timeout={job?.policies?.timeout} zone={job?.timeZone} />
        {r.silent && r.silent.length > 0 && (
          <p class="muted">No word from {r.silent.join(", ")}: they were asked in vain.</p>
        )}
      </section>
      <Attempts run={r} shown={attempt} zone={job?.timeZone} />
      {ran && <LogView key={`${r.id} ${attempt}`} run={r} attempt={attempt} />}
    </>
  );
}

function Head({ run: r, onDone }: { run: RunDetails; onDone: () => void }) {
  const may = useMay("operator");
  const down = useStoreDown();
  const [open, setOpen] = useState<"cancel" | "rerun">();
  const close = () => {
    setOpen(undefined);
    onDone();
  };
  const ended = r.state === "ended";
  const why = down ? "Not while the store does not answer" : undefined;
  useKeys([
    { keys: "Escape", what: "To the job", act: () => navigate(jobPath(r.job)) },
    ...(may && !down
      ? [
          ended
            ? { keys: "r", what: "Rerun", act: () => setOpen("rerun") }
            : { keys: "x", what: "Cancel the run", act: () => setOpen("cancel") },
        ]
      : []),
  ]);
  return (
    <div class="page-head">
      <h1>{r.id}</h1>
      <Status status={r.status} />
      <span class="grow" />
      <div class="head-acts">
        {may && !ended && (
          <Button look="danger" disabled={down} title={why} onClick={() => setOpen("cancel")}>
            Cancel…
          </Button>
        )}
        {may && ended && (
          <Button disabled={down} title={why} onClick={() => setOpen("rerun")}>
            Rerun…
          </Button>
        )}
        <CopyButton text={r.id} label="Copy id" />
        <CopyButton text={commandLine("scheduler", "run", "get", r.id)} label="Copy as CLI" />
      </div>
      {open === "cancel" && <CancelDialog run={r} onClose={close} />}
      {open === "rerun" && <RerunDialog run={r} onClose={close} />}
    </div>
  );
}
