import type { Outcome } from "../api/types";
import { href, navigate, runPath } from "../router";
import { duration } from "../time/duration";
import { lookOf } from "./status";

/** Cell is what a strip shows of a run. */
export type Cell = Pick<Outcome, "id" | "status" | "seconds" | "tick">;

export interface StripProps {
  /** The newest first, as the API gives them. */
  outcomes: readonly Cell[];
  /** A run that is on, at the end. */
  running?: { id: string } | undefined;
  /** How many cells there are room for; default 20. */
  cells?: number;
  /** px; defaults 8 and 24. */
  width?: number;
  height?: number;
}

const gap = 2;
const ran = new Set(["succeeded", "failed", "timed_out", "cancelled", "interrupted", "lost"]);

/** Strip shows how the last runs of a job ended: a bar each, as high as it took, the newest last. */
export function Strip({ outcomes, running, cells = 20, width = 8, height = 24 }: StripProps) {
  const shown = outcomes.slice(0, running ? cells - 1 : cells).reverse();
  const longest = Math.max(...shown.map((o) => o.seconds), 0);
  const step = width + gap;
  const total = cells * step - gap;
  const first = cells - shown.length - (running ? 1 : 0);
  if (!shown.length && !running) return <span class="muted none">–</span>;
  return (
    <svg
      class="strip"
      width={total}
      height={height}
      viewBox={`0 0 ${total} ${height}`}
      role="img"
      aria-label={summary(shown, running !== undefined)}
      onClick={(e) => {
        const run = (e.target as Element).closest("[data-run]")?.getAttribute("data-run");
        if (!run) return;
        if (e.metaKey || e.ctrlKey) window.open(href(runPath(run)));
        else navigate(runPath(run));
      }}
    >
      {shown.map((o, i) => (
        <Bar key={o.id} cell={o} x={(first + i) * step} width={width} height={height} longest={longest} />
      ))}
      {running && (
        <g class="strip-cell tone-running" data-run={running.id}>
          <title>running now</title>
          <rect class="strip-hit" x={total - width} y={0} width={width} height={height} />
          <path
            class="strip-running"
            d={`M${total - width} ${height - 12}l${width} 6l${-width} 6z`}
            fill="currentColor"
          />
        </g>
      )}
    </svg>
  );
}

interface BarProps {
  cell: Cell;
  x: number;
  width: number;
  height: number;
  longest: number;
}

function Bar({ cell, x, width, height, longest }: BarProps) {
  const look = lookOf(cell.status);
  const took = ran.has(cell.status);
  const room = height - 10;
  const high = took ? Math.max(3, longest > 0 ? (cell.seconds / longest) * room : room / 2) : 8;
  const plain = cell.status === "succeeded";
  return (
    <g class={`strip-cell tone-${look.tone}`} data-run={cell.id}>
      <title>{`${look.word}, ${cell.tick}${took ? `, took ${duration(cell.seconds)}` : ""}`}</title>
      <rect class="strip-hit" x={x} y={0} width={width} height={height} />
      {took ? (
        <rect
          x={x}
          y={height - high}
          width={width}
          height={high}
          rx={1}
          fill="currentColor"
          opacity={plain ? 0.72 : 1}
        />
      ) : (
        // Nothing ran: an outline, so that the hole is seen.
        <rect
          x={x + 0.5}
          y={height - high + 0.5}
          width={width - 1}
          height={high - 1}
          rx={1}
          fill="none"
          stroke="currentColor"
        />
      )}
      {!plain && (
        <text x={x + width / 2} y={height - high - 2} text-anchor="middle" font-size={9} fill="currentColor">
          {look.glyph}
        </text>
      )}
    </g>
  );
}

/** summary says in words what a strip shows. */
export function summary(shown: readonly Cell[], running: boolean): string {
  const counts = new Map<string, number>();
  for (const o of shown) counts.set(o.status, (counts.get(o.status) ?? 0) + 1);
  const parts = [...counts].sort((a, b) => b[1] - a[1]).map(([status, n]) => `${n} ${lookOf(status).word}`);
  if (running) parts.push("1 running");
  return `${parts.join(", ")}, newest last`;
}
