import { Button } from "../../ui/Button";
import { Chips } from "../../ui/Chips";
import { SearchField } from "../../ui/SearchField";
import { spanNames, type Span } from "./span";

/** Controls choose what a timeline shows. All of it is in the address. */
export function Controls(props: {
  span: Span;
  by: "replica" | "job";
  /** It moves with the clock. */
  moves: boolean;
  pan: (by: number) => void;
  now: () => void;
}) {
  const { span, by, moves, pan, now } = props;
  return (
    <>
      <Chips
        param="by"
        label="Lanes"
        value={by === "job" ? "job" : ""}
        chips={[
          { value: "", label: "by replica" },
          { value: "job", label: "by job" },
        ]}
      />
      <Chips
        param="span"
        label="Length of time"
        value={span === "1h" ? "" : span}
        chips={spanNames.map((s) => ({ value: s === "1h" ? "" : s, label: s }))}
      />
      <div class="together" role="group" aria-label="Move in time">
        <Button small aria-label="Earlier" title="Earlier (←)" onClick={() => pan(-0.5)}>
          ‹
        </Button>
        <Button small aria-pressed={moves} title="Now (n)" onClick={now}>
          now
        </Button>
        <Button small aria-label="Later" title="Later (→)" onClick={() => pan(0.5)}>
          ›
        </Button>
      </div>
      <SearchField label="Filter jobs" placeholder="Name, label:team=billing" />
    </>
  );
}
