import { useState } from "preact/hooks";
import { post } from "../api/client";
import { useResource } from "../api/resource";
import type { JobDetails, Param, Run } from "../api/types";
import { Link, runPath } from "../router";
import { Time } from "../time/Time";
import { Loaded } from "../ui/Feedback";
import { Facts, SelectField, TextField } from "../ui/Field";
import { Dialog } from "../ui/Dialog";
import { Status } from "../ui/Status";
import { ActionDialog } from "./ActionDialog";

/** What becomes of a run while another one of its job is on. */
const overlaps = ["skip", "queue", "replace", "allow"] as const;
type Overlap = (typeof overlaps)[number];

/** TriggerDialog runs a job now, or about a past moment. */
export function TriggerDialog({ job, onClose }: { job: string; onClose: () => void }) {
  const details = useResource("/api/v1/jobs/{job}", { path: { job } });
  if (!details.data) {
    return (
      <Dialog title={`Trigger ${job}`} onClose={onClose}>
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

function Form({ job, onClose }: { job: JobDetails; onClose: () => void }) {
  const [tick, setTick] = useState("");
  const [overlap, setOverlap] = useState<"" | Overlap>("");
  const [values, setValues] = useState<Record<string, string>>({});
  const params = job.params ?? [];
  const given = params.filter((p) => (values[p.name] ?? "") !== "");
  const moment = tick.trim() === "" ? undefined : Date.parse(tick.trim());
  const words = ["scheduler", "job", "trigger", job.name];
  for (const p of given) words.push("--param", `${p.name}=${values[p.name]}`);
  if (overlap) words.push("--overlap", overlap);
  if (moment) words.push("--at", new Date(moment).toISOString().replace(".000Z", "Z"));
  return (
    <ActionDialog<Run>
      verb="Trigger"
      object={job.name}
      onClose={onClose}
      command={words}
      blocked={moment !== undefined && Number.isNaN(moment) ? "The moment is not RFC 3339." : undefined}
      submit={(reason, key) =>
        post(
          "/api/v1/jobs/{job}/trigger",
          {
            ...(reason ? { reason } : {}),
            ...(overlap ? { overlapPolicy: overlap } : {}),
            ...(moment ? { scheduledTime: new Date(moment).toISOString() } : {}),
            ...(given.length
              ? { params: Object.fromEntries(given.map((p) => [p.name, valueOf(p, values[p.name]!)])) }
              : {}),
          },
          { path: { job: job.name }, key },
        )
      }
      done={(run) => <Asked run={run} />}
    >
      <Facts
        facts={[
          ["State", <Status status={job.state} />],
          ["Running now", job.running ? <Time at={job.running.started} job={job.timeZone} /> : "no"],
        ]}
      />
      {job.paused && <p class="note">It is paused. It runs this once, and stays paused.</p>}
      {params.map((p) => (
        <ParamField
          key={p.name}
          param={p}
          value={values[p.name] ?? ""}
          onText={(text) => setValues((v) => ({ ...v, [p.name]: text }))}
        />
      ))}
      <SelectField
        label="If it overlaps"
        value={overlap}
        options={[
          { value: "", label: `as the job says${job.policies ? `: ${job.policies.overlapPolicy}` : ""}` },
          ...overlaps.map((o) => ({ value: o, label: o })),
        ]}
        onPick={(o) => setOverlap(o as "" | Overlap)}
      />
      <TextField
        label="About a past moment"
        name="scheduledTime"
        value={tick}
        onText={setTick}
        placeholder="now"
        hint="Left out: now. Else such as 2026-11-28T02:30:00Z."
      />
    </ActionDialog>
  );
}

/** Asked says what became of the wish. */
function Asked({ run }: { run: Run }) {
  return (
    <>
      <p>
        <Status status={run.status} /> The run is asked for: whichever replica is free takes it.
      </p>
      <p>
        <Link to={runPath(run.id)} class="strong">
          {run.id}
        </Link>
      </p>
    </>
  );
}

function ParamField({
  param: p,
  value,
  onText,
}: {
  param: Param;
  value: string;
  onText: (text: string) => void;
}) {
  const hint = [p.description, p.default !== undefined ? `left out: ${p.default}` : ""]
    .filter(Boolean)
    .join("; ");
  if (p.choices?.length || p.type === "bool") {
    const choices = p.choices ?? ["true", "false"];
    const options = [
      { value: "", label: p.default !== undefined ? `as declared (${p.default})` : "–" },
      ...choices.map((c) => ({ value: c, label: c })),
    ];
    return <SelectField label={p.name} hint={hint} value={value} options={options} onPick={onText} />;
  }
  return (
    <TextField
      label={p.name}
      name={`param.${p.name}`}
      value={value}
      onText={onText}
      required={p.required ?? false}
      placeholder={p.default ?? p.type}
      {...(hint ? { hint } : {})}
    />
  );
}

/** valueOf is a value as JSON has it: what does not fit stays a text, for the API to say so. */
export function valueOf(p: Param, text: string): string | number | boolean {
  if (/^(int|integer|number|float)$/.test(p.type) && text.trim() !== "" && Number.isFinite(Number(text))) {
    const n = Number(text);
    return Number.isInteger(n) && !Number.isSafeInteger(n) ? text : n;
  }
  if (p.type === "bool" || p.type === "boolean")
    return text === "true" ? true : text === "false" ? false : text;
  return text;
}
