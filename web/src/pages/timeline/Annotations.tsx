import { lookOf } from "../../ui/status";
import { shortTime } from "../../time/zone";
import { duration } from "../../time/duration";
import { placeOf, rowTop, type Lane, type Scale } from "./lanes";
import { beginOf, type Timeline } from "./layout";
import type { Note } from "./notes";
import { missedOf, type Standing } from "./store";

export interface AnnotationsProps {
  timeline: Timeline;
  lanes: Lane[];
  scale: Scale;
  now: number;
  zone: string;
  standings: readonly Standing[];
  configs: readonly Note[];
  replicas: readonly Note[];
  /** Where the lanes of annotations begin, and how high each is, in px. */
  top: number;
  high: number;
}

/** Annotations draws what stands beside the runs: the store, configurations, replicas that came and went. */
export function Annotations(p: AnnotationsProps) {
  return (
    <g class="notes">
      <StoreLane {...p} />
      <ConfigLane {...p} />
      <ReplicaMarks {...p} />
    </g>
  );
}

function StoreLane({ timeline, scale, now, zone, standings, top, high }: AnnotationsProps) {
  const y = top + high / 2;
  return (
    <g data-lane-of="redis">
      {standings.map((s) => {
        const x = Math.max(0, placeOf(scale, s.from));
        const end = Math.min(scale.wide, placeOf(scale, s.to));
        if (end < 0 || x > scale.wide) return null;
        const length = duration(Math.max(1, (s.to - s.from) / 1000));
        const text = `redis ${s.up ? "answered" : "gave no answer"} for ${length}, since ${shortTime(s.from, now, zone)}, as this page saw it`;
        return (
          <g key={s.from} class={s.up ? "store-up" : "store-down"}>
            <title>{text}</title>
            <rect x={x} y={s.up ? y - 1 : y - 7} width={Math.max(3, end - x)} height={s.up ? 2 : 14} rx={1} />
            {!s.up && end - x > 72 && (
              <text x={x + 6} y={y + 4}>
                down {length}
              </text>
            )}
          </g>
        );
      })}
      {missedOf(timeline.bars).map((b) => (
        <text key={b.run} class="tone-missed" x={placeOf(scale, beginOf(b))} y={y + 4} text-anchor="middle">
          <title>{`${b.job} was missed because redis gave no answer, ${shortTime(beginOf(b), now, zone)}`}</title>
          {lookOf("missed").glyph}
        </text>
      ))}
    </g>
  );
}

function ConfigLane({ scale, now, zone, configs, top, high }: AnnotationsProps) {
  const y = top + high + high / 2;
  return (
    <g data-lane-of="config">
      {configs.map((n) => {
        const x = placeOf(scale, n.at);
        if (x < 0 || x > scale.wide) return null;
        return (
          <text
            key={`${n.is} ${n.at}`}
            class={n.is === "loaded" ? "" : "tone-failed"}
            x={x}
            y={y + 4}
            text-anchor="middle"
          >
            <title>{`${n.text}, ${shortTime(n.at, now, zone)}`}</title>
            {n.is === "loaded" ? "▲" : "✕"}
          </text>
        );
      })}
    </g>
  );
}

const glyphs: Partial<Record<Note["is"], string>> = { joined: "▸", left: "◂", gone: "✕" };

function ReplicaMarks({ timeline, lanes, scale, now, zone, replicas }: AnnotationsProps) {
  if (timeline.by === "job") return null;
  return (
    <g>
      {replicas.map((n) => {
        const lane = lanes.find((l) => l.name === n.replica);
        const x = placeOf(scale, n.at);
        if (!lane || x < 0 || x > scale.wide) return null;
        return (
          <text
            key={`${n.replica} ${n.is} ${n.at}`}
            class={n.is === "gone" ? "tone-lost" : "tone-muted"}
            x={x}
            y={rowTop(lane, 0) + 12}
            text-anchor="middle"
          >
            <title>{`${n.text}, ${shortTime(n.at, now, zone)}`}</title>
            {glyphs[n.is]}
          </text>
        );
      })}
    </g>
  );
}
