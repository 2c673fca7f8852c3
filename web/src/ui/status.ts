/** Tone is a colour with a meaning: --tone-x in the style sheet. */
export type ToneName = "succeeded" | "failed" | "running" | "missed" | "lost" | "skipped" | "muted" | "text";

/** Look is how a status is shown: a shape, a word and a colour, never a colour alone. */
export interface Look {
  glyph: string;
  word: string;
  tone: ToneName;
}

const looks: Record<string, Look> = {
  // Runs: the verdicts, and what they are before.
  succeeded: { glyph: "✓", word: "succeeded", tone: "succeeded" },
  failed: { glyph: "✕", word: "failed", tone: "failed" },
  timed_out: { glyph: "◷", word: "timed out", tone: "failed" },
  cancelled: { glyph: "⊘", word: "cancelled", tone: "muted" },
  interrupted: { glyph: "↯", word: "interrupted", tone: "missed" },
  lost: { glyph: "?", word: "lost", tone: "lost" },
  skipped: { glyph: "–", word: "skipped", tone: "skipped" },
  missed: { glyph: "○", word: "missed", tone: "missed" },
  running: { glyph: "▶", word: "running", tone: "running" },
  queued: { glyph: "⋯", word: "queued", tone: "running" },
  retrying: { glyph: "↻", word: "retrying", tone: "running" },
  // Jobs.
  ok: { glyph: "✓", word: "ok", tone: "succeeded" },
  failing: { glyph: "✕", word: "failing", tone: "failed" },
  paused: { glyph: "‖", word: "paused", tone: "muted" },
  suspended: { glyph: "‖", word: "suspended", tone: "muted" },
  idle: { glyph: "·", word: "never run", tone: "muted" },
  // Leases and replicas.
  free: { glyph: "·", word: "free", tone: "muted" },
  claimed: { glyph: "◌", word: "claimed", tone: "running" },
  done: { glyph: "✓", word: "released", tone: "succeeded" },
  revoked: { glyph: "⊘", word: "revoked", tone: "missed" },
  quarantine: { glyph: "!", word: "quarantine", tone: "lost" },
  late: { glyph: "!", word: "late", tone: "missed" },
  expired: { glyph: "○", word: "expired", tone: "lost" },
  live: { glyph: "✓", word: "ready", tone: "succeeded" },
  draining: { glyph: "↓", word: "draining", tone: "missed" },
  silent: { glyph: "?", word: "silent", tone: "lost" },
  gone: { glyph: "○", word: "gone", tone: "muted" },
};

/** lookOf is how a status is shown; one that this page does not know keeps its own word. */
export function lookOf(status: string): Look {
  return looks[status] ?? { glyph: "•", word: status.replaceAll("_", " "), tone: "muted" };
}

/** bad reports whether a run with this status is something nobody wanted. */
export function bad(status: string): boolean {
  return ["failed", "timed_out", "lost", "missed", "interrupted"].includes(status);
}

/** verdicts are how a run can end. */
export const verdicts = [
  "succeeded",
  "failed",
  "timed_out",
  "cancelled",
  "interrupted",
  "lost",
  "skipped",
  "missed",
];
