import { useLayoutEffect, useRef } from "preact/hooks";
import { jobPath, Link, navigate, runPath } from "../../router";
import { keepRow } from "../../ui/rows";
import { lookOf } from "../../ui/status";
import { SearchField } from "../../ui/SearchField";
import { lanesOf, placeOf, rowTop, type Lane, type Scale } from "./lanes";
import { countsOf, worstOf, type Timeline } from "./layout";
import type { Stretch } from "./span";
import { ticksOf } from "./ticks";
import { useWidth } from "./width";

/** Phone draws the last day of each job, a strip each. Lanes by replica have no room there. */
export function Phone(props: { timeline: Timeline; stretch: Stretch; now: number; zone: string }) {
  const { timeline, stretch, now, zone } = props;
  const box = useRef<HTMLDivElement>(null);
  const wide = useWidth(box);
  const scale: Scale = { ...stretch, wide };
  const lanes = lanesOf(timeline, scale, now, 0);
  useLayoutEffect(keepRow, [timeline]);
  return (
    <>
      <p class="muted phone-note">
        Each job's last day, and what is due. Lanes by replica, and other lengths of time, need a wider
        screen.
      </p>
      <SearchField label="Filter jobs" placeholder="Name, label:team=billing" />
      <div ref={box} class="phone-strips">
        {lanes.map((lane) => (
          <Strip key={lane.name} lane={lane} scale={scale} now={now} zone={zone} />
        ))}
      </div>
    </>
  );
}

function Strip({ lane, scale, now, zone }: { lane: Lane; scale: Scale; now: number; zone: string }) {
  const bars = lane.items.flatMap((i) => i.of);
  const high = lane.high + 16;
  const at = placeOf(scale, now);
  const said = bars.length ? countsOf(bars, (s) => lookOf(s).word) : "nothing ran";
  const label = `${said}; ${lane.planned.reduce((n, i) => n + i.of.length, 0)} due`;
  return (
    <section class="phone-strip" data-row={lane.name}>
      <Link to={jobPath(lane.name)} class="strong">
        {lane.name}
      </Link>
      <span class="sub">{label}</span>
      <svg
        width={scale.wide}
        height={high}
        role="img"
        aria-label={label}
        onClick={(e) => {
          const run = (e.target as Element).closest("[data-run]")?.getAttribute("data-run");
          if (run) navigate(runPath(run));
        }}
      >
        {ticksOf(scale, zone, scale.wide / 72).map((t) => (
          <g key={t.at} class="tick">
            <line x1={placeOf(scale, t.at)} x2={placeOf(scale, t.at)} y1={0} y2={lane.high} />
            <text x={placeOf(scale, t.at) + 2} y={high - 3}>
              {t.label}
            </text>
          </g>
        ))}
        <g class="planned">
          {lane.planned.map((i) => (
            <rect
              key={i.x}
              x={i.x}
              y={rowTop(lane, i.row) - lane.top}
              width={Math.max(2, i.wide - 1)}
              height={13}
              rx={2}
            />
          ))}
        </g>
        {lane.items.map((i) => (
          <rect
            key={i.of[0]!.run}
            class={`phone-bar tone-${lookOf(worstOf(i.of)).tone}`}
            data-run={i.of.length === 1 ? i.of[0]!.run : undefined}
            x={i.x}
            y={rowTop(lane, i.row) - lane.top}
            width={i.wide}
            height={14}
            rx={2}
          >
            <title>{countsOf(i.of, (s) => lookOf(s).word)}</title>
          </rect>
        ))}
        <line class="now" x1={at} x2={at} y1={0} y2={lane.high} />
      </svg>
    </section>
  );
}
