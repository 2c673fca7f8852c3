// The pure functions behind the pages of a job, of runs and of one run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { units } from "./load.mjs";

const u = await units("runs");

const line = (offset, text, more = {}) => ({
  offset,
  at: "2026-11-30T00:00:00Z",
  stream: "stdout",
  attempt: 1,
  text,
  ...more,
});

test("colours are followed from line to line, and all else of a terminal is shown", () => {
  const { spans, end } = u.scan("a\u001b[31mb\u001b[1mc\u001b[0md", u.plainStyle);
  assert.deepEqual(
    spans.map((s) => [s.text, s.style.color, s.style.bold]),
    [
      ["a", -1, false],
      ["b", 1, false],
      ["c", 1, true],
      ["d", -1, false],
    ],
  );
  assert.deepEqual(end, u.plainStyle);
  assert.equal(u.scan("\u001b[38;5;196mx", u.plainStyle).end.color, 9, "of 256 the nearest of 16");
  assert.equal(u.scan("\u001b[38;2;0;120;0mx", u.plainStyle).end.color, 2);
  assert.equal(u.scan("\u001b[2Jx\u0007\u202e", u.plainStyle).spans[0].text, "␛[2Jx␇<U+202E>");
  assert.equal(u.visible("a\tb", 0), "a       b");
  assert.equal(u.visible("\tb", 5), "   b");
});

test("a book holds the first and the last lines, and knows what lies between", () => {
  const book = new u.Book();
  for (let i = 1; i <= 100_000; i++) book.add(line(i * 10, `line ${i}`));
  assert.equal(book.seen, 100_000);
  assert.ok(book.head.length + book.tail.length <= u.holdHead + u.holdTailMost);
  assert.equal(book.dropped + book.head.length + book.tail.length, 100_000);
  assert.equal(book.line(0).text, "line 1");
  assert.equal(book.line(book.count - 1).text, "line 100000");
  assert.equal(book.line(book.indexOf(812)).n, 812);
  assert.equal(book.line(book.indexOf(99_000)).n, 99_000);
  assert.equal(book.line(book.indexOf(30_000)), undefined, "it is not held");
  assert.equal(book.indexOf(100_001), -1);
  assert.deepEqual(book.droppedAt, { offset: (u.holdHead + 1) * 10, n: u.holdHead + 1 });
});

test("a line that comes in parts is one line, and a gap ends it", () => {
  const book = new u.Book();
  book.add(line(0, "one ", { open: true }));
  book.add(line(4, "line", { open: true }));
  book.skip({ offset: 8, bytes: 100 });
  book.add(line(108, "another"));
  assert.deepEqual([book.count, book.seen], [3, 2]);
  assert.deepEqual([book.line(0).text, book.line(1).gap, book.line(2).text], ["one line", 100, "another"]);
  assert.equal(book.indexOf(2), 2);
  assert.equal(book.indexOf(1), 0);
});

test("wrapped lines have as many rows as they need", () => {
  const book = new u.Book();
  const rows = new u.Rows(book, 10);
  book.add(line(0, "x".repeat(25)));
  book.add(line(25, ""));
  assert.equal(rows.count(), 4);
  book.add(line(26, "y".repeat(10), { open: true }));
  assert.equal(rows.count(), 5);
  book.add(line(36, "y"));
  assert.equal(rows.count(), 6, "the last line grew");
  assert.deepEqual(
    Array.from({ length: 6 }, (_, i) => Object.values(rows.row(i))),
    [
      [0, 0, 10],
      [0, 10, 20],
      [0, 20, 30],
      [1, 0, 10],
      [2, 0, 10],
      [2, 10, 20],
    ],
  );
  assert.equal(rows.first(2), 4);
  for (let i = 0; i < 5; i++) book.add(line(100 + i, "z"));
  assert.equal(rows.first(6), 9, "lines that came since are counted too");
});

