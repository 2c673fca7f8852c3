import { useCluster } from "../../shell/StatusStrip";
import { Chips } from "../../ui/Chips";
import { SearchField } from "../../ui/SearchField";
import { lookOf } from "../../ui/status";
import { Glyph } from "../../ui/Status";
import { states } from "./search";

/** Filters choose which jobs are listed. They live in the address. */
export function Filters({ status }: { status: string }) {
  const counts = useCluster()?.states;
  const some = states.filter((s) => s === status || (counts?.[s] ?? 0) > 0);
  const all = counts ? Object.values(counts).reduce((a, b) => a + b, 0) : undefined;
  return (
    <>
      <SearchField label="Search jobs" placeholder="Name, label:team=billing, status:failing" />
      <Chips
        param="status"
        label="Jobs by state"
        value={status}
        chips={[
          { value: "", label: "all", count: all },
          ...some.map((s) => ({
            value: s,
            label: (
              <>
                <Glyph status={s} />{" "}
                <span aria-hidden="true">{s === "failing" ? "needs attention" : lookOf(s).word}</span>
              </>
            ),
            count: counts?.[s] ?? 0,
          })),
        ]}
      />
    </>
  );
}
