import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { browser, page, settled } from "./browser.mjs";
import { jobSample } from "./job-sample.mjs";
import { dev, until } from "./world.mjs";

describe("keys while a list is asked for", () => {
  let w, b;
  before(async () => {
    [w, b] = await Promise.all([dev(jobSample), browser()]);
    for (const job of ["colours", "big"]) await w.api(`/jobs/${job}/trigger`, { method: "POST", body: "{}" });
    for (const [what, query] of Object.entries({
      failed: "status=failed",
      "one of big": "job=big",
      quick: "job=quick",
    }))
      await until(`there is a run: ${what}`, async () => (await w.api(`/runs?${query}`)).items.length);
  });
  after(async () => {
    await b?.close();
    await w?.end();
  });

  /**
   * patient has keys wait so many times as long for an answer as they do: what is pressed one after the other must
   * come in time on a machine under load, too.
   */
  const patient = (p, times = 10) =>
    p.addInitScript((times) => {
      const [now, later] = [performance.now.bind(performance), window.setTimeout.bind(window)];
      performance.now = () => now() / times;
      window.setTimeout = (fn, ms, ...rest) => later(fn, ms > 1000 && ms <= 3000 ? times * ms : ms, ...rest);
    }, times);

  /** open opens a list and hands it to fn; no script may fail. */
  const open = (path, options, fn) => async () => {
    const p = await page(b, "about:blank", options);
    try {
      if (options.before) await options.before(p);
      await p.goto(w.url + path);
      await settled(p);
      await p.locator("[data-row] a").first().waitFor();
      await fn(p);
      assert.deepEqual(p.errors, []);
    } finally {
      await p.done();
    }
  };

  const rows = (p) => p.locator("[data-row]").evaluateAll((all) => all.map((r) => r.dataset.row));
  const focused = (p) => p.evaluate(() => document.activeElement.closest("[data-row]")?.dataset.row);
  const press = async (p, ...keys) => {
    for (const key of keys) await p.keyboard.press(key);
  };

  /**
   * gate keeps the answers to some questions back until it is opened, so that what is pressed meanwhile is pressed
   * before they come, however slow or fast the machine is. Asked waits for such a question.
   */
  const gate = async (p, wanted) => {
    let open;
    const opened = new Promise((done) => (open = done));
    let asked = false;
    await p.route(
      (url) => wanted(url),
      async (route) => {
        const res = await route.fetch();
        asked = true;
        await opened;
        await route.fulfill({ response: res }).catch(() => {}); // it may not be wanted any longer
      },
    );
    return { open, asked: () => until("it is asked for", () => asked) };
  };
  const about = (path, name, value) => (url) =>
    url.pathname === `/api/v1/${path}` && (url.searchParams.get(name) ?? "") === value;

  /** answers gives a list whatever make gives of its items, each time it is asked for. */
  const answers = (p, path, make) =>
    p.route(
      (url) => url.pathname === `/api/v1/${path}` && url.searchParams.get("pageSize") === "50",
      async (route) => {
        const res = await route.fetch();
        const json = await res.json();
        await route.fulfill({ response: res, json: { ...json, items: make(json.items) } });
      },
    );

  test(
    "Escape leaves the field of a job, and the filter stays",
    open("/runs?job=colours", {}, async (p) => {
      let all = 0;
      p.on("request", (r) => about("runs", "job", "")(new URL(r.url())) && all++);
      await press(p, "/", "Escape");
      await press(p, "j");
      const first = await focused(p);
      assert.match(first, /^colours\./);
      const again = p.waitForRequest((r) => about("runs", "job", "big")(new URL(r.url())));
      // What is asked for by one question more shows that nothing was asked for before it.
      await p.getByRole("combobox", { name: "Job" }).fill("big");
      await press(p, "Enter");
      await again;
      assert.equal(all, 0, "all runs were asked for");
    }),
  );

  test(
    "Escape gives up what was typed and not entered",
    open("/runs?job=colours", {}, async (p) => {
      const field = p.getByRole("combobox", { name: "Job" });
      await press(p, "/", "End");
      await p.keyboard.type("-of-the-rainbow");
      await press(p, "Escape");
      assert.equal(await field.inputValue(), "colours");
      await press(p, "j", "Enter");
      await p.waitForURL(/\/runs\/colours\./);
      await p.goBack();
      await p.waitForURL(/\/runs\?job=colours$/);
    }),
  );

  test(
    "a name that is the beginning of another one does not hold up who types on",
    open("/runs", {}, async (p) => {
      const field = p.getByRole("combobox", { name: "Job" });
      await field.focus();
      await p.locator('#jobs option[value="quick"]').waitFor({ state: "attached" });
      const text = await field.evaluate(async (el) => {
        const type = async (text) => {
          el.value = text;
          el.dispatchEvent(new InputEvent("input", { bubbles: true }));
          // Rendered, but not painted: what follows a change of the address has not run yet.
          for (let i = 0; i < 20; i++) await Promise.resolve();
        };
        await type("quick");
        await type("quick-");
        await new Promise((done) => setTimeout(done, 200));
        return el.value;
      });
      assert.equal(text, "quick-");
    }),
  );

  test(
    "an entry is one step back, however often it is told of",
    open("/runs", {}, async (p) => {
      const steps = () => p.evaluate(() => history.length);
      const before = await steps();
      await press(p, "/");
      await p.keyboard.type("colours");
      await press(p, "Enter");
      await p.waitForURL(/job=colours/);
      await press(p, "Enter", "Escape");
      assert.equal((await steps()) - before, 1);
    }),
  );

  test(
    "what is pressed before the answer to a filter comes is about the rows of that answer",
    open("/runs", { before: patient }, async (p) => {
      const colours = await gate(p, about("runs", "job", "colours"));
      await press(p, "/");
      await p.keyboard.type("colours");
      await press(p, "Enter");
      await colours.asked();
      assert.ok((await rows(p)).some((id) => !id.startsWith("colours.")));
      await press(p, "Escape", "j", "Enter");
      colours.open();
      await p.waitForURL(/\/runs\/colours\./);
    }),
  );

  test(
    "the same for jobs: Enter takes what is typed, Escape leaves it, and a key acts on the row that comes",
    open("/?sort=name", { before: patient }, async (p) => {
      await p.locator('tr[data-row="big"]').first().waitFor(); // another table may be there before the list
      // Who types slowly asks for a part of it before.
      const nightly = await gate(p, (url) => url.pathname === "/api/v1/jobs" && url.searchParams.get("q"));
      await press(p, "/");
      await p.keyboard.type("nightly");
      await press(p, "Enter");
      await p.waitForURL(/q=nightly$/);
      assert.ok((await rows(p)).includes("big"));
      await press(p, "Escape", "j", "t");
      assert.equal(await p.locator("dialog").count(), 0, "it acted on a row that is about to go");
      nightly.open();
      await p.getByRole("heading", { name: "Trigger nightly-report" }).waitFor();
      assert.match(p.url(), /q=nightly/);
      await press(p, "Escape");
      await p.locator("dialog").waitFor({ state: "detached" });
      await press(p, "Escape");
      await p.locator('tr[data-row="big"]').first().waitFor();
    }),
  );

  test(
    "Escape in a search that was not entered has the list as it was, and j is about that one",
    open("/?sort=name", { before: patient }, async (p) => {
      await press(p, "/");
      await p.keyboard.type("nightly");
      await p.locator('tr[data-row="big"]').waitFor({ state: "detached" });
      const all = await gate(p, about("jobs", "q", ""));
      await press(p, "Escape", "j", "Enter");
      await all.asked();
      all.open();
      await p.waitForURL(/\/jobs\/big$/);
    }),
  );

  test(
    "keys wait for a screen that is still to come",
    open("/", { before: patient }, async (p) => {
      const runs = await gate(p, (url) => url.pathname === "/api/v1/runs");
      await press(p, "g", "r", "j", "Enter");
      await runs.asked();
      runs.open();
      await p.waitForURL(/\/runs\/\w+\./);
    }),
  );

  test(
    "when the answer is late the rows that are there can be gone through, and nothing else is done",
    open("/runs", { before: (p) => patient(p, 3) }, async (p) => {
      const colours = await gate(p, about("runs", "job", "colours"));
      await press(p, "/");
      await p.keyboard.type("colours");
      await press(p, "Enter");
      await colours.asked();
      await press(p, "Escape", "j", "Enter");
      await until("a row has the focus", () => focused(p));
      assert.equal(new URL(p.url()).pathname, "/runs");
      const first = await focused(p);
      await press(p, "j");
      await until("the next one has it", async () => (await focused(p)) !== first);
      colours.open();
    }),
  );

  test(
    "whoever does something else has changed their mind",
    open("/runs", { before: patient }, async (p) => {
      const colours = await gate(p, about("runs", "job", "colours"));
      await press(p, "/");
      await p.keyboard.type("colours");
      await press(p, "Enter");
      await colours.asked();
      await press(p, "Escape", "j", "Enter", "/");
      colours.open();
      await until("only those", async () => {
        const all = await rows(p);
        return all.length > 0 && all.every((id) => id.startsWith("colours."));
      });
      assert.equal(await p.evaluate(() => document.activeElement.ariaLabel), "Job");
      assert.equal(new URL(p.url()).pathname, "/runs");
    }),
  );

  test(
    "a dialog is open as soon as it is there, also when its answer comes: no key falls through to the page",
    open("/?q=nightly", {}, async (p) => {
      const details = await gate(p, (url) => url.pathname === "/api/v1/jobs/nightly-report");
      await p.evaluate(() => {
        globalThis.seen = [];
        new MutationObserver(() => {
          for (const d of document.querySelectorAll("dialog")) globalThis.seen.push(d.open);
        }).observe(document.body, { childList: true, subtree: true });
      });
      await press(p, "j", "t");
      await p.locator("dialog").waitFor();
      await details.asked();
      details.open();
      await p.locator("dialog form").waitFor();
      assert.deepEqual([...new Set(await p.evaluate(() => globalThis.seen))], [true]);
      await press(p, "Escape");
      await p.locator("dialog").waitFor({ state: "detached" });
      assert.match(p.url(), /q=nightly/, "Escape was one of the page");
      assert.equal(await focused(p), "nightly-report");
    }),
  );

  // The list is asked for again by itself whenever quick runs, every 3 s.
  for (const [path, list] of [
    ["/", "jobs"],
    ["/runs", "runs"],
  ]) {
    let gone;
    test(
      `where the row with the focus goes, j and k go on from there: ${list}`,
      open(
        path,
        {
          before: (p) => {
            gone = new Set();
            let kept;
            return answers(p, list, (items) => (kept ??= items).filter((i) => !gone.has(i.id ?? i.name)));
          },
        },
        async (p) => {
          const [, second, third] = await rows(p);
          await press(p, "j", "j");
          assert.equal(await focused(p), second);
          gone.add(second);
          await p.locator(`tr[data-row="${second}"]`).waitFor({ state: "detached" });
          await press(p, "Enter"); // nobody has chosen another row
          assert.equal(new URL(p.url()).pathname, path);
          await press(p, "j");
          assert.equal(await focused(p), third, "j began at the top");
          gone.add(third);
          await p.locator(`tr[data-row="${third}"]`).waitFor({ state: "detached" });
          await press(p, "k");
          assert.equal(await focused(p), (await rows(p))[0]);
        },
      ),
    );
  }

  for (const way of ["as this browser moves elements", "where moving an element takes its focus"]) {
    let turned;
    test(
      `a row keeps the focus when the order changes, ${way}`,
      open(
        "/",
        {
          before: async (p) => {
            turned = false;
            if (way.startsWith("where")) await p.addInitScript(() => delete Element.prototype.moveBefore);
            let kept;
            await answers(p, "jobs", (items) => ((kept ??= items), turned ? kept.toReversed() : kept));
          },
        },
        async (p) => {
          const names = await rows(p);
          await press(p, "j", "j");
          turned = true;
          await until("it is the other way round", async () => (await rows(p))[0] === names.at(-1));
          assert.equal(await focused(p), names[1]);
          await press(p, "k");
          assert.equal(await focused(p), names[2]);
          await press(p, "j", "Enter");
          await p.waitForURL(new RegExp(`/jobs/${names[1]}$`));
        },
      ),
    );
  }
});
