import { href, runPath } from "../../router";
import { bad, lookOf } from "../../ui/status";
import { rowGap, rowHigh, rowTop, type Lane, type Takeover } from "./lanes";
import { beginOf, keyOf, usualOf, worstOf, type Bar, type Item } from "./layout";
import { groupWords, plannedWords, wordsOf } from "./words";

const barHigh = rowHigh - rowGap;
/** px that a letter takes within a bar, about. */
const letter = 6.6;

/** Bars draws the bars of all lanes in the order of time, which is that in which Tab goes through them. */
export function Bars({
  lanes,
  now,
  zone,
  byJob,
}: {
  lanes: Lane[];
  now: number;
  zone: string;
  byJob: boolean;
}) {
  const all = lanes.flatMap((lane) => lane.items.map((item) => ({ lane, item })));
  all.sort((a, b) => a.item.x - b.item.x);
  return (
    <g>
      {all.map(({ lane, item }) => {
        const y = rowTop(lane, item.row);
        const key = keyOf(item.of[0]!);
        return item.of.length > 1 ? (
          <Group key={key} item={item} y={y} label={groupWords(item.of, now, zone)} />
        ) : (
          <One key={key} item={item} y={y} label={wordsOf(item.of[0]!, now, zone)} byJob={byJob} />
        );
      })}
    </g>
  );
}

function One({ item, y, label, byJob }: { item: Item<Bar>; y: number; label: string; byJob: boolean }) {
  const bar = item.of[0]!;
  const look = lookOf(bar.status);
  const said = bar.status === "succeeded" ? "" : `${look.glyph} `;
  const name = byJob ? (bar.attempt > 1 ? `attempt ${bar.attempt}` : "") : bar.job;
  const from = Math.max(item.x, 0);
  const text = fitted(said + name, item.x + item.wide - from - 8);
  return (
    <>
      <a
        class={`bar tone-${look.tone} is-${bar.status}`}
        href={href(runPath(bar.run))}
        tabindex={-1}
        aria-label={label}
        data-run={bar.run}
        data-attempt={bar.attempt}
        data-status={bar.status}
      >
        <title>{label}</title>
        <rect class="hit" x={item.x - 4} y={y - 2} width={item.wide + 8} height={rowHigh} />
        {bar.started ? (
          <rect class="body" x={item.x} y={y} width={item.wide} height={barHigh} rx={2} />
        ) : (
          <rect class="hole" x={item.x + 0.5} y={y + 0.5} width={item.wide - 1} height={barHigh - 1} rx={2} />
        )}
        {bar.status !== "succeeded" && bar.started && (
          <rect class="edge" x={item.x} y={y} width={Math.min(3, item.wide)} height={barHigh} />
        )}
      </a>
      {text && <Words x={from + 6} y={y} text={text} />}
    </>
  );
}

/** Words is what stands on a bar. The bar's label says more, so it is for the eye alone. */
function Words(props: { x: number; y: number; text: string; middle?: boolean; tone?: string }) {
  return (
    <text
      class={`bar-words ${props.tone ?? ""}`}
      x={props.x}
      y={props.y + barHigh - 3}
      text-anchor={props.middle ? "middle" : "start"}
      aria-hidden="true"
    >
      {props.text}
    </text>
  );
}

/** fitted is as much of a text as there is room for, in px; "": so little that it says nothing. */
function fitted(text: string, room: number): string {
  const letters = Math.floor(room / letter);
  if (text.length <= letters) return text;
  return letters >= 4
    ? `${text.slice(0, letters - 1)}…`
    : text.length > 1 && letters >= 1 && text[1] === " "
      ? text[0]!
      : "";
}

function Group({ item, y, label }: { item: Item<Bar>; y: number; label: string }) {
  const look = lookOf(usualOf(item.of));
  const worst = lookOf(worstOf(item.of));
  const first = beginOf(item.of[0]!);
  const middle = (first + beginOf(item.of.at(-1)!)) / 2;
  const wrong = item.of.filter((b) => bad(b.status)).length;
  const all = wrong === item.of.length;
  const high = all ? barHigh : wrong > 0 ? 4 : 0;
  return (
    <>
      <a
        class={`bar group tone-${look.tone}`}
        href="#"
        tabindex={-1}
        aria-label={label}
        data-at={middle}
        data-count={item.of.length}
      >
        <title>{label}</title>
        <rect class="hit" x={item.x - 2} y={y - 2} width={item.wide + 4} height={rowHigh} />
        <rect class="body" x={item.x} y={y} width={item.wide} height={barHigh} rx={2} />
        {wrong > 0 && (
          <rect
            class={`edge tone-${worst.tone}`}
            x={item.x}
            y={y + barHigh - high}
            width={item.wide}
            height={high}
            rx={2}
          />
        )}
      </a>
      <Words
        x={item.x + item.wide / 2}
        y={y}
        middle
        tone={all ? "on-edge" : ""}
        text={String(item.of.length)}
      />
    </>
  );
}

/** PlannedMarks draws what is ahead. */
export function PlannedMarks({ lanes, now, zone }: { lanes: Lane[]; now: number; zone: string }) {
  return (
    <g class="planned">
      {lanes.flatMap((lane) =>
        lane.planned.map((item) => {
          const y = rowTop(lane, item.row);
          const runs = item.of.some((p) => p.runs);
          return (
            <g key={`${lane.name} ${item.of[0]!.job} ${item.of[0]!.time}`} class={runs ? "" : "unlikely"}>
              <title>{plannedWords(item.of, now, zone)}</title>
              <rect x={item.x + 0.5} y={y + 0.5} width={item.wide - 1} height={barHigh - 1} rx={2} />
              {item.of.length > 1 && (
                <text x={item.x + item.wide / 2} y={y + barHigh - 3} text-anchor="middle">
                  {item.of.length}
                </text>
              )}
            </g>
          );
        }),
      )}
    </g>
  );
}

/** Takeovers draws who went on where a holder was lost, with the token under which. */
export function Takeovers({ takeovers, wide }: { takeovers: Takeover[]; wide: number }) {
  return (
    <g class="takeovers" aria-hidden="true">
      {takeovers.map((t) => {
        const bend = Math.max(16, Math.abs(t.to.x - t.from.x) / 2);
        const end = t.to.x - 2;
        const label = `token ${t.bar.token ?? "?"}`;
        const far = label.length * letter;
        const after = t.to.end + far + 16 <= wide; // else it would be cut off
        return (
          <g key={t.key} data-takeover={t.key} class="takeover">
            <path
              d={`M${t.from.x} ${t.from.y}C${t.from.x + bend} ${t.from.y} ${end - bend} ${t.to.y} ${end} ${t.to.y}`}
            />
            <circle cx={t.from.x} cy={t.from.y} r={3} />
            <path class="head" d={`M${end - 6} ${t.to.y - 4}L${end} ${t.to.y}L${end - 6} ${t.to.y + 4}z`} />
            <text
              x={after ? t.to.end + 10 : Math.min(end, t.from.x) - 10}
              y={t.to.y + 4}
              text-anchor={after ? "start" : "end"}
            >
              {label}
            </text>
          </g>
        );
      })}
    </g>
  );
}
