import type { RunDetails } from "../../api/types";
import { duration } from "../../time/duration";
import { lookOf } from "../../ui/status";

/** Step is one thing that happened to a run, as the story line shows it. */
export interface Step {
  kind: string;
  status: string; // whose shape and colour it has
  title: string;
  at: number; // ms; 0: not known
  when: string; // how long after the step before, or after what the run is about
  replica: string;
  attempt: number;
  detail: string;
}

type Event = RunDetails["events"][number];

const shapes: Record<string, string> = {
  requested: "queued",
  due: "queued",
  won: "claimed",
  started: "running",
  renewed: "claimed",
  yielded: "free",
  waiting: "queued",
};

/** stepsOf is the story of a run. A lease that was won and used in the same moment is one step. */
export function stepsOf(r: Pick<RunDetails, "events" | "tick">): Step[] {
  const steps: Step[] = [];
  const zero = r.tick ? Date.parse(r.tick) : undefined;
  const many = r.events.some((e) => (e.attempt ?? 0) > 1);
  let before = zero;
  for (const e of r.events) {
    const at = e.at ? Date.parse(e.at) : 0;
    steps.push({
      kind: e.kind,
      status: e.verdict ?? shapes[e.kind] ?? "queued",
      title: titleOf(e, many),
      at,
      when: at ? after(at, before) : "",
      replica: e.replica ?? "",
      attempt: e.attempt ?? 0,
      detail: detailOf(e),
    });
    if (at) before = at;
  }
  return steps;
}

/** after is how long after another moment one is; both in ms. */
function after(at: number, before: number | undefined): string {
  if (before === undefined || at === before) return "";
  const s = (at - before) / 1000;
  if (s < 0) return s > -0.05 ? "" : `−${duration(-s)}`; // the clocks of two machines, and rounding
  return `+${duration(s)}`;
}

function titleOf(e: Event, many: boolean): string {
  const nth = many && e.attempt ? ` (${e.attempt})` : "";
  switch (e.kind) {
    case "requested":
      return "asked for";
    case "due":
      return "due";
    case "won":
      return `lease won${nth}`;
    case "started":
      return `started${nth}`;
    case "renewed":
      return "lease renewed";
    case "attempt-ended":
      return `attempt ${e.attempt} ${lookOf(e.verdict ?? "").word}`;
    case "ended":
      return lookOf(e.verdict ?? "").word;
    case "yielded":
      return `${e.replica} yielded`;
    case "waiting":
      return `${e.replica} waits`;
  }
}

function detailOf(e: Event): string {
  switch (e.kind) {
    case "won":
      return `${e.replica}, token ${e.token}`;
    case "started":
      return `on ${e.replica}`;
    case "renewed":
      return `by ${e.replica}`;
    case "due":
      return "";
    case "requested":
      return e.text.replace(/^asked for /, "");
    case "attempt-ended":
      return e.text.replace(/^[a-z ]+: /, "").replace(/; another attempt follows$/, "");
    case "ended":
      return ""; // the outcome says it
    default:
      return e.count && e.count > 1 ? `${e.text} (${e.count} times)` : e.text;
  }
}
