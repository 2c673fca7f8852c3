import { post } from "../api/client";
import type { Run } from "../api/types";
import { Link, runPath } from "../router";
import { Time } from "../time/Time";
import { Facts } from "../ui/Field";
import { Status } from "../ui/Status";
import { ActionDialog } from "./ActionDialog";

interface RunDialogProps {
  run: Run;
  onClose: () => void;
}

/** CancelDialog stops a run, wherever it is. */
export function CancelDialog({ run, onClose }: RunDialogProps) {
  return (
    <ActionDialog<Run>
      verb="Cancel run"
      object={run.id}
      onClose={onClose}
      danger
      needsReason
      told={`${run.id} is told to stop`}
      command={["scheduler", "run", "cancel", run.id]}
      submit={(reason) => post("/api/v1/runs/{run}/cancel", { reason }, { path: { run: run.id } })}
    >
      <p>
        It is told to stop, wherever it runs, and has its stop grace period to end by itself. It is not tried
        again. What it has done stays done.
      </p>
      <Facts
        facts={[
          ["Runs on", run.replica ?? "–"],
          ["Since", <Time at={run.started} />],
        ]}
      />
    </ActionDialog>
  );
}

/** RerunDialog runs again what a run was about. */
export function RerunDialog({ run, onClose }: RunDialogProps) {
  const params = Object.entries(run.params ?? {});
  return (
    <ActionDialog<Run>
      verb="Rerun"
      object={run.id}
      onClose={onClose}
      command={["scheduler", "run", "rerun", run.id]}
      submit={(reason, key) =>
        post("/api/v1/runs/{run}/rerun", reason ? { reason } : {}, { path: { run: run.id }, key })
      }
      done={(again) => (
        <>
          <p>
            <Status status={again.status} /> The run is asked for: whichever replica is free takes it.
          </p>
          <p>
            <Link to={runPath(again.id)} class="strong" onClick={onClose}>
              {again.id}
            </Link>
          </p>
        </>
      )}
    >
      <p>A new run about the same moment and with the same parameters. This one stays in the history.</p>
      <Facts
        facts={[
          ["About", <Time at={run.tick} show="clock" />],
          ["It", <Status status={run.status} />],
          ...params.map(([name, value]): [string, string] => [name, value]),
        ]}
      />
    </ActionDialog>
  );
}
