import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { browser, page, settled } from "./browser.mjs";
import { trio } from "./trio.mjs";
import { until } from "./world.mjs";

describe("a replica that is killed", () => {
  let w, b;
  before(async () => void ([w, b] = await Promise.all([trio(), browser()])));
  after(async () => {
    await b?.close();
    await w?.end();
  });

  test("is followed by another one: on the timeline with the token, and no lease has less than nothing left", async () => {
    await w.api("/jobs/warehouse/trigger", { method: "POST", body: "{}" });
    const run = await until(
      "it runs",
      async () => (await w.api("/runs?job=warehouse&status=running")).items[0],
    );
    const [name] = Object.entries(w.replicas).find(([n]) => run.replica.startsWith(n));
    const [, other] = Object.entries(w.replicas).find(([n]) => n !== name && n !== "cron-c");
    const [timeline, leases] = await Promise.all([
      page(b, `${other.url}/timeline?span=15m`),
      page(b, `${other.url}/leases`),
    ]);
    try {
      await Promise.all([settled(timeline), settled(leases)]);
      await timeline.locator(`a.bar[data-run="${run.id}"]`).waitFor({ state: "attached" });
      await leases.locator('tr[data-row="warehouse"] [data-left]').waitFor();
      await leases.evaluate(() => {
        globalThis.samples = [];
        setInterval(() => {
          for (const el of document.querySelectorAll("[data-left]")) {
            const row = el.closest("tr").querySelector("[data-status]").dataset.status;
            globalThis.samples.push([
              el.closest("tr").dataset.row,
              Number(el.dataset.left),
              el.textContent,
              row,
            ]);
          }
        }, 50);
      });
      const began = Date.now();
      w.replicas[name].program.child.kill("SIGKILL");
      const takeover = timeline.locator(`[data-takeover="${run.id} 2"]`);
      await takeover.waitFor({ state: "attached", timeout: 60_000 });
      const { bars } = await other.api("/timeline");
      const next = bars.find((x) => x.run === run.id && x.attempt === 2);
      assert.notEqual(next.replica, run.replica);
      assert.equal(next.takesOver.replica, run.replica);
      assert.match(await takeover.textContent(), new RegExp(`token ${next.token}`));
      const label = await timeline
        .locator(`a.bar[data-run="${run.id}"][data-attempt="2"]`)
        .getAttribute("aria-label");
      assert.match(label, new RegExp(`attempt 2, token ${next.token}, takes over from ${run.replica}`));
      const at = (attempt) =>
        timeline.locator(`a.bar[data-run="${run.id}"][data-attempt="${attempt}"] .body`).boundingBox();
      const [one, two] = [await at(1), await at(2)];
      assert.notEqual(one.y, two.y, "in another lane");
      await until("20 s of samples", () => Date.now() - began > 20_000, 40_000);
      const samples = await leases.evaluate(() => globalThis.samples);
      assert.ok(samples.length > 100, `${samples.length} samples`);
      assert.deepEqual(
        samples.filter(([, left, text]) => !(left >= 0) || text.includes("-")),
        [],
      );
      const states = new Set(samples.filter(([job]) => job === "warehouse").map(([, , , state]) => state));
      assert.ok(states.has("late") || states.has("expired"), `only ${[...states]}`);
      const grown = await at(2);
      assert.ok(grown.width >= two.width, "the bar of a run that is on grows");
      await leases.locator("tbody tr", { hasText: `won by ${next.replica}` }).waitFor({ timeout: 20_000 });
      await leases.goto(`${other.url}/cluster`);
      await leases
        .locator("table", { hasText: "Gone in the last hour" })
        .locator(`tr[data-row="${run.replica}"]`)
        .waitFor();
      assert.deepEqual([...timeline.errors, ...leases.errors], []);
    } finally {
      await timeline.done();
      await leases.done();
    }
  });

  test("leaves leases that are told from memory when the store is gone, too", async () => {
    const replica = Object.values(w.replicas).find((r) => r.program.child.signalCode === null);
    const [leases, timeline] = await Promise.all([
      page(b, `${replica.url}/leases`),
      page(b, `${replica.url}/timeline?span=15m`),
    ]);
    try {
      await Promise.all([settled(timeline), settled(leases)]);
      await leases.locator('tr[data-row="warehouse"] [data-left]').waitFor();
      await w.store.stop();
      await leases
        .locator(".screen .banner", { hasText: "The store does not answer" })
        .waitFor({ timeout: 30_000 });
      await leases.locator('tr[data-row="warehouse"] [data-left="0.000"]').waitFor({ timeout: 30_000 });
      const release = leases.getByRole("button", { name: /Release the lease of warehouse.*does not answer/ });
      await release.waitFor();
      assert.ok(await release.isDisabled());
      await timeline.locator(".store-down").waitFor({ state: "attached", timeout: 30_000 });
      await w.store.start();
      await leases.locator(".screen .banner").waitFor({ state: "detached", timeout: 60_000 });
      assert.deepEqual([...timeline.errors, ...leases.errors], []);
    } finally {
      await timeline.done();
      await leases.done();
    }
  });
});
