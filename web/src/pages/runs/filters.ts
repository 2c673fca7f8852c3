import { verdicts } from "../../ui/status";

/** Filters is which runs are listed, as the address has it; "" is any. */
export interface Filters {
  job: string;
  status: string; // some, with commas
  replica: string;
  trigger: string;
  span: string; // such as 24h: the latest
  from: string; // or from a moment
  to: string; // to another
}

/** names are the parameters of the address. */
export const names = ["job", "status", "replica", "trigger", "span", "from", "to"] as const;

/** triggers are what runs are wanted for. */
export const triggers = ["schedule", "manual", "retry", "rerun", "backfill", "dependency"] as const;
export type Trigger = (typeof triggers)[number];

/** groups are the choices of how a run stands that people make most. */
export const groups: { value: string; label: string; look: string }[] = [
  { value: "", label: "all", look: "" },
  { value: "open", label: "open", look: "running" },
  { value: "failed,timed_out,lost,interrupted,missed", label: "gone wrong", look: "failed" },
  { value: "succeeded", label: "succeeded", look: "succeeded" },
  { value: "cancelled", label: "cancelled", look: "cancelled" },
  { value: "skipped", label: "skipped", look: "skipped" },
  { value: "missed", label: "missed", look: "missed" },
  { value: "lost", label: "lost", look: "lost" },
];

/** statuses are all words for how a run stands. */
export const statuses = ["queued", "running", "retrying", ...verdicts];

const spans: Record<string, number> = {
  "1h": 3600,
  "6h": 6 * 3600,
  "24h": 86400,
  "7d": 7 * 86400,
  "30d": 30 * 86400,
};

/** spanNames are the spans that are offered. */
export const spanNames = Object.keys(spans);

/** filtersOf reads them from the address. */
export function filtersOf(query: URLSearchParams): Filters {
  const out = {} as Filters;
  for (const name of names) out[name] = query.get(name) ?? "";
  return out;
}

/** any reports whether something is left out. */
export function any(f: Filters): boolean {
  return names.some((n) => f[n] !== "");
}

/** Asked is what the API is asked for. */
export interface Asked {
  job: string;
  status: string;
  replica: string;
  trigger: Trigger | undefined;
  since: string | undefined; // RFC 3339
  until: string | undefined;
}

/** askedOf is filters in the words of the API. Now, in ms, should move by the minute: each value is a new question. */
export function askedOf(f: Filters, now: number): Asked {
  const seconds = spans[f.span];
  const moment = (text: string) => {
    const at = Date.parse(text);
    return Number.isNaN(at) ? undefined : new Date(at).toISOString();
  };
  const minute = Math.floor(now / 60_000) * 60_000;
  return {
    job: f.job,
    status: f.status,
    replica: f.replica,
    trigger: triggers.find((t) => t === f.trigger),
    since: seconds ? new Date(minute - seconds * 1000).toISOString() : moment(f.from),
    until: seconds ? undefined : moment(f.to),
  };
}
