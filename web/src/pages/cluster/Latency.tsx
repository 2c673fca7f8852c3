import { useStore } from "../../store";
import { duration } from "../../time/duration";
import { latencies, type Sample } from "./latency";

const wide = 320;
const high = 48;

/** Latency draws how long the store took for its answers to the replica that this page talks to. */
export function Latency() {
  const samples = useStore(latencies);
  const known = samples.flatMap((s) => (s.seconds === undefined ? [] : [s.seconds]));
  if (known.length < 2) return <p class="muted">A line is drawn here once there are a few answers.</p>;
  const longest = Math.max(...known);
  const sorted = [...known].sort((a, b) => a - b);
  const half = sorted[Math.floor(sorted.length / 2)]!;
  const said = `The last ${samples.length} looks: half of them at most ${duration(half)}, the longest ${duration(longest)}`;
  return (
    <figure class="latency">
      <svg viewBox={`0 0 ${wide} ${high}`} width={wide} height={high} role="img" aria-label={said}>
        <line class="grid" x1={0} x2={wide} y1={high - 0.5} y2={high - 0.5} />
        <path d={pathOf(samples, longest)} />
        {samples.map((s, i) =>
          s.seconds === undefined ? (
            <rect key={s.at} class="none" x={xOf(i, samples.length) - 1} y={0} width={2} height={high} />
          ) : null,
        )}
      </svg>
      <figcaption class="sub">{said}. As seen since this page was opened; /metrics has all of it.</figcaption>
    </figure>
  );
}

function xOf(i: number, n: number): number {
  return (i / Math.max(1, n - 1)) * (wide - 4) + 2;
}

/** pathOf is a line with gaps where there was no answer. */
function pathOf(samples: readonly Sample[], longest: number): string {
  let on = false;
  return samples
    .map((s, i) => {
      if (s.seconds === undefined) {
        on = false;
        return "";
      }
      const y = high - 4 - (longest > 0 ? s.seconds / longest : 0) * (high - 10);
      const point = `${on ? "L" : "M"}${xOf(i, samples.length).toFixed(1)} ${y.toFixed(1)}`;
      on = true;
      return point;
    })
    .join("");
}
