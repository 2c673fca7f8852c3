import { useMemo, useRef } from "preact/hooks";
import { jobPath, Link, navigate, runPath } from "../../router";
import { Annotations } from "./Annotations";
import { Bars, PlannedMarks, Takeovers } from "./Bars";
import { lanesOf, planLane, placeOf, takeoversOf, type Lane, type Scale } from "./lanes";
import type { Timeline } from "./layout";
import type { Note } from "./notes";
import type { Stretch } from "./span";
import type { Standing } from "./store";
import { ticksOf } from "./ticks";
import { usePan } from "./pan";
import { useWidth } from "./width";

export interface ChartProps {
  timeline: Timeline;
  stretch: Stretch;
  now: number;
  zone: string;
  /** Replicas that live; a lane of another one says that it is gone. */
  live: ReadonlySet<string> | undefined;
  standings: readonly Standing[];
  configs: readonly Note[];
  replicas: readonly Note[];
  /** pan moves the stretch by a part of its length. */
  pan: (by: number) => void;
  /** look closer at a moment. */
  closer: (at: number) => void;
}

const axisHigh = 36;
const noteHigh = 28;

/** Chart draws what ran when, in lanes. It is one stop of Tab, within which Tab goes from bar to bar. */
export function Chart(props: ChartProps) {
  const { timeline, stretch, now, zone } = props;
  const box = useRef<HTMLDivElement>(null);
  const wide = useWidth(box);
  const drag = usePan(box, (px) => props.pan(-px / wide));
  const scale: Scale = { ...stretch, wide };
  const lanes = useMemo(
    () => lanesOf(timeline, scale, now, axisHigh),
    [timeline, stretch.from, stretch.to, wide, now], // not anew for each px of a drag
  );
  const end = lanes.reduce((bottom, l) => Math.max(bottom, l.top + l.high), axisHigh);
  const high = end + 2 * noteHigh;
  const ticks = ticksOf(stretch, zone, wide / 88);
  const at = placeOf(scale, now);
  return (
    <div class="lanes">
      <div class="lane-names" style={{ paddingTop: `${axisHigh}px` }}>
        {lanes.map((l) => (
          <LaneName key={l.name} lane={l} byJob={timeline.by === "job"} live={props.live} />
        ))}
        <div
          class="lane-name muted"
          style={{ height: `${noteHigh}px` }}
          title="As seen since this page was opened"
        >
          redis
        </div>
        <div class="lane-name muted" style={{ height: `${noteHigh}px` }}>
          config
        </div>
      </div>
      <div
        ref={box}
        class={drag.active ? "plot dragging" : "plot"}
        tabIndex={0}
        role="group"
        aria-label={`${timeline.bars.length} bars in the order of time. Tab goes through them, Enter opens one, Escape leaves.`}
        onKeyDown={walk}
        onClick={(e) => opened(e, drag.moved, props.closer)}
      >
        <svg width={wide} height={high} viewBox={`0 0 ${wide} ${high}`}>
          {lanes.map((l, i) => (
            <rect
              key={l.name}
              x={0}
              y={l.top}
              width={wide}
              height={l.high}
              class={i % 2 ? "lane-odd" : "lane-even"}
            />
          ))}
          <g transform={`translate(${drag.px} 0)`}>
            {ticks.map((t) => {
              const x = placeOf(scale, t.at);
              return (
                <g key={t.at} class={t.day ? "tick day" : "tick"}>
                  <line x1={x} x2={x} y1={axisHigh - 6} y2={high} />
                  <text x={x + 4} y={axisHigh - 10}>
                    {t.label}
                  </text>
                </g>
              );
            })}
            <PlannedMarks lanes={lanes} now={now} zone={zone} />
            <Annotations {...props} lanes={lanes} scale={scale} top={end} high={noteHigh} />
            <Bars lanes={lanes} now={now} zone={zone} byJob={timeline.by === "job"} />
            <Takeovers takeovers={takeoversOf(lanes, scale)} wide={wide} />
            {at >= 0 && at <= wide && (
              <g class="now-line">
                <line x1={at} x2={at} y1={18} y2={high} />
                <text x={at} y={13} text-anchor="middle">
                  now
                </text>
              </g>
            )}
          </g>
        </svg>
      </div>
    </div>
  );
}

function LaneName({
  lane,
  byJob,
  live,
}: {
  lane: Lane;
  byJob: boolean;
  live: ReadonlySet<string> | undefined;
}) {
  const style = { height: `${lane.high}px` };
  if (!byJob && lane.name === planLane) {
    return (
      <div class="lane-name muted" style={style}>
        planned
      </div>
    );
  }
  const gone = !byJob && live !== undefined && !live.has(lane.name);
  const to = byJob ? jobPath(lane.name) : `/runs?replica=${encodeURIComponent(lane.name)}`;
  return (
    <div class="lane-name" data-lane={lane.name} style={style} title={lane.name}>
      <Link to={to}>{lane.name || "nobody"}</Link>
      {gone && lane.name && <span class="sub">gone</span>}
    </div>
  );
}

/** opened goes to the run of a bar, or closer to where there are many. */
function opened(e: MouseEvent, moved: () => boolean, closer: (at: number) => void): void {
  const link = (e.target as Element).closest("a");
  if (!link) return;
  const held = e.metaKey || e.ctrlKey || e.shiftKey;
  const at = link.getAttribute("data-at");
  const run = link.getAttribute("data-run");
  if (held && run) return; // the browser opens it elsewhere
  e.preventDefault();
  if (moved()) return; // it was dragged, not clicked
  if (at) closer(Number(at));
  else if (run) navigate(runPath(run));
}

/** walk has Tab go through the bars, and Escape leave them. */
function walk(e: KeyboardEvent): void {
  const plot = e.currentTarget as HTMLElement;
  if (e.key === "Escape") {
    document.querySelector<HTMLElement>("#as-table a")?.focus();
    e.preventDefault();
    e.stopPropagation();
    return;
  }
  if (e.key !== "Tab" || e.altKey || e.ctrlKey || e.metaKey) return;
  const bars = [...plot.querySelectorAll<SVGAElement>("a.bar")];
  const at = bars.indexOf(document.activeElement as unknown as SVGAElement);
  const next = e.shiftKey ? bars[at - 1] : bars[at + 1];
  if (at < 0 && e.shiftKey) return;
  if (next) {
    e.preventDefault();
    next.focus();
  } else if (e.shiftKey) {
    e.preventDefault();
    plot.focus();
  }
}
