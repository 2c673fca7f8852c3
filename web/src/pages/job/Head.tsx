import { useState } from "preact/hooks";
import { useMay } from "../../api/session";
import type { JobDetails, Lease } from "../../api/types";
import { ask, type Asking } from "../../dialogs/actions";
import { ReleaseDialog } from "../../dialogs/ReleaseDialog";
import { navigate } from "../../router";
import { useStoreDown } from "../../shell/StatusStrip";
import { Time } from "../../time/Time";
import { Button } from "../../ui/Button";
import { CopyButton } from "../../ui/Copy";
import { Banner } from "../../ui/Feedback";
import { useKeys } from "../../ui/keys";
import { Status } from "../../ui/Status";
import { curlOf } from "./Config";
import { yamlOf } from "./yaml";

/** Head says which job it is, how it stands and whose it is, and what one can do with it. */
export function Head({ job: j, lease }: { job: JobDetails; lease: Lease | undefined }) {
  const labels = Object.entries(j.labels ?? {});
  return (
    <>
      <div class="page-head">
        <h1>{j.name}</h1>
        <Status status={j.state} />
        {j.failedInARow > 1 && <span class="tone-failed">{j.failedInARow} in a row</span>}
        <span class="grow" />
        <Acts job={j} lease={lease} />
      </div>
      {j.description && <p class="job-description">{j.description}</p>}
      <p class="job-line">
        <code>{j.schedule}</code>
        <span class="muted">{j.timeZone}</span>
        <span class="muted">{j.kind}</span>
        {j.owner && <span class="muted">owner {j.owner}</span>}
        {labels.map(([k, v]) => (
          <span key={k} class="label">
            {k}={v}
          </span>
        ))}
        {j.policies?.mode === "shadow" && <span class="label">shadow: runs nothing</span>}
        <Runbook url={j.runbook} />
        {j.source && (
          <span class="muted">
            defined in{" "}
            <code>
              {j.source.file}:{j.source.line}
            </code>
          </span>
        )}
      </p>
      <Stopped job={j} />
    </>
  );
}

/** Runbook leads to what to do when the job fails; a text that is no address of the web is only shown. */
function Runbook({ url }: { url: string | undefined }) {
  if (!url) return null;
  if (!/^https?:\/\//i.test(url)) return <span class="muted">runbook: {url}</span>;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      Runbook
    </a>
  );
}

/** Stopped says why no ticks of a job run. */
function Stopped({ job: j }: { job: JobDetails }) {
  if (j.suspend)
    return <Banner tone="info">It is suspended in its definition, and only that can change it.</Banner>;
  const g = j.gate;
  if (!g?.closed) return null;
  return (
    <Banner tone="info">
      <span>
        <strong>Paused</strong>
        {g.by && ` by ${g.by}`}
        {g.until ? (
          <>
            {" "}
            until <Time at={g.until} job={j.timeZone} />
          </>
        ) : (
          " until somebody resumes it"
        )}
        {g.reason && `: “${g.reason}”`}
      </span>
    </Banner>
  );
}

function Acts({ job: j, lease }: { job: JobDetails; lease: Lease | undefined }) {
  const may = useMay("operator");
  const admin = useMay("admin");
  const down = useStoreDown();
  const [releasing, release] = useState<Lease>();
  const why = down ? "Not while the store does not answer" : undefined;
  const steers = may && !j.suspend;
  const turn: Asking["about"] = j.paused ? "resume" : "pause";
  const on = (about: Asking["about"]) => () => {
    if (!down) ask(about, j.name);
  };
  useKeys([
    { keys: "Escape", what: "To the jobs", act: () => navigate("/") },
    ...(steers
      ? [
          { keys: "t", what: "Trigger it", act: on("trigger") },
          { keys: "p", what: "Pause or resume it", act: on(turn) },
          { keys: "b", what: "Backfill it", act: on("backfill") },
        ]
      : []),
  ]);
  return (
    <div class="head-acts">
      {steers && (
        <>
          <Button look="primary" disabled={down} title={why} onClick={on("trigger")}>
            Trigger…
          </Button>
          <Button disabled={down} title={why} onClick={on(turn)}>
            {j.paused ? "Resume…" : "Pause…"}
          </Button>
          <Button disabled={down} title={why} onClick={on("backfill")}>
            Backfill…
          </Button>
          {!j.paused && (
            <Button disabled={down} title={why} onClick={on("skip")}>
              Skip next…
            </Button>
          )}
        </>
      )}
      {admin && lease?.held && (
        <Button disabled={down} title={why} onClick={() => release(lease)}>
          Release lease…
        </Button>
      )}
      <CopyButton text={yamlOf(j)} label="Copy as YAML" />
      <CopyButton text={curlOf(j.name)} label="Copy as curl" />
      {releasing && <ReleaseDialog lease={releasing} onClose={() => release(undefined)} />}
    </div>
  );
}
