import type { components } from "../../api/schema";
import type { Replica } from "../../api/types";
import type { Happening } from "../../live/events";

type Bar = components["schemas"]["Bar"];

/** usual is what more have than anything else; "": there is no such thing, so each differs from some other. */
export function usual(values: readonly (string | undefined)[]): string {
  const counts = new Map<string, number>();
  for (const v of values) if (v) counts.set(v, (counts.get(v) ?? 0) + 1);
  const [first, second] = [...counts].sort((a, b) => b[1] - a[1]);
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : "";
}

/** odd reports whether a value is not what most have. */
export function odd(value: string | undefined, most: string): boolean {
  return Boolean(value) && value !== most;
}

/** Who has not said for so many ms that it lives is shown as silent: they say it every other second. */
const quiet = 10_000;

/** stateOf is how a replica is at now, in ms on the server's clock. */
export function stateOf(r: Pick<Replica, "state" | "lastSeen">, now: number): string {
  if (r.lastSeen && now - Date.parse(r.lastSeen) > quiet) return "silent";
  return r.state;
}

/** wonBy counts the attempts that began after a moment, in ms, by replica. */
export function wonBy(bars: readonly Bar[], after: number): Map<string, number> {
  const won = new Map<string, number>();
  for (const b of bars) {
    if (b.started && b.replica && Date.parse(b.started) >= after)
      won.set(b.replica, (won.get(b.replica) ?? 0) + 1);
  }
  return won;
}

/** Former is a replica that was there within the last hour and is not any more. */
export interface Former {
  id: string;
  last: string; // when it last did something that is known, or was said to be gone
  why: string;
}

/** formerOf are those that have run something, or were told of, and do not live; the last to go first. */
export function formerOf(
  bars: readonly Bar[],
  live: ReadonlySet<string>,
  recent: readonly Happening[],
): Former[] {
  const found = new Map<string, Former>();
  for (const b of bars) {
    const last = b.ended ?? b.started;
    if (!b.replica || !last || live.has(b.replica)) continue;
    const was = found.get(b.replica);
    const why = b.status === "lost" ? `lost in the middle of ${b.run}` : (was?.why ?? "");
    if (!was || Date.parse(last) >= Date.parse(was.last)) found.set(b.replica, { id: b.replica, last, why });
    else if (!was.why && why) was.why = why;
  }
  for (const h of [...recent].reverse()) {
    if (h.type !== "replica" || live.has(h.replica)) continue;
    const was = found.get(h.replica);
    if (h.phase === "left") found.set(h.replica, { id: h.replica, last: h.at, why: "left in good order" });
    else if (h.phase === "gone" && !was?.why) {
      found.set(h.replica, {
        id: h.replica,
        last: h.at,
        why: `no longer heard of${h.by ? `, says ${h.by}` : ""}`,
      });
    }
  }
  return [...found.values()].sort((a, b) => Date.parse(b.last) - Date.parse(a.last));
}

/** breakerWords says what the circuit breaker does. */
export function breakerWords(breaker: string | undefined): string {
  switch (breaker) {
    case "closed":
      return "closed: what is asked is sent";
    case "half-open":
      return "half-open: a few questions try whether it is back";
    case "open":
      return "open: nothing is sent for a while, so that it can come back";
  }
  return breaker ?? "unknown";
}
