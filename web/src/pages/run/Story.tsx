import type { RunDetails } from "../../api/types";
import { useNow } from "../../time/clock";
import { duration, parseDuration } from "../../time/duration";
import { fullTime, useZone } from "../../time/zone";
import { Glyph } from "../../ui/Status";
import { stepsOf, type Step } from "./steps";

/** Story tells how a run went, from left to right: due, lease, start, renewal, attempts, end. */
export function Story({
  run: r,
  timeout,
  zone,
}: {
  run: RunDetails;
  timeout?: string | undefined;
  zone?: string | undefined;
}) {
  const steps = stepsOf(r);
  const shownZone = useZone(zone);
  return (
    <ol class="story" aria-label="What happened">
      {steps.map((s) => (
        <Item key={`${s.kind} ${s.at} ${s.replica} ${s.attempt}`} step={s} zone={shownZone} />
      ))}
      {r.state !== "ended" && <Present run={r} timeout={timeout} />}
    </ol>
  );
}

function Item({ step: s, zone }: { step: Step; zone: string }) {
  return (
    <li class={`story-step is-${s.kind}`}>
      <Glyph status={s.status} />
      <span class="strong">{s.title}</span>
      <span class="muted" title={s.at ? fullTime(s.at, zone) : undefined}>
        {s.when}
      </span>
      {s.detail && <span class="story-detail">{s.detail}</span>}
    </li>
  );
}

/** Present is the end of the line of a run that has not ended. */
function Present({ run: r, timeout }: { run: RunDetails; timeout: string | undefined }) {
  const now = useNow();
  const since = r.started ? Date.parse(r.started) : undefined;
  const limit = parseDuration(timeout);
  if (r.state !== "running" || since === undefined) {
    const at = r.notBefore ? Date.parse(r.notBefore) : undefined;
    return (
      <li class="story-step is-now">
        <Glyph status={r.status} />
        <span class="strong">{r.state === "retrying" ? "waits for its next attempt" : "waits"}</span>
        {at !== undefined && at > now && (
          <span class="muted">{duration(Math.max(0, Math.ceil((at - now) / 1000)))} more</span>
        )}
      </li>
    );
  }
  const on = Math.max(0, Math.round((now - since) / 1000));
  return (
    <li class="story-step is-now">
      <Glyph status="running" />
      <span class="strong">now</span>
      <span class="muted" aria-hidden="true">
        {duration(on)} of this attempt
      </span>
      {limit !== undefined && <span class="story-detail">timeout after {duration(limit)}</span>}
    </li>
  );
}