test("rows stay right when lines are taken out", () => {
  const book = new u.Book();
  const rows = new u.Rows(book, 10);
  for (let i = 1; i <= 70_000; i++) {
    book.add(line(i, "z".repeat(15)));
    if (i % 997 === 0) rows.count();
  }
  assert.equal(rows.count(), (book.count - 1) * 2 + 1);
  assert.equal(rows.row(rows.count() - 1).index, book.count - 1);
  assert.ok(rows.taken > 0);
});

test("what is found is set apart, whatever colours it has and wherever rows break", () => {
  const style = u.plainStyle;
  const parts = u.pieces("say \u001b[31mHel\u001b[0mlo hello", style, 0, 100, "hello");
  assert.deepEqual(
    parts.map((p) => [p.text, p.class, p.found]),
    [
      ["say ", "", false],
      ["Hel", "ansi-1", true],
      ["lo", "", true],
      [" ", "", false],
      ["hello", "", true],
    ],
  );
  assert.equal(
    u
      .pieces("abcdef", style, 2, 4, "")
      .map((p) => p.text)
      .join(""),
    "cd",
  );
});

test("the story of a run says how long each step took", () => {
  const events = [
    { kind: "due", at: "2026-11-30T00:00:00Z", text: "due" },
    { kind: "won", at: "2026-11-30T00:00:00.184Z", replica: "a", token: 7, attempt: 1, text: "" },
    { kind: "started", at: "2026-11-30T00:00:00.21Z", replica: "a", attempt: 1, text: "" },
    {
      kind: "attempt-ended",
      at: "2026-11-30T00:00:02.21Z",
      attempt: 1,
      verdict: "failed",
      text: "failed: exit 3; another attempt follows",
    },
    { kind: "ended", at: "2026-11-30T00:00:10Z", attempt: 2, verdict: "succeeded", text: "succeeded" },
  ];
  const steps = u.stepsOf({ events, tick: "2026-11-30T00:00:00Z" });
  assert.deepEqual(
    steps.map((s) => [s.title, s.when, s.detail]),
    [
      ["due", "", ""],
      ["lease won (1)", "+184ms", "a, token 7"],
      ["started (1)", "+26ms", "on a"],
      ["attempt 1 failed", "+2.0s", "exit 3"],
      ["succeeded", "+7.8s", ""],
    ],
  );
});

test("attempts are numbered from the first that is known", () => {
  const tried = { replica: "a", token: 1, started: "", took: "1s", verdict: "failed" };
  const of = (more) =>
    u.attemptsOf({ id: "", job: "", events: [], lease: null, ...more }).map((a) => [a.n, a.status]);
  assert.deepEqual(
    of({ state: "ended", status: "succeeded", attempt: 3, started: "x", attempts: [tried, tried] }),
    [
      [1, "failed"],
      [2, "failed"],
      [3, "succeeded"],
    ],
  );
  assert.deepEqual(of({ state: "retrying", status: "retrying", attempt: 1, attempts: [tried] }), [
    [1, "failed"],
  ]);
  assert.deepEqual(of({ state: "queued", status: "queued" }), []);
});

test("the ID of a run names its job", () => {
  assert.equal(u.jobOf("nightly.report.20261129T013000Z"), "nightly.report");
  assert.equal(u.jobOf("big.20261130T001858Z.manual-a4ef6b72"), "big");
  assert.equal(u.jobOf("big.KEY-0123"), "big");
  assert.equal(u.jobOf("nonsense"), "");
});

test("what happened next is the run before it in the list", () => {
  const list = [{ id: "c" }, { id: "b" }, { id: "a" }];
  assert.equal(u.nextRun(list, "a").id, "b");
  assert.equal(u.nextRun(list, "c"), undefined);
  assert.equal(
    u.nextRun(
      Array.from({ length: 200 }, (_, i) => ({ id: `x${i}` })),
      "a",
    ),
    "far",
  );
});

