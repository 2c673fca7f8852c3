import { Glyph } from "../../ui/Status";
import { lookOf } from "../../ui/status";

const shown = ["succeeded", "failed", "running", "lost", "missed", "skipped"];

/** Legend says what the colours and shapes of a timeline are. */
export function Legend() {
  return (
    <ul class="legend" aria-label="What bars are">
      {shown.map((status) => (
        <li key={status}>
          <Glyph status={status} />
          <span aria-hidden="true">{lookOf(status).word}</span>
        </li>
      ))}
      <li>
        <svg width="14" height="14" aria-hidden="true" class="planned">
          <rect x="2.5" y="1.5" width="8" height="11" rx="2" />
        </svg>
        planned
      </li>
      <li class="takeover">
        <svg width="22" height="14" aria-hidden="true">
          <path d="M2 3C12 3 8 11 17 11" />
          <path class="head" d="M14 7L20 11L14 14z" />
        </svg>
        took over, under a higher token
      </li>
    </ul>
  );
}
