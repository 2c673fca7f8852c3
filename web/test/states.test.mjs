import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { axe, browser, overflow, page, settled } from "./browser.mjs";
import { proxy } from "./proxy.mjs";
import { redis } from "./redis.mjs";
import { sample } from "./sample.mjs";
import { dev, freePort, serve, until } from "./world.mjs";

/** at is the sample for serve, on a port, with settings of admin, and with a Redis of its own or another one. */
const at = (port, { admin = "", addr = "embedded", text = sample } = {}) =>
  text.replace(
    "admin: { listen: 127.0.0.1:0 }",
    `redis: { addr: "${addr}" }\nadmin: { listen: "127.0.0.1:${port}"${admin} }`,
  );

describe("the states of the page", () => {
  let b;
  before(async () => void (b = await browser()));
  after(() => b?.close());

  test("Redis stopped and back: what was seen stays, nothing can be sent, and it goes on by itself", async () => {
    const store = await redis();
    const port = await freePort();
    const w = await serve(at(port, { addr: store.addr }), port);
    const p = await page(b, w.url);
    try {
      await until("something has run", async () => (await w.api("/runs?status=succeeded")).items.length);
      await settled(p);
      await p.getByRole("button", { name: "Trigger parked", exact: true }).click();
      await p.locator("dialog form").waitFor();
      await store.stop();

      const banner = p.locator(".banner.bad", { hasText: "The store does not answer" });
      await banner.waitFor({ timeout: 30_000 });
      await banner.getByText("Last heard of").waitFor();
      await banner.getByText("go on while their leases last").waitFor();
      await banner.getByText("At risk").waitFor();
      await p.locator(".status-strip .bad", { hasText: "redis down" }).waitFor();
      // The dialog that was open cannot be sent, and says why.
      const send = p.locator("dialog button[type=submit]");
      await until("the dialog is blocked", () => send.isDisabled());
      await p.locator("dialog", { hasText: "The store does not answer" }).waitFor();
      await p.keyboard.press("Escape");
      const trigger = p.getByRole("button", { name: "Trigger parked: not while the store does not answer" });
      await trigger.waitFor();
      assert.equal(await trigger.isDisabled(), true);
      assert.equal(await p.locator('tr[data-row="quick"]').count(), 1, "what was seen is gone");
      assert.deepEqual(await axe(p), []);
      assert.ok((await overflow(p)) <= 0);

      await store.start();
      await banner.waitFor({ state: "detached", timeout: 30_000 });
      await p.getByRole("button", { name: "Trigger parked", exact: true }).click();
      await until("it can be sent again", () => send.isEnabled());
      await send.click();
      await p.locator("dialog a", { hasText: "parked." }).waitFor({ timeout: 20_000 });
      assert.deepEqual(p.errors, []);
    } finally {
      await p.done();
      await w.end();
      await store.end();
    }
  });

  test("a replica of the trial cluster crashes, and another comes in its place", async () => {
    const w = await dev(sample);
    const p = await page(b, `${w.url}/cluster`);
    try {
      await settled(p);
      await p.getByRole("button", { name: "Simulate crash of replica-b", exact: true }).click();
      await p.getByLabel("Reason").fill("to see");
      await p.locator("dialog button[type=submit]").click();
      await p.locator("dialog").waitFor({ state: "detached" });
      await p.locator('[data-row="replica-b2"]').first().waitFor({ timeout: 30_000 });
      const lives = (id) => p.getByRole("button", { name: `Simulate crash of ${id}`, exact: true });
      await lives("replica-b").waitFor({ state: "detached", timeout: 30_000 });
      // The one that answers goes too: the page hardly notices.
      await p.getByRole("button", { name: "Simulate crash of replica-a", exact: true }).click();
      await p.locator("dialog button[type=submit]").click();
      await p.locator("dialog").waitFor({ state: "detached" });
      await p.locator('[data-row="replica-a2"]').first().waitFor({ timeout: 30_000 });
      await p.locator('[data-live="live"]').waitFor();
      const deeds = (await w.api("/activity")).items.filter((d) => d.what === "crash");
      assert.deepEqual(
        deeds.map((d) => d.reason),
        ["replica-a", "replica-b: to see"],
      );
      assert.deepEqual(p.errors, []);
    } finally {
      await p.done();
      await w.end();
    }
  });

  test("where no job is configured it shows how the first one is made", async () => {
    const port = await freePort();
    const w = await serve(at(port), port);
    const p = await page(b, "about:blank");
    try {
      // No replica starts without a job; a configuration that loses its last one while it runs may come.
      await p.route(/\/api\/v1\/jobs(\?|$)/, (route) =>
        route.fulfill({ json: { items: [], nextPageToken: "" } }),
      );
      await p.goto(w.url);
      await p.getByRole("heading", { name: "No job is configured yet" }).waitFor();
      await p.getByText("scheduler dev").first().waitFor();
      assert.deepEqual(await axe(p), []);
      await p.goto(`${w.url}/?q=nobody`);
      await p.getByRole("heading", { name: "No job matches" }).waitFor();
      await p.goto(`${w.url}/cluster`);
      await p.getByText("There is one replica").waitFor();
      assert.deepEqual(p.errors, []);
    } finally {
      await p.done();
      await w.end();
    }
  });

  test("the strip names what differs: versions, and the clock that is furthest off", async () => {
    const w = await dev(sample);
    const p = await page(b, "about:blank");
    try {
      const c = await w.api("/cluster");
      c.replicas[0].version = "v0.9.0";
      c.replicas[1].clockOffset = "-3.2s";
      c.maxOffset = "3.2s";
      await p.route(/\/api\/v1\/cluster$/, (route) => route.fulfill({ json: c }));
      await p.goto(w.url);
      await p.locator(".status-strip .bad", { hasText: "2 versions" }).waitFor();
      await p.locator(".status-strip .bad", { hasText: `skew 3.2s ${c.replicas[1].id}` }).waitFor();
      assert.deepEqual(p.errors, []);
    } finally {
      await p.done();
      await w.end();
    }
  });

  test("where nobody is asked who they are a bar says so, on every screen", async () => {
    const port = await freePort();
    const w = await serve(at(port, { admin: ", insecureNoAuth: true" }), port);
    const p = await page(b, w.url);
    try {
      for (const path of ["/", "/runs", "/cluster"]) {
        await p.goto(w.url + path);
        await p.locator(".banner.bad", { hasText: "No authentication" }).waitFor();
      }
    } finally {
      await p.done();
      await w.end();
    }
  });

  const told = { sort: "name", first: "broken" };
  const token = "operator-0123456789-abcdef";
  const hash = createHash("sha256").update(token).digest("hex");

  for (const strip of [false, true]) {
    test(`below a base path that the proxy ${strip ? "takes off" : "hands on"}`, async () => {
      const port = await freePort();
      const admin =
        ', tokens: tokens, page: { basePath: /ops/cron, environment: { name: "PROD eu-1", tone: danger } }';
      const w = await serve(at(port, { admin }), port, { tokens: `op operator sha256:${hash}\n` });
      const via = await proxy(w.url, "/ops/cron", { strip });
      const p = await page(b, `${via.url}/?sort=${told.sort}`);
      try {
        await p.getByLabel("Token").fill(token);
        await p.getByRole("button", { name: "Sign in" }).click();
        await p.locator(`tr[data-row="${told.first}"]`).waitFor();
        await p.locator('[data-live="live"]').waitFor();
        await p.getByText("PROD eu-1").first().waitFor();
        await p.getByRole("link", { name: "Runs", exact: true }).first().click();
        await p.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
        assert.equal(new URL(p.url()).pathname, "/ops/cron/runs");
        await p.reload();
        await p.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
        await p.goto(`${via.url}/jobs/parked`);
        await p
          .getByRole("heading", { name: /parked/ })
          .first()
          .waitFor();
        const formed = await fetch(`${via.url}/login`, {
          method: "POST",
          body: new URLSearchParams({ token }),
          redirect: "manual",
        });
        assert.equal(formed.status, 303);
        assert.equal(new URL(formed.headers.get("location"), formed.url).pathname, "/ops/cron/");
        assert.deepEqual(via.strays, []);
        assert.deepEqual(p.errors, []);
      } finally {
        await p.done();
        await via.end();
        await w.end();
      }
    });
  }

  describe("how it looks and moves", () => {
    let w;
    before(async () => void (w = await dev(sample)));
    after(() => w?.end());

    test("follows the system's theme until one is chosen, and again afterwards", async () => {
      const p = await page(b, w.url, { theme: "dark" });
      try {
        await settled(p);
        const background = () => p.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
        const [dark, light] = ["rgb(15, 18, 22)", "rgb(246, 247, 249)"];
        assert.equal(await background(), dark);
        await p.emulateMedia({ colorScheme: "light" });
        assert.equal(await background(), light);
        await p.getByLabel("Theme").selectOption("dark");
        assert.equal(await background(), dark);
        await p.getByLabel("Theme").selectOption("system");
        assert.equal(await background(), light);
        assert.deepEqual(p.errors, []);
      } finally {
        await p.done();
      }
    });

    test("nothing moves by itself for whoever does not want that", async () => {
      const moving = () =>
        document
          .getAnimations()
          .filter((a) => a.playState === "running" && a.effect.getTiming().iterations > 1).length;
      for (const [reducedMotion, wanted] of [
        ["reduce", false],
        ["no-preference", true],
      ]) {
        const p = await page(b, w.url, { reducedMotion });
        try {
          await p.locator('[data-live="live"]').waitFor();
          if (wanted) await until("the sign of life breathes", () => p.evaluate(moving));
          else assert.equal(await p.evaluate(moving), 0);
        } finally {
          await p.done();
        }
      }
    });

    test("the list of keys opens, is fit for all, gives the focus back, and turns keys off", async () => {
      const p = await page(b, w.url);
      try {
        await settled(p);
        const help = p.getByRole("button", { name: "Keys and help" });
        await help.focus();
        await p.keyboard.press("?");
        const keys = p.locator("dialog[open]");
        await keys.getByRole("heading", { name: "Keys" }).waitFor();
        for (const text of ["Go to Runs", "Next row", "Search", "Trigger the job that has the focus"]) {
          await keys.getByText(text).waitFor();
        }
        assert.deepEqual(await axe(p), []);
        await keys.getByRole("checkbox").uncheck();
        await p.keyboard.press("Escape");
        await keys.waitFor({ state: "detached" });
        assert.equal(
          await help.evaluate((e) => e === document.activeElement),
          true,
          "the focus did not come back",
        );
        await p.keyboard.press("?");
        await p.keyboard.press("g");
        await p.keyboard.press("r");
        await p.reload();
        await settled(p);
        await p.getByRole("heading", { name: "Jobs", level: 1 }).waitFor();
        assert.equal(await p.locator("dialog").count(), 0);
      } finally {
        await p.done();
      }
    });

    test("the address may choose the zone for one visit, and has it once it is chosen", async () => {
      const p = await page(b, `${w.url}/?q=monthly&zone=utc`, { storage: { "solocron.zone": "job" } });
      try {
        const next = p.locator('tr[data-row="monthly"] .col-next');
        await until("it is in UTC", async () => / \d\d:\d\d:\d\dZ/.test(await next.innerText()));
        assert.equal(
          await p.evaluate(() => localStorage.getItem("solocron.zone")),
          "job",
          "a visit is not remembered",
        );
        await p.locator(".header").getByLabel("Time zone").selectOption("job");
        await until("it is in Tokyo's", async () => (await next.innerText()).includes("+09:00"));
        assert.match(p.url(), /zone=job/);
        assert.match(p.url(), /q=monthly/);
      } finally {
        await p.done();
      }
    });

    test("when the stream is lost countdowns stop, and go on when it is back", async () => {
      const via = await proxy(w.url, "", { strip: false });
      const p = await page(b, via.url);
      try {
        await p.locator('[data-live="live"]').waitFor();
        const next = p.locator('tr[data-row="monthly"] .col-next');
        await next.waitFor();
        via.cut();
        const lost = p.locator(".live", { hasText: "live lost" });
        await lost.waitFor();
        const [stood, said] = [await next.innerText(), await lost.innerText()];
        await until("time goes by", async () => (await lost.innerText()) !== said);
        assert.equal(await next.innerText(), stood);
        assert.equal(await p.locator('tr[data-row="quick"]').count(), 1);
        via.mend();
        await p.locator('[data-live="live"]').waitFor({ timeout: 60_000 });
      } finally {
        await p.done();
        await via.end();
      }
    });
  });
});