test("the latest runs are summed up", () => {
  const run = (status, seconds, more = {}) => ({
    state: "ended",
    status,
    seconds,
    cause: "schedule",
    attempt: 1,
    ...more,
  });
  const s = u.statsOf([
    run("succeeded", 1, { startDelay: "10ms" }),
    run("failed", 3),
    run("timed_out", 60),
    run("skipped", 0),
    { state: "running", status: "running" },
  ]);
  assert.deepEqual([s.ran, s.succeeded, s.notRun, s.p50, s.p95, s.delay95], [3, 1, 1, 1, 3, 0.01]);
  assert.equal(u.quantile([], 0.5), undefined);
  assert.equal(u.quantile([4, 1, 3, 2], 0.95), 4);
});

test("an axis has round ticks and room for the longest", () => {
  for (const s of [0.0004, 0.9, 4.1, 61, 4000, 500_000]) {
    const { top, ticks } = u.scaleOf(s);
    assert.ok(top >= s && ticks.length >= 2 && ticks.length <= 6 && ticks[0] === 0, `${s}: ${ticks}`);
  }
});

test("YAML says what was meant, whatever is in it", () => {
  for (const text of ["yes", "a: b", "30 2 * * 1-5", "", "12", '"', "@every 2s", "trailing "])
    assert.equal(u.scalar(text), JSON.stringify(text), text);
  for (const text of ["Europe/Berlin", "nightly-report", "5m0s", "720h0m0s"])
    assert.equal(u.scalar(text), text);
  const yaml = u.yamlOf({
    name: "a",
    kind: "shell",
    schedule: "0 1 * * * | 0 2 * * *",
    timeZone: "UTC",
    labels: { team: "web: two" },
    source: { file: "jobs.yaml", line: 3 },
    params: [{ name: "day", type: "int", required: true }],
  });
  assert.match(yaml, /^- name: a {2}# jobs.yaml:3\n {2}schedule: \["0 1 \* \* \*", "0 2 \* \* \*"\]\n/);
  assert.match(yaml, / {4}team: "web: two"\n/);
  assert.match(yaml, /params: \[\{ name: day, type: int, required: true \}\]/);
});

test("a span of time is asked for by the minute", () => {
  const f = u.filtersOf(new URLSearchParams("span=1h&status=failed&trigger=nonsense"));
  const at = Date.parse("2026-11-30T12:34:56Z");
  const asked = u.runsAskedOf(f, at);
  assert.equal(asked.since, "2026-11-30T11:34:00.000Z");
  assert.deepEqual([asked.status, asked.trigger, asked.until], ["failed", undefined, undefined]);
  assert.deepEqual(u.runsAskedOf(f, at + 3000), asked, "each answer would be a new question");
  const own = u.runsAskedOf(u.filtersOf(new URLSearchParams("from=2026-11-01T00:00Z&to=nonsense")), at);
  assert.deepEqual([own.since, own.until], ["2026-11-01T00:00:00.000Z", undefined]);
});

test("a moment is read on the wall of a zone, also when clocks change", () => {
  const at = (text, zone = "Europe/Berlin") => {
    const ms = u.momentIn(text, zone);
    return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 19);
  };
  assert.equal(at("2026-11-16"), "2026-11-15T23:00:00");
  assert.equal(at("2026-07-01 02:30"), "2026-07-01T00:30:00");
  assert.equal(at("2026-11-16T02:30:00Z"), "2026-11-16T02:30:00");
  assert.equal(at("2026-10-25 02:30"), "2026-10-25T00:30:00", "the first of two");
  assert.equal(
    at("2026-03-29 02:30"),
    "2026-03-29T01:30:00",
    "it does not exist: 03:30 by the clock after it",
  );
  assert.equal(at("2026-11-16 12:00", "Asia/Kolkata"), "2026-11-16T06:30:00");
  for (const text of ["", "yesterday", "2026-02-30", "2026-01-01 25:00"])
    assert.equal(at(text), undefined, text);
});

test("a length of time is one that the command line takes", () => {
  assert.deepEqual([86_400, 5400, 90.5, 0].map(u.goLength), ["24h", "1h30m", "1m30.5s", "0s"]);
});
