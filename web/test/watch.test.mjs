import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { axe, browser, overflow, page, settled } from "./browser.mjs";
import { trio } from "./trio.mjs";
import { until } from "./world.mjs";

describe("what is where: timeline, leases, cluster, config, activity", () => {
  let w, b;
  before(async () => {
    [w, b] = await Promise.all([trio(), browser()]);
    await until("something has run", async () => (await w.api("/runs?status=failed")).items.length);
  });
  after(async () => {
    await b?.close();
    await w?.end();
  });

  /** open opens a screen of cron-a and hands it to fn; no script may fail, and no policy be broken. */
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
  const idOf = async (name) => (await w.api("/replicas")).items.find((r) => r.id.startsWith(name)).id;
  const trigger = async (job) => {
    await w.api(`/jobs/${job}/trigger`, { method: "POST", body: "{}" });
    return until(`${job} runs`, async () => (await w.api(`/runs?job=${job}&status=running`)).items[0]);
  };

  test(
    "a replica with another file is marked, and only that one",
    open("/config", {}, async (p) => {
      const c = await idOf("cron-c");
      await p.locator(".page-head", { hasText: "drift: 2 of 3 replicas run this one" }).waitFor();
      await p.locator(`tr[data-row="${c}"] .differs`).waitFor();
      assert.equal(await p.locator("tr .differs").count(), 1);
      await p.getByText("It cannot be compared from here").waitFor();
      await p.locator(".status-strip", { hasText: "2 revisions" }).waitFor();
      await p.goto(`${w.url}/cluster`);
      await p.locator(`tr[data-row="${c}"] .col-config .differs`).waitFor();
      assert.equal(await p.locator(".col-config .differs").count(), 1);
      assert.equal(await p.locator(".col-version .differs").count(), 0, "all have one version");
    }),
  );

  test(
    "a file that is refused says what is wrong where, and a good one what it changed",
    open("/config", {}, async (p) => {
      const own = await w.api("/config");
      const revision = own.loaded.revision;
      const problems = [
        {
          file: "jobs.yaml",
          line: 31,
          col: 5,
          path: "jobs[etl].retires",
          message: 'unknown field, did you mean "retry"?',
        },
        {
          file: "jobs.yaml",
          line: 44,
          col: 14,
          path: "jobs[hold].timeout",
          message: '"1 day" is not a duration',
        },
      ];
      let reload = { at: new Date().toISOString(), ok: false, problems };
      await p.route("**/api/v1/config", (route) =>
        route.fulfill({ json: { ...own, known: [revision, "0123456789ab"], lastReload: reload } }),
      );
      const field = { path: "schedule", old: "@every 9s", new: "@every 19s" };
      const asked = [];
      await p.route("**/api/v1/config/diff?*", (route) => {
        const { searchParams: q } = new URL(route.request().url());
        asked.push(`${q.get("a")} ${q.get("b")}`);
        const changes = [
          {
            kind: "changed",
            job: "broken",
            line: 9,
            fields: [field],
            before: null,
            after: new Date().toISOString(),
          },
          {
            kind: "removed",
            job: "old",
            line: 12,
            fields: [],
            before: new Date().toISOString(),
            after: null,
          },
        ];
        const side = (name) => ({ asked: name, revision: name });
        return route.fulfill({ json: { a: side(q.get("a")), b: side(q.get("b")), same: false, changes } });
      });
      await p.reload();
      await p.locator(".note.bad", { hasText: `kept ${revision.slice(0, 8)}` }).waitFor();
      assert.deepEqual(await p.locator("td.col-place code").allInnerTexts(), [
        "jobs.yaml:31:5",
        "jobs.yaml:44:14",
      ]);
      await p.getByLabel("From").selectOption("0123456789ab");
      assert.match(
        await p.locator('tr[data-row="changed broken"]').innerText(),
        /schedule: @every 9s → @every 19s/,
      );
      assert.match(await p.locator('tr[data-row="removed old"]').innerText(), /removed/);
      assert.equal(asked.at(-1), `0123456789ab ${revision}`);
      assert.match(p.url(), /a=0123456789ab/);
      reload = { at: new Date().toISOString(), ok: true, revision, problems: [] };
      await p.reload();
      await p.locator(".note", { hasText: "Read again" }).waitFor();
      assert.deepEqual(await axe(p), []);
    }),
  );

  test(
    "activity tells who paused what and why, and finds it",
    open("/activity", {}, async (p) => {
      const body = JSON.stringify({ reason: "smtp move" });
      await w.api("/jobs/nightly-report/pause", { method: "POST", body });
      await w.api("/jobs/broken/pause", { method: "POST", body: JSON.stringify({ reason: "other" }) });
      await w.api("/jobs/broken/resume", { method: "POST", body: "{}" });
      const row = p.locator("tbody tr", { hasText: "smtp move" });
      await row.waitFor({ timeout: 20_000 });
      assert.match(await row.innerText(), /paused[\s\S]*nightly-report[\s\S]*smtp move/);
      await p.locator("[data-search]").fill("smtp");
      await p.locator("tbody tr", { hasText: "other" }).waitFor({ state: "detached" });
      assert.match(p.url(), /q=smtp/);
      assert.equal(await p.locator("tbody tr").count(), 1);
      await p.locator("[data-search]").fill("nobody-did-this");
      await p.getByRole("heading", { name: "Nothing matches" }).waitFor();
      await p.goto(`${w.url}/activity?what=resume`);
      await p.locator("tbody tr", { hasText: "broken" }).waitFor();
      assert.equal(await p.locator("tbody tr").count(), 1);
    }),
  );

  test(
    "a lease is taken away by who types the job's name and says why",
    open("/leases", {}, async (p) => {
      await trigger("hold");
      await p.getByRole("button", { name: "Release the lease of hold" }).click();
      const send = p.locator("dialog button[type=submit]");
      assert.ok(await send.isDisabled());
      await p.getByLabel(/once more/).fill("etl");
      assert.ok(await send.isDisabled(), "another name");
      await p.getByLabel(/once more/).fill("hold");
      await send.click();
      assert.equal(await p.locator("dialog").count(), 1, "it was sent without a reason");
      await p.getByLabel("Reason").fill("pod hangs");
      assert.match(
        await p.locator("dialog .command code").innerText(),
        /scheduler lease release hold --token \d+ --reason/,
      );
      assert.deepEqual(await axe(p), []);
      await send.click();
      await p.locator("dialog").waitFor({ state: "detached" });
      await p.locator('tr[data-row="hold"]').waitFor({ state: "detached", timeout: 20_000 });
      await p.locator('[data-status="revoked"]').first().waitFor({ timeout: 20_000 });
      const { items } = await w.api("/activity");
      assert.ok(
        items.some((d) => d.what === "release-lease" && d.job === "hold" && d.reason === "pod hangs"),
      );
    }),
  );

  test(
    "the timeline is walked and moved with the keyboard",
    open("/timeline?span=15m", {}, async (p) => {
      await p.locator("a.bar").nth(3).waitFor({ state: "attached" });
      await p.locator(".plot").focus();
      await p.keyboard.press("Tab");
      const focused = () => p.evaluate(() => document.activeElement.getAttribute("aria-label"));
      const left = () => p.evaluate(() => document.activeElement.getBoundingClientRect().left);
      let last = await left();
      assert.ok((await focused()).length > 10);
      for (let i = 0; i < 3; i++) {
        await p.keyboard.press("Tab");
        const next = await left();
        assert.ok(next >= last - 8, `bar ${i} is earlier: ${next} < ${last}`);
        last = next;
      }
      await p.keyboard.press("Escape");
      assert.equal(await p.evaluate(() => document.activeElement.textContent), "View as table");
      await p.keyboard.press("ArrowLeft");
      await p.waitForURL(/at=/);
      await p.locator(".now-line").waitFor({ state: "detached" });
      await p.keyboard.press("n");
      await p.waitForURL((url) => !url.search.includes("at="));
      await p.locator(".now-line").waitFor({ state: "attached" });
      await p.keyboard.press("-");
      await p.waitForURL((url) => !url.search.includes("span=15m"));
      await p.keyboard.press("+");
      await p.waitForURL(/span=15m/);
      await p.locator("a.bar[data-run]").first().focus();
      await p.keyboard.press("Enter");
      await p.waitForURL(/\/runs\//);
    }),
  );

  test(
    "the timeline is filtered, shown by job, and told as a table",
    open("/timeline?span=15m&by=job", {}, async (p) => {
      await p.locator('[data-lane="quick"]').waitFor();
      await p.locator("[data-search]").fill("label:team=billing");
      await p.locator('[data-lane="quick"]').waitFor({ state: "detached" });
      await p.locator('[data-lane="broken"]').waitFor();
      await p.getByRole("link", { name: "View as table" }).click();
      await p.locator("tbody tr", { hasText: "broken" }).first().waitFor();
      assert.equal(await p.locator("tbody tr", { hasText: "quick" }).count(), 0);
      assert.match(await p.locator("caption").first().innerText(), /What ran/);
    }),
  );

  test(
    "a crash is simulated in a trial cluster only",
    open("/cluster", {}, async (p) => {
      await p.locator(`tr[data-row="${await idOf("cron-a")}"]`).waitFor();
      assert.equal(await p.getByRole("button", { name: /Simulate crash/ }).count(), 0);
    }),
  );

  const screens = [
    "/timeline?span=15m",
    "/timeline?span=1h&by=job",
    "/leases",
    "/cluster",
    "/config",
    "/activity",
  ];
  for (const [name, rules, options] of [
    ["light", undefined, { theme: "light" }],
    ["dark", ["color-contrast"], { theme: "dark" }],
    ["on a phone", ["target-size"], { width: 360, height: 740, hasTouch: true, isMobile: true }],
  ]) {
    test(
      `none of these pages has a serious fault of accessibility, ${name}`,
      open("/timeline", options, async (p) => {
        for (const path of screens) {
          await p.goto(w.url + path);
          await settled(p);
          assert.deepEqual(await axe(p, rules), [], path);
          assert.ok((await overflow(p)) <= 0, `${path} is too wide`);
        }
      }),
    );
  }

  test(
    "the phone shows a strip for each job",
    open("/timeline", { width: 360, height: 740, hasTouch: true, isMobile: true }, async (p) => {
      await p.locator('.phone-strip[data-row="quick"] svg').waitFor();
      await p.getByText("need a wider screen").waitFor();
      assert.equal(await p.locator(".lanes").count(), 0);
    }),
  );
});
