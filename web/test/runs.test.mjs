import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { axe, browser, overflow, page, settled } from "./browser.mjs";
import { jobSample } from "./job-sample.mjs";
import { dev, until } from "./world.mjs";

describe("the list of runs", () => {
  let w, b;
  before(async () => {
    [w, b] = await Promise.all([dev(jobSample), browser()]);
    await w.api("/jobs/colours/trigger", { method: "POST", body: "{}" });
    await w.api("/jobs/nightly-report/backfill", {
      method: "POST",
      body: JSON.stringify({ from: "2026-08-01T00:00:00Z", to: "2026-11-21T00:00:00Z", reason: "all of it" }),
    });
    await until("the backfill is on its way", async () => {
      const { items } = await w.api("/runs?job=nightly-report&status=succeeded&pageSize=500");
      return items.length >= 5;
    });
    await until("one has failed", async () => (await w.api("/runs?status=failed")).items.length);
  });
  after(async () => {
    await b?.close();
    await w?.end();
  });

  const rows = (p) => p.locator("tbody tr").evaluateAll((all) => all.map((r) => r.dataset.row));

  const open = (path, options, fn) => async () => {
    const p = await page(b, w.url + path, options);
    try {
      await settled(p);
      await fn(p);
      assert.deepEqual(p.errors, []);
    } finally {
      await p.done();
    }
  };

  test(
    "filters by status, trigger, job, replica and time, all of it in the address",
    open("/runs", {}, async (p) => {
      await p.getByRole("link", { name: /gone wrong/ }).click();
      await until("only those", async () => (await rows(p)).every((id) => id.startsWith("colours.")));
      assert.match(p.url(), /status=failed/);
      await p.getByRole("link", { name: "Clear filters" }).click();
      await p.getByLabel("Trigger", { exact: true }).selectOption("backfill");
      await until("only those", async () => {
        const all = await rows(p);
        return all.length > 0 && all.every((id) => id.startsWith("nightly-report."));
      });
      await p.getByRole("combobox", { name: "Job" }).fill("quick");
      await p.keyboard.press("Enter");
      await p.getByRole("heading", { name: "No run matches" }).waitFor();
      await p.getByLabel("Trigger", { exact: true }).selectOption("");
      await until("those of the job", async () => {
        const all = await rows(p);
        return all.length > 0 && all.every((id) => id.startsWith("quick."));
      });
      await p.getByLabel("Time", { exact: true }).selectOption("1h");
      await p.waitForURL(/span=1h/);
      await p.locator("tbody tr").first().waitFor();
      await p.getByLabel("Time", { exact: true }).selectOption("own");
      await p.waitForURL(/from=/);
      await p.getByLabel("to", { exact: true }).fill("2026-01-01T00:00");
      await p.waitForURL(/to=2026-01-01T00%3A00Z/);
      await p.goto(`${w.url}/runs?job=quick&replica=nobody`);
      await p.getByRole("heading", { name: "No run matches" }).waitFor();
      assert.equal(await p.getByLabel("Replica", { exact: true }).inputValue(), "nobody");
      await p.reload();
      assert.equal(await p.getByRole("combobox", { name: "Job" }).inputValue(), "quick");
    }),
  );

  test(
    "goes through its pages on the server, there and back",
    open("/runs?job=nightly-report", {}, async (p) => {
      await p.locator("tbody tr").first().waitFor();
      const first = await rows(p);
      assert.equal(first.length, 50);
      await p.getByRole("link", { name: "Next page" }).click();
      await until("other runs", async () => {
        const now = await rows(p);
        return now.length > 0 && !now.some((id) => first.includes(id));
      });
      assert.match(p.url(), /page=/);
      await p.getByRole("link", { name: "First page" }).click();
      await until("the first again", async () => (await rows(p)).includes(first[20]));
    }),
  );

  test(
    "moves by itself while runs begin and end",
    open("/runs?job=quick", {}, async (p) => {
      await p.locator("tbody tr").first().waitFor();
      const [before] = await rows(p);
      await until("a later run came", async () => (await rows(p))[0] > before);
      await p.locator('[data-status="succeeded"]').first().waitFor();
    }),
  );

  test(
    "all of it can be done with the keyboard",
    open("/runs", {}, async (p) => {
      await p.locator("tbody tr").first().waitFor();
      await p.keyboard.press("/");
      await p.keyboard.type("colours");
      await p.keyboard.press("Enter");
      await until("only those", async () => {
        const all = await rows(p);
        return all.length > 0 && all.every((id) => id.startsWith("colours."));
      });
      await p.keyboard.press("Escape");
      const search = await p.evaluate(() => window.location.search);
      assert.equal(search, "?job=colours", "Escape in the field took the filter away");
      await p.keyboard.press("j");
      await p.keyboard.press("Enter");
      await p.waitForURL(/\/runs\/colours\./);
    }),
  );

  for (const theme of ["light", "dark"]) {
    test(
      `has no serious fault of accessibility, ${theme}`,
      open("/runs?from=2026-01-01T00:00Z", { theme }, async (p) => {
        await p.locator("tbody tr").first().waitFor();
        assert.deepEqual(await axe(p), []);
      }),
    );
  }

  test(
    "fits a phone of 360 px",
    open("/runs", { width: 360, height: 740, hasTouch: true, isMobile: true }, async (p) => {
      await p.locator("tbody tr").first().waitFor();
      assert.equal(await overflow(p), 0);
      assert.deepEqual(await axe(p, ["target-size"]), []);
    }),
  );
});
