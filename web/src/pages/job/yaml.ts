import type { JobDetails } from "../../api/types";

/** scalar is a text as YAML has it: as it is where it can mean nothing else, else in quotes. */
export function scalar(text: string): string {
  if (/^(\d+(h|m|s|ms))+$/.test(text)) return text; // a length of time
  const plain = /^[A-Za-z/][\w ./+-]*$/.test(text) && !/ $|^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return plain ? text : JSON.stringify(text);
}

type Value = string | number | boolean | undefined | Value[] | { [key: string]: Value };

/** render writes a value as YAML below so many spaces. Keys are names of fields, labels or parameters. */
export function render(value: { [key: string]: Value }, indent: number): string[] {
  const pad = " ".repeat(indent);
  const out: string[] = [];
  for (const [key, v] of Object.entries(value)) {
    if (v === undefined || (Array.isArray(v) && !v.length)) continue;
    if (typeof v === "object" && !Array.isArray(v)) {
      const inner = render(v, indent + 2);
      if (inner.length) out.push(`${pad}${scalar(key)}:`, ...inner);
    } else out.push(`${pad}${scalar(key)}: ${flow(v)}`);
  }
  return out;
}

function flow(v: Value): string {
  if (Array.isArray(v)) return `[${v.map(flow).join(", ")}]`;
  if (typeof v === "object") {
    const parts = Object.entries(v).flatMap(([k, x]) =>
      x === undefined ? [] : [`${scalar(k)}: ${flow(x)}`],
    );
    return `{ ${parts.join(", ")} }`;
  }
  return typeof v === "string" ? scalar(v) : String(v);
}

/** yamlOf is a job in force as YAML: all that the API tells of it. What it runs is not told, as it may hold secrets. */
export function yamlOf(j: JobDetails): string {
  const p = j.policies;
  const several = j.schedule.split(" | "); // more than one is told as one text
  const fields: { [key: string]: Value } = {
    description: j.description || undefined,
    schedule: several.length > 1 ? several : j.schedule,
    timeZone: j.timeZone,
    suspend: j.suspend || undefined,
    owner: j.owner || undefined,
    runbook: j.runbook || undefined,
    labels: j.labels ?? undefined,
    ...(p
      ? {
          mode: p.mode,
          timeout: p.timeout,
          startingDeadline: p.startingDeadline,
          overlapPolicy: p.overlapPolicy,
          queueLimit: p.queueLimit || undefined,
          catchup: { policy: p.catchup.policy, max: p.catchup.max, spacing: p.catchup.spacing },
          retry: p.retry
            ? {
                maxAttempts: p.retry.maxAttempts,
                initialInterval: p.retry.initialInterval,
                backoffCoefficient: p.retry.backoffCoefficient,
                maxInterval: p.retry.maxInterval,
                jitter: p.retry.jitter,
                nonRetryableExitCodes: p.retry.nonRetryableExitCodes ?? undefined,
              }
            : undefined,
          pauseOnFailure: p.pauseOnFailure || undefined,
          concurrencyGroup: p.concurrencyGroup || undefined,
          dependsOn: p.dependsOn?.map((d) => ({ job: d.job, condition: d.condition, window: d.window })),
          triggers: p.triggers?.map((t) => ({ job: t.job, condition: t.condition })),
          history: { succeeded: p.history.succeeded, failed: p.history.failed, maxAge: p.history.maxAge },
          logs: { maxBytes: p.logBytes },
        }
      : {}),
    params: j.params?.map((x) => ({
      name: x.name,
      type: x.type,
      default: x.default,
      required: x.required,
      choices: x.choices ?? undefined,
      description: x.description,
    })),
  };
  const where = j.source ? `  # ${j.source.file}:${j.source.line}` : "";
  return [
    `- name: ${scalar(j.name)}${where}`,
    ...render(fields, 2),
    `  # ${j.kind}: what it runs is not told here, as it may hold secrets`,
    "",
  ].join("\n");
}
