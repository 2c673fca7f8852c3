import { useEffect, useRef } from "preact/hooks";
import type { Lease } from "../../api/types";
import { useNow } from "../../time/clock";
import { duration } from "../../time/duration";
import { announce } from "../../ui/announce";
import { Status } from "../../ui/Status";
import { leftOf } from "./countdown";

/** Standing says how a lease stands, which changes while nobody says anything. */
export function Standing({ lease }: { lease: Lease }) {
  const left = leftOf(lease.expires, lease.ttlSeconds, useNow());
  const was = useRef(left.state);
  useEffect(() => {
    if (was.current !== left.state && left.state !== "held")
      announce(`The lease of ${lease.job} is ${left.state}`);
    was.current = left.state;
  }, [left.state]);
  return <Status status={left.state === "held" ? lease.state : left.state} />;
}

/** Countdown counts down on the store's clock, and never below zero. */
export function Countdown({ lease }: { lease: Lease }) {
  const left = leftOf(lease.expires, lease.ttlSeconds, useNow(500));
  const ttl = lease.ttlSeconds;
  if (!lease.expires) return <span class="muted">–</span>;
  return (
    <span class={`countdown is-${left.state}`}>
      <time class="away" dateTime={lease.expires}>
        until {lease.expires}
      </time>
      <span class="left-bar" aria-hidden="true">
        <span style={{ width: `${(left.share * 100).toFixed(1)}%` }} />
      </span>
      <span aria-hidden="true" data-left={left.seconds.toFixed(3)}>
        {left.state === "expired"
          ? "expired"
          : ttl > 0
            ? `${left.seconds.toFixed(1)} / ${duration(ttl)}`
            : duration(left.seconds)}
      </span>
    </span>
  );
}
