import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { axe, browser, overflow, page, settled } from "./browser.mjs";
import { sample } from "./sample.mjs";
import { dev, until } from "./world.mjs";

describe("the list of jobs", () => {
  let w, b;
  before(async () => {
    [w, b] = await Promise.all([dev(sample), browser()]);
    await until("a job fails", async () => (await w.api("/jobs?status=failing")).items.length);
  });
  after(async () => {
    await b?.close();
    await w?.end();
  });

  /** open opens the list and hands it to fn; no script may fail, and no policy be broken. */
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
  const row = (p, job) => p.locator(`tr[data-row="${job}"]`);

  test(
    "shows every job, and those in trouble first",
    open("/", {}, async (p) => {
      const names = (await w.api("/jobs")).items.map((j) => j.name);
      const shown = await p.locator("tbody tr").evaluateAll((rows) => rows.map((r) => r.dataset.row));
      assert.deepEqual(shown.toSorted(), names.toSorted());
      await p.locator(".attention", { hasText: "broken" }).waitFor();
      await p.locator(".attention", { hasText: "no route to host" }).waitFor();
      await row(p, "off").locator('[data-status="suspended"]').waitFor();
      assert.match(await row(p, "nightly-report").innerText(), /30 2 \* \* 1-5/);
    }),
  );

  test(
    "moves by itself when a run begins and ends",
    open("/?q=invoice", {}, async (p) => {
      await w.api("/jobs/invoice/trigger", { method: "POST", body: "{}" });
      await row(p, "invoice").locator('[data-status="running"]').waitFor();
      await row(p, "invoice").locator('[data-status="ok"]').waitFor();
      await row(p, "invoice").locator(".strip-cell").first().waitFor();
    }),
  );

  test(
    "filters by state, label and name, and keeps it in the address",
    open("/", {}, async (p) => {
      await p.getByRole("link", { name: /suspended/ }).click();
      await row(p, "quick").waitFor({ state: "detached" });
      assert.match(p.url(), /status=suspended/);
      await row(p, "off").waitFor();
      await p.goto(`${w.url}/?q=label%3Ateam%3Dbilling`);
      await row(p, "monthly").waitFor();
      assert.equal(await row(p, "quick").count(), 0);
      await p.locator("[data-search]").fill("mon label:team=billing");
      await row(p, "broken").waitFor({ state: "detached" });
      await p.reload();
      await row(p, "monthly").waitFor();
      assert.equal(await p.locator("tbody tr").count(), 1);
      assert.equal(await p.locator("[data-search]").inputValue(), "mon label:team=billing");
    }),
  );

  test(
    "what is typed slowly, with a space at the end of a word, is all there",
    open("/", {}, async (p) => {
      const search = p.locator("[data-search]");
      await search.focus();
      await p.keyboard.type("mon ");
      await p.waitForURL(/q=mon$/);
      await p.keyboard.type("label:team=billing", { delay: 20 });
      await p.waitForURL(/billing/);
      assert.equal(await search.inputValue(), "mon label:team=billing");
    }),
  );

  test(
    "tells a filter that leaves nothing from a place without jobs",
    open("/?q=nobody-has-this-name", {}, async (p) => {
      await p.getByRole("heading", { name: "No job matches" }).waitFor();
      await p.getByRole("link", { name: "Clear filters" }).click();
      await row(p, "quick").waitFor();
    }),
  );

  test(
    "sorts by what is clicked, either way",
    open("/?sort=name", {}, async (p) => {
      const names = () => p.locator("tbody tr").evaluateAll((rows) => rows.map((r) => r.dataset.row));
      await p.locator('th.col-job[aria-sort="ascending"]').waitFor();
      const up = await names();
      assert.deepEqual(up, up.toSorted());
      await p.locator("th.col-job a").click();
      await p.locator('th.col-job[aria-sort="descending"]').waitFor();
      await until("it is the other way round", async () => (await names()).join() === up.toReversed().join());
    }),
  );

  const runsOf = async (job) => (await w.api(`/jobs/${job}/runs`)).items;

  test(
    "a double click on Trigger is one run, and the dialog leads to it",
    open("/", {}, async (p) => {
      const keys = [];
      p.on("request", (r) => r.method() === "POST" && keys.push(r.headers()["idempotency-key"]));
      await p.getByRole("button", { name: "Trigger nightly-report" }).click();
      await p.getByLabel("Reason").fill("it's late");
      const command = await p.locator("dialog .command code").innerText();
      assert.equal(command, `scheduler job trigger nightly-report --reason 'it'\\''s late'`);
      // The second half of a slow double click falls on what has come in the place of the button.
      await p.evaluate(() =>
        new MutationObserver((_, me) => {
          const close = [...document.querySelectorAll("dialog footer button")].find(
            (b) => b.textContent === "Close",
          );
          if (!close) return;
          me.disconnect();
          close.click();
        }).observe(document.body, { childList: true, subtree: true }),
      );
      await p.locator("dialog button[type=submit]").dblclick();
      const link = p.locator("dialog a", { hasText: "nightly-report." });
      await link.waitFor();
      const runs = await runsOf("nightly-report");
      assert.equal(runs.length, 1);
      assert.equal(await link.innerText(), runs[0].id);
      assert.equal(runs[0].reason, "it's late");
      assert.ok(keys.length >= 1 && keys[0] && new Set(keys).size === 1, `keys ${keys}`);
      const close = p.locator("dialog footer").getByRole("button", { name: "Close" });
      await until("the dialog is closed", async () => {
        if ((await close.count()) > 0) await close.click();
        return (await p.locator("dialog").count()) === 0;
      });
    }),
  );

  test(
    "an answer that is lost on the way is asked for again, and is the same run",
    open("/", {}, async (p) => {
      let lost = 0;
      await p.route("**/trigger", async (route) => {
        if (lost++ > 0) return route.continue();
        await route.fetch(); // the server has it, and the page does not hear of it
        await route.abort("connectionreset");
      });
      await p.getByRole("button", { name: "Trigger parked" }).click();
      await p.locator("dialog button[type=submit]").click();
      await p.locator("dialog a", { hasText: "parked." }).waitFor();
      assert.equal(lost, 2);
      assert.equal((await runsOf("parked")).length, 1);
    }),
  );

  test(
    "a run has the parameters of its dialog",
    open("/", {}, async (p) => {
      await p.getByRole("button", { name: "Trigger invoice" }).click();
      await p.getByLabel("day").fill("12");
      await p.getByLabel("region").selectOption("us");
      assert.equal(
        await p.locator("dialog .command code").innerText(),
        "scheduler job trigger invoice --param day=12 --param region=us",
      );
      await p.locator("dialog button[type=submit]").click();
      await p.locator("dialog a", { hasText: "invoice." }).waitFor();
      const run = (await runsOf("invoice")).find((r) => r.params?.region === "us");
      assert.equal(run?.params.day, "12");
    }),
  );

  test(
    "what the API refuses stands in the dialog, and can be put right",
    open("/", {}, async (p) => {
      await p.getByRole("button", { name: "Trigger invoice" }).click();
      await p.getByLabel("day").fill("many");
      await p.locator("dialog button[type=submit]").click();
      await p.locator("dialog [role=alert]", { hasText: "day" }).waitFor();
      await p.getByLabel("day").fill("3");
      await p.locator("dialog button[type=submit]").click();
      await p.locator("dialog a", { hasText: "invoice." }).waitFor();
    }),
  );

  test(
    "a job is paused with a reason, and resumed",
    open("/", {}, async (p) => {
      await p.getByRole("button", { name: "Pause monthly" }).click();
      await p.locator("dialog button[type=submit]").click();
      assert.equal(await p.locator("dialog").count(), 1, "it was sent without a reason");
      await p.getByLabel("Reason").fill("smtp move");
      await p.getByLabel("For", { exact: true }).fill("2h");
      await p.locator("dialog button[type=submit]").click();
      await row(p, "monthly").locator('[data-status="paused"]').waitFor();
      const { gate } = await w.api("/jobs/monthly");
      assert.equal(gate.reason, "smtp move");
      const hours = (Date.parse(gate.until) - Date.now()) / 3600_000;
      assert.ok(hours > 1.9 && hours <= 2.01, `until ${gate.until}`);
      await p.getByRole("button", { name: "Resume monthly" }).click();
      await p.locator("dialog button[type=submit]").click();
      await row(p, "monthly").locator('[data-status="paused"]').waitFor({ state: "detached" });
      assert.equal((await w.api("/jobs/monthly")).gate.closed, false);
    }),
  );

  test(
    "all of it can be done with the keyboard",
    open("/?sort=name", {}, async (p) => {
      await p.keyboard.press("Tab");
      assert.equal(await p.evaluate(() => document.activeElement.textContent), "Skip to content");
      await p.keyboard.press("j");
      const first = await p.evaluate(() => document.activeElement.closest("[data-row]").dataset.row);
      await p.keyboard.press("j");
      await p.keyboard.press("k");
      assert.equal(await p.evaluate(() => document.activeElement.closest("[data-row]").dataset.row), first);
      await p.keyboard.press("t");
      await p.locator("dialog[open] form").waitFor();
      await p.keyboard.press("Escape");
      await p.locator("dialog").waitFor({ state: "detached" });
      assert.equal(
        await p.evaluate(() => document.activeElement.closest("[data-row]")?.dataset.row),
        first,
        "the focus came back",
      );
      await p.keyboard.press("/");
      await p.keyboard.type("gj");
      assert.equal(await p.locator("[data-search]").inputValue(), "gj", "keys are letters in a field");
      await p.keyboard.press("Escape");
      await p.keyboard.press("?");
      await p.getByRole("heading", { name: "Keys" }).waitFor();
      await p.keyboard.press("Escape");
      await p.keyboard.press("g");
      await p.keyboard.press("r");
      await p.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
      await p.goBack();
      await row(p, "quick").waitFor();
      await p.keyboard.press("j");
      await p.keyboard.press("Enter");
      await p.waitForURL(/\/jobs\//);
    }),
  );

  test(
    "is dark when the system is, and when somebody says so",
    open("/", { theme: "dark" }, async (p) => {
      const background = () => p.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      assert.equal(await background(), "rgb(15, 18, 22)");
      await p.getByLabel("Theme").selectOption("light");
      assert.equal(await background(), "rgb(246, 247, 249)");
      await p.reload();
      assert.equal(await background(), "rgb(246, 247, 249)", "it is remembered");
    }),
  );

  test(
    "fits a phone of 360 px",
    open("/", { width: 360, height: 740, hasTouch: true, isMobile: true }, async (p) => {
      assert.equal(await overflow(p), 0);
      await p.getByRole("button", { name: "Trigger invoice" }).click();
      await p.locator("dialog form").waitFor();
      assert.equal(await overflow(p), 0);
      await p.getByRole("button", { name: "Close" }).click();
      await p
        .getByRole("navigation", { name: "Main, for phones" })
        .getByRole("link", { name: "Runs" })
        .click();
      await p.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
    }),
  );

  test(
    "shows times in the zone that is chosen",
    open("/?q=nightly", {}, async (p) => {
      assert.match(await row(p, "nightly-report").locator(".col-next").innerText(), /02:30:00 \+0[12]:00/);
      await p.locator(".header").getByLabel("Time zone").selectOption("utc");
      assert.match(await row(p, "nightly-report").locator(".col-next").innerText(), /0[01]:30:00Z/);
    }),
  );

  for (const theme of ["light", "dark"]) {
    test(
      `has no serious fault of accessibility, ${theme}`,
      open("/", { theme }, async (p) => {
        await row(p, "quick").locator(".strip-cell").first().waitFor();
        assert.deepEqual(await axe(p), []);
        await p.getByRole("button", { name: "Trigger invoice" }).click();
        await p.locator("dialog form").waitFor();
        assert.deepEqual(await axe(p), []);
      }),
    );
  }
});
