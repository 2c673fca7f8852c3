// A real browser, and what tests do with it.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const places = [
  "/usr/lib/chromium/chromium",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** browser starts the system's Chromium. CHROMIUM names another. */
export async function browser() {
  const executablePath = process.env.CHROMIUM ?? places.find((p) => existsSync(p));
  if (!executablePath) throw new Error("there is no Chromium: make test-page installs it on Debian");
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}

/**
 * page opens a screen of the page in a context of its own. Whatever the page reports as an error, and whatever its
 * policy stops, is in errors; it is for the test to look at.
 */
export async function page(browser, url, options = {}) {
  const { width = 1280, height = 800, theme = "light", storage = {}, ...rest } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    ...rest,
  });
  await context.addInitScript((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
  }, storage);
  const p = await context.newPage();
  p.setDefaultTimeout(10_000);
  const errors = [];
  p.on("pageerror", (e) => errors.push(String(e)));
  p.on("console", (m) => {
    if (m.type() === "error" && !/Failed to load resource/.test(m.text())) errors.push(m.text());
  });
  await p.goto(url);
  return Object.assign(p, { errors, done: () => context.close() });
}

/** settled waits until the screen shows what it was asked for. */
export async function settled(p) {
  await p.waitForSelector("main h1, main .empty, .sign-in h1");
  await p.waitForFunction(() => !document.querySelector(".skeleton"));
}

/**
 * axe looks for faults of accessibility, and gives the serious ones as lines. Rules are all that matter, unless some
 * are named: a theme changes nothing but colours.
 */
export async function axe(p, rules) {
  await p.evaluate(await readFile(require.resolve("axe-core/axe.min.js"), "utf8"));
  const runOnly = rules
    ? { type: "rule", values: rules }
    : { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
  const found = await p.evaluate(
    (runOnly) => globalThis.axe.run(document, { runOnly, resultTypes: ["violations"] }),
    runOnly,
  );
  return found.violations
    .filter((v) => v.impact === "serious" || v.impact === "critical")
    .map(
      (v) =>
        `${v.id}: ${v.help}: ${v.nodes
          .slice(0, 3)
          .map((n) => n.html.slice(0, 160))
          .join(" | ")}`,
    );
}

/** overflow is by how many px the screen is wider than the window: nobody wants to scroll sideways. */
export async function overflow(p) {
  return p.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
