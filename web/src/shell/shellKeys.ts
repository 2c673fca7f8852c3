import { navigate } from "../router";
import { useKeys } from "../ui/keys";
import { moveRow } from "../ui/rows";
import { places } from "./routes";

/** useShellKeys binds the keys that every screen has. */
export function useShellKeys(help: () => void): void {
  useKeys([
    ...places.map((p) => ({ keys: `g ${p.key}`, what: `Go to ${p.name}`, act: () => navigate(p.path) })),
    { keys: "j", what: "Next row", act: () => moveRow(1), row: "moves" },
    { keys: "k", what: "Previous row", act: () => moveRow(-1), row: "moves" },
    {
      keys: "/",
      what: "Search",
      act: () => document.querySelector<HTMLElement>("[data-search]")?.focus(),
    },
    { keys: "?", what: "These keys", act: help },
  ]);
}
