// Every screen in both themes, wide and on a phone, into web/screenshots: of the sample that `scheduler dev`
// opens with, after one of its replicas has crashed. Screens that are named are taken alone.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { browser, page, settled } from "./browser.mjs";
import { dev, until } from "./world.mjs";

const out = join(import.meta.dirname, "..", "screenshots");
await mkdir(out, { recursive: true });
const [w, b] = await Promise.all([dev(), browser()]);

/** post does what somebody would do on the page. */
const post = (path, body) => w.api(path, { method: "POST", body: JSON.stringify(body) });

/** story has something happen that is worth a look. */
async function story() {
  const held = await until(
    "the long job runs",
    async () => (await w.api("/leases?held=true")).items.find((l) => l.job === "search-index"),
    90_000,
  );
  await post("/jobs/sales-report/trigger", { reason: "the board asks" });
  await post("/jobs/newsletter/snooze", { for: "90m", reason: "a typo in the draft" });
  await until(
    "it has printed something",
    async () => (await w.api(`/runs/${held.run}`)).status === "running",
  );
  await post(`/replicas/${held.holder}/crash`, { reason: "to see who takes over" });
  await until(
    "another replica takes over",
    async () => (await w.api("/timeline")).bars.some((t) => t.takesOver),
    150_000,
  );
  await until("something has failed", async () => (await w.api("/runs?status=failed")).items.length, 150_000);
}

/** look takes a picture of each screen in one theme and width. */
async function look(screens, options) {
  const p = await page(b, w.url, options);
  for (const [name, path] of Object.entries(screens)) {
    await p.goto(w.url + path);
    await settled(p);
    await p.locator('[data-live="live"]').waitFor();
    await p.screenshot({ path: join(out, `${name}-${options.theme}-${options.width}.png`) });
  }
  await p.done();
}

try {
  await story();
  const again = (await w.api("/leases?held=true")).items.find((l) => l.job === "search-index");
  const past = (await w.api("/jobs/search-index/runs")).items;
  const screens = {
    jobs: "/",
    job: "/jobs/search-index",
    timeline: "/timeline?span=15m",
    runs: "/runs",
    run: `/runs/${again?.run ?? past[0].id}`,
    leases: "/leases",
    cluster: "/cluster",
    config: "/config",
    activity: "/activity",
  };
  const wanted = process.argv.slice(2);
  for (const name of Object.keys(screens)) if (wanted.length && !wanted.includes(name)) delete screens[name];
  for (const theme of ["light", "dark"]) {
    for (const [width, height] of [
      [1280, 800],
      [360, 740],
    ]) {
      await look(screens, { theme, width, height });
    }
  }
  console.log(`${Object.keys(screens).length * 4} screenshots in ${out}`);
} finally {
  await b.close();
  await w.end();
}
