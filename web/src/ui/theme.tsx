import { remembered, useStore } from "../store";

const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const theme = remembered<Theme>("theme", themes, "system");

/** startTheme has the page follow the choice of theme. */
export function startTheme(): void {
  const apply = () => {
    document.documentElement.dataset["theme"] = theme.get();
  };
  theme.subscribe(apply);
  apply();
}

/** ThemeSwitch chooses between light, dark, and what the system says. */
export function ThemeSwitch() {
  return (
    <label class="pick">
      <span class="away">Theme</span>
      <select
        value={useStore(theme)}
        onChange={(e) => theme.set(e.currentTarget.value as Theme)}
        title="Theme"
      >
        <option value="system">System theme</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
