import { useState } from "preact/hooks";
import { post } from "../api/client";
import { serverNow } from "../time/clock";
import { parseDuration } from "../time/duration";
import { TextField } from "../ui/Field";
import { ActionDialog } from "./ActionDialog";

/** PauseDialog has a job run no ticks, for a time or until it is resumed. */
export function PauseDialog({ job, onClose }: { job: string; onClose: () => void }) {
  const [length, setLength] = useState("");
  const seconds = length.trim() === "" ? undefined : parseDuration(length.trim().replaceAll(" ", ""));
  const wrong = length.trim() !== "" && (seconds === undefined || seconds <= 0);
  return (
    <ActionDialog
      verb="Pause"
      object={job}
      onClose={onClose}
      told={`${job} is paused`}
      needsReason
      blocked={wrong ? "A length of time is such as 2h30m." : undefined}
      command={["scheduler", "job", "pause", job, ...(seconds ? ["--for", goLength(seconds)] : [])]}
      submit={(reason) =>
        post(
          "/api/v1/jobs/{job}/pause",
          { reason, ...(seconds ? { until: new Date(serverNow() + seconds * 1000).toISOString() } : {}) },
          { path: { job } },
        )
      }
    >
      <p>
        Its ticks are skipped, each with this reason. A run that is on goes on, and it can still be triggered.
      </p>
      <TextField
        label="For"
        name="for"
        value={length}
        onText={setLength}
        placeholder="until somebody resumes it"
        hint="Such as 2h30m or 1d."
      />
    </ActionDialog>
  );
}

/** goLength is a length of time, in s, as the command line takes it, which knows no days: 26h, 1h30m, 90s. */
export function goLength(seconds: number): string {
  const h = Math.floor(seconds / 3600);
  const m = Math.floor((seconds % 3600) / 60);
  const s = Number((seconds % 60).toFixed(3));
  return `${h ? `${h}h` : ""}${m ? `${m}m` : ""}${s ? `${s}s` : ""}` || "0s";
}

/** ResumeDialog ends a pause. */
export function ResumeDialog({ job, onClose }: { job: string; onClose: () => void }) {
  return (
    <ActionDialog
      verb="Resume"
      object={job}
      onClose={onClose}
      told={`${job} runs its ticks again`}
      command={["scheduler", "job", "resume", job]}
      submit={(reason) => post("/api/v1/jobs/{job}/resume", reason ? { reason } : {}, { path: { job } })}
    >
      <p>From its next tick on it runs again. What was skipped stays skipped.</p>
    </ActionDialog>
  );
}
