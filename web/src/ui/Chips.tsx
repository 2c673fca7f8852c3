import type { ComponentChildren } from "preact";
import { Link, withQuery } from "../router";

export interface Chip {
  value: string; // "" is all
  label: ComponentChildren;
  count?: number | undefined;
}

/** Chips choose one value of a parameter of the address; each says how many there are. */
export function Chips({
  param,
  value,
  chips,
  label,
}: {
  param: string;
  value: string;
  chips: Chip[];
  label: string;
}) {
  return (
    <nav class="chips" aria-label={label}>
      {chips.map((c) => (
        <Link
          key={c.value}
          class={c.value === value ? "chip on" : "chip"}
          aria-current={c.value === value ? "true" : undefined}
          to={withQuery({ [param]: c.value, page: "" })}
        >
          {c.label}
          {c.count !== undefined && <span class="count">{c.count.toLocaleString("en")}</span>}
        </Link>
      ))}
    </nav>
  );
}
