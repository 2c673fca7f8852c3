import type { components } from "../../api/schema";
import type { Happening } from "../../live/events";

type Bar = components["schemas"]["Bar"];

/** Past is how a lease ended, not long ago. */
export interface Past {
  key: string;
  job: string;
  run: string;
  /** done: given back; lost: its holder was not heard of; revoked: somebody took it away. */
  what: "done" | "lost" | "revoked";
  at: string;
  holder: string;
  seconds: number | undefined; // that it was held for
  token: number | undefined;
  more: string;
}

const most = 10;

/** pastsOf are the leases that ended lately, the latest first: each attempt of a run had one. */
export function pastsOf(bars: readonly Bar[], recent: readonly Happening[]): Past[] {
  const after = new Map<string, Bar>(); // what came after a lost attempt
  for (const b of bars) if (b.takesOver) after.set(`${b.takesOver.run} ${b.takesOver.attempt}`, b);
  const list = bars.flatMap((b): Past[] => {
    if (!b.started || !b.ended || !b.token) return [];
    const lost = b.status === "lost";
    const next = after.get(`${b.run} ${b.attempt}`);
    return [
      {
        key: `${b.run} ${b.attempt}`,
        job: b.job,
        run: b.run,
        what: lost ? "lost" : "done",
        at: b.ended,
        holder: b.replica ?? "",
        seconds: Math.max(0, (Date.parse(b.ended) - Date.parse(b.started)) / 1000),
        token: b.token,
        more: next ? `won by ${next.replica} under token ${next.token}` : "",
      },
    ];
  });
  for (const h of recent) {
    if (h.type !== "lease" || h.phase !== "revoked" || !h.job) continue;
    list.push({
      key: `revoked ${h.job} ${h.token}`,
      job: h.job,
      run: h.run ?? "",
      what: "revoked",
      at: h.at,
      holder: "",
      seconds: undefined,
      token: h.token,
      more: [h.by && `by ${h.by}`, h.note].filter(Boolean).join(": "),
    });
  }
  const latest = (some: Past[], n: number) =>
    some.sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, n);
  const odd = latest(
    list.filter((p) => p.what !== "done"),
    most / 2, // who looks at night wants these, however much else has ended
  );
  const usual = latest(
    list.filter((p) => p.what === "done"),
    most - odd.length,
  );
  return latest([...odd, ...usual], most);
}
