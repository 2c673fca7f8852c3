import { lookOf } from "./status";

/** Status shows how a run, a job, a lease or a replica stands: a shape, a word and a colour. */
export function Status({ status, word }: { status: string; word?: string | undefined }) {
  const look = lookOf(status);
  return (
    <span class={`status tone-${look.tone}`} data-status={status}>
      <span class="glyph" aria-hidden="true">
        {look.glyph}
      </span>
      <span>{word ?? look.word}</span>
    </span>
  );
}

/** Glyph shows the shape alone, where the word stands beside it or is read out. */
export function Glyph({ status }: { status: string }) {
  const look = lookOf(status);
  return (
    <span class={`glyph tone-${look.tone}`} title={look.word}>
      <span aria-hidden="true">{look.glyph}</span>
      <span class="away">{look.word}</span>
    </span>
  );
}
