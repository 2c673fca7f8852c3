import type { Lease } from "../../api/types";

/** Left is how a lease stands at a moment. */
export interface Left {
  /** held; late: a renewal is overdue; expired: nobody has it any more, as far as this page knows. */
  state: "held" | "late" | "expired";
  seconds: number; // until it ends, never less than 0
  share: number; // of its length, from 0 to 1
}

/**
 * leftOf is how a lease that was granted for some seconds stands at now, in ms on the store's clock. A length of 0
 * is not known; then it is never late.
 */
export function leftOf(expires: string | null, ttl: number, now: number): Left {
  const ends = expires ? Date.parse(expires) : NaN;
  const seconds = Number.isNaN(ends) ? 0 : Math.max(0, (ends - now) / 1000);
  const share = ttl > 0 ? Math.min(1, seconds / ttl) : seconds > 0 ? 1 : 0;
  if (seconds === 0) return { state: "expired", seconds, share: 0 };
  return { state: ttl > 0 && share < 1 / 3 ? "late" : "held", seconds, share };
}

/**
 * everyOf is after how many ms leases are asked for again: soon enough that a renewal is seen before a lease that
 * is well looks late, which is a third of its length after it.
 */
export function everyOf(leases: readonly Pick<Lease, "ttlSeconds">[]): number {
  const shortest = Math.min(...leases.map((l) => l.ttlSeconds).filter((ttl) => ttl > 0));
  if (!Number.isFinite(shortest)) return 5000;
  return Math.min(5000, Math.max(1000, (shortest / 6) * 1000));
}

/** Seen counts renewals as this page sees them: how often a lease was renewed is recorded nowhere. */
export type Seen = ReadonlyMap<string, { renewed: string; times: number }>;

/** counted adds what a list of leases shows to what was seen before; leases that are gone are forgotten. */
export function counted(before: Seen, leases: readonly Pick<Lease, "job" | "token" | "renewed">[]): Seen {
  const next = new Map<string, { renewed: string; times: number }>();
  for (const l of leases) {
    if (!l.renewed) continue;
    const key = `${l.job} ${l.token}`;
    const was = before.get(key);
    const times = was === undefined ? 0 : was.renewed === l.renewed ? was.times : was.times + 1;
    next.set(key, { renewed: l.renewed, times });
  }
  return next;
}
