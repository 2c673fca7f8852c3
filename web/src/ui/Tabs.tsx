import { Link, withQuery } from "../router";

/** Tab is one of several views of the same thing. */
export interface Tab {
  value: string; // in the address; "" is the first
  label: string;
}

/** Tabs chooses a view by a parameter of the address (?tab=), so that a link shows the same to somebody else. */
export function Tabs({ value, tabs, label }: { value: string; tabs: readonly Tab[]; label: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((t) => (
        <Link
          key={t.value}
          class={t.value === value ? "tab on" : "tab"}
          aria-current={t.value === value ? "page" : undefined}
          to={withQuery({ tab: t.value })}
        >
          {t.label}
        </Link>
      ))}
    </nav>
  );
}
