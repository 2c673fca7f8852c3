import type { Run } from "../../api/types";
import { href, navigate, runPath } from "../../router";
import { duration } from "../../time/duration";
import { lookOf } from "../../ui/status";
import { scaleOf } from "./scale";

const width = 640;
const height = 132;
const left = 52;
const top = 10;
const bottom = 18;

/** Durations is a chart of how long the latest runs took: a mark each, the newest at the right, and a line at p50. */
export function Durations({ runs, p50 }: { runs: readonly Run[]; p50: number | undefined }) {
  const shown = runs.filter((r) => r.state === "ended" && r.started && r.status !== "skipped").toReversed();
  if (shown.length < 2) return null;
  const scale = scaleOf(Math.max(...shown.map((r) => r.seconds ?? 0)));
  const room = height - top - bottom;
  const y = (s: number) => top + room * (1 - s / scale.top);
  const step = (width - left - 12) / Math.max(1, shown.length - 1);
  const x = (i: number) => left + 6 + i * step;
  const path = shown
    .map((r, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(r.seconds ?? 0).toFixed(1)}`)
    .join("");
  return (
    <figure class="durations">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={words(shown, p50)}
        onClick={(e) => {
          const id = (e.target as Element).closest("[data-run]")?.getAttribute("data-run");
          if (!id) return;
          if (e.metaKey || e.ctrlKey) window.open(href(runPath(id)));
          else navigate(runPath(id));
        }}
      >
        {scale.ticks.map((t) => (
          <g key={t}>
            <line class="grid" x1={left} x2={width} y1={y(t)} y2={y(t)} />
            <text class="axis" x={left - 6} y={y(t) + 4} text-anchor="end">
              {duration(t)}
            </text>
          </g>
        ))}
        {p50 !== undefined && p50 <= scale.top && (
          <line class="median" x1={left} x2={width} y1={y(p50)} y2={y(p50)}>
            <title>{`p50 ${duration(p50)}`}</title>
          </line>
        )}
        <path class="took" d={path} />
        {shown.map((r, i) => (
          <g key={r.id} class={`run-mark tone-${lookOf(r.status).tone}`} data-run={r.id}>
            <title>{`${lookOf(r.status).word}, ${r.tick}, took ${duration(r.seconds ?? 0)}`}</title>
            <rect
              class="strip-hit"
              x={x(i) - Math.max(step, 6) / 2}
              y={0}
              width={Math.max(step, 6)}
              height={height}
            />
            <Mark status={r.status} x={x(i)} y={y(r.seconds ?? 0)} />
          </g>
        ))}
        <text class="axis" x={left} y={height - 3}>
          oldest
        </text>
        <text class="axis" x={width} y={height - 3} text-anchor="end">
          newest
        </text>
      </svg>
      <figcaption class="sub">How long each run took. Dashed: p50.</figcaption>
    </figure>
  );
}

/** Mark is a dot for what went well, and a cross for what did not: never a colour alone. */
function Mark({ status, x, y }: { status: string; x: number; y: number }) {
  if (status === "succeeded") return <circle cx={x} cy={y} r={2.5} fill="currentColor" />;
  return (
    <path
      d={`M${x - 3.5} ${y - 3.5}l7 7m0 -7l-7 7`}
      stroke="currentColor"
      stroke-width={2}
      stroke-linecap="round"
      fill="none"
    />
  );
}

function words(shown: readonly Run[], p50: number | undefined): string {
  const all = shown.map((r) => r.seconds ?? 0);
  const middle = p50 === undefined ? "" : `, half of them within ${duration(p50)}`;
  return `${shown.length} runs took from ${duration(Math.min(...all))} to ${duration(Math.max(...all))}${middle}`;
}
