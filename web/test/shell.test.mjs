import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { axe, browser, overflow, page, settled } from "./browser.mjs";
import { sample } from "./sample.mjs";
import { dev, freePort, serve, until } from "./world.mjs";

describe("the house around the pages", () => {
  let b;
  before(async () => void (b = await browser()));
  after(() => b?.close());

  const screens = [
    "/",
    "/jobs/quick",
    "/timeline",
    "/runs",
    "/leases",
    "/cluster",
    "/config",
    "/activity",
    "/runs/nope.20200101T000000Z",
  ];

  test("every screen opens by its address, in both themes and on a phone, without a serious fault", async () => {
    const w = await dev(sample);
    try {
      await until("something has run", async () => (await w.api("/runs?status=succeeded")).items.length);
      for (const [rules, options] of [
        [undefined, { theme: "light" }],
        [["color-contrast"], { theme: "dark" }],
        [["target-size"], { width: 360, height: 740 }],
      ]) {
        const p = await page(b, w.url, options);
        for (const path of screens) {
          await p.goto(w.url + path);
          await settled(p);
          assert.deepEqual(await axe(p, rules), [], `${path} ${JSON.stringify(options)}`);
          assert.ok((await overflow(p)) <= 0, `${path} is too wide ${JSON.stringify(options)}`);
        }
        assert.deepEqual(p.errors, []);
        await p.done();
      }
    } finally {
      await w.end();
    }
  });

  test("two tabs share one stream, and the second goes on when the first is closed", async () => {
    const w = await dev(sample);
    try {
      const context = await b.newContext();
      const streams = new Set();
      context.on("request", (r) => r.url().includes("/events") && streams.add(r));
      context.on("requestfailed", (r) => streams.delete(r));
      const one = await context.newPage();
      await one.goto(w.url);
      await one.locator('[data-live="live"]').waitFor();
      const two = await context.newPage();
      await two.goto(w.url);
      await two.locator('[data-live="live"]').waitFor();
      assert.equal(streams.size, 1);
      await one.close();
      await until("the second follows by itself", () => [...streams].some((r) => r.frame().page() === two));
      await w.api("/jobs/parked/trigger", { method: "POST", body: "{}" });
      await two.locator('tr[data-row="parked"] [data-status="ok"]').waitFor();
      await context.close();
    } finally {
      await w.end();
    }
  });

  test("what was seen stays when the replica is gone, and the page says so", async () => {
    const w = await dev(sample);
    const p = await page(b, w.url);
    try {
      await p.locator('[data-live="live"]').waitFor();
      await p.locator('tr[data-row="quick"]').waitFor();
      await w.end();
      await p.locator(".live", { hasText: "live lost" }).waitFor();
      await p.locator(".screen .banner", { hasText: "As of" }).waitFor({ timeout: 20_000 });
      assert.equal(await p.locator('tr[data-row="quick"]').count(), 1);
      const frozen = await p.locator('tr[data-row="monthly"] .col-next').innerText();
      assert.ok(frozen.includes("in "));
    } finally {
      await p.done();
      await w.end();
    }
  });

  test("who is not signed in is asked to, and a viewer sees no buttons", async () => {
    const port = await freePort();
    const tokens = { viewer: "viewer-0123456789-abcdefgh", operator: "operator-0123456789-abcdef" };
    const hash = (t) => createHash("sha256").update(t).digest("hex");
    const lines = Object.entries(tokens).map(([role, t]) => `${role}-token ${role} sha256:${hash(t)}`);
    const config = sample.replace(
      "admin: { listen: 127.0.0.1:0 }",
      `redis: { addr: embedded }\nadmin: { listen: "127.0.0.1:${port}", tokens: tokens }`,
    );
    const w = await serve(config, port, { tokens: lines.join("\n") + "\n" });
    const p = await page(b, w.url);
    try {
      await p.getByRole("heading", { name: "Sign in to Solocron" }).waitFor();
      assert.deepEqual(await axe(p), []);
      await p.getByLabel("Token").fill("not-the-token-0123456789");
      await p.getByRole("button", { name: "Sign in" }).click();
      await p.locator("[role=alert]").waitFor();
      await p.getByLabel("Token").fill(tokens.viewer);
      await p.getByRole("button", { name: "Sign in" }).click();
      await p.locator('tr[data-row="quick"]').waitFor();
      await p.locator(".status-strip", { hasText: "read-only (viewer)" }).waitFor();
      assert.equal(await p.getByRole("button", { name: /Trigger|Pause quick/ }).count(), 0);
      await p.getByRole("button", { name: "Sign out" }).click();
      await p.getByLabel("Token").fill(tokens.operator);
      await p.getByRole("button", { name: "Sign in" }).click();
      await p.getByRole("button", { name: "Trigger quick" }).waitFor();
      assert.deepEqual(p.errors, []);
    } finally {
      await p.done();
      await w.end();
    }
  });
});
