import assert from "node:assert/strict";
import { test } from "node:test";
import { units } from "./load.mjs";

const u = await units("units");

test("events are taken apart wherever the stream is cut", () => {
  const text =
    'retry: 3000\n\nevent: run\nid: 1-0\ndata: {"a":1}\n\n: alive\nid: 2-0\n\nevent: job\ndata: x\ndata: y\n\n';
  const whole = new u.Parser();
  const want = whole.take(text);
  assert.deepEqual(want, [
    { event: "run", id: "1-0", data: '{"a":1}' },
    { event: "job", id: "2-0", data: "x\ny" },
  ]);
  assert.equal(whole.retry, 3000);
  for (let cut = 1; cut < text.length; cut++) {
    const p = new u.Parser();
    assert.deepEqual([...p.take(text.slice(0, cut)), ...p.take(text.slice(cut))], want, `cut at ${cut}`);
  }
});

test("a run is there from its start to its end, however often it is told", () => {
  const h = (phase, more = {}) => ({
    at: "2026-11-29T12:00:00Z",
    replica: "a",
    type: "run",
    phase,
    job: "j",
    run: "j.1",
    ...more,
  });
  let s = u.begun(
    u.nothing(),
    { id: "1-0", at: "", moreRuns: 2, runs: [{ id: "x", job: "x", state: "queued" }] },
    5,
  );
  assert.deepEqual([s.runs.size, s.moreRuns, s.heardAt], [1, 2, 5]);
  s = u.happened(s, h("started", { token: 41, attempt: 1 }), 6);
  s = u.happened(s, h("queued"), 7); // late: it does not take the run back
  assert.equal(s.runs.get("j.1").state, "running");
  assert.equal(s.runs.get("j.1").token, 41);
  s = u.happened(s, h("ended", { verdict: "succeeded" }), 8);
  s = u.happened(s, h("ended", { verdict: "succeeded" }), 8);
  assert.deepEqual([...s.runs.keys()], ["x"]);
});

test("no more happenings are kept than are ever shown", () => {
  let s = u.nothing();
  for (let i = 0; i < 500; i++)
    s = u.happened(s, { at: "", replica: "a", type: "job", phase: "paused", note: String(i) }, i);
  assert.equal(s.recent.length, 200);
  assert.equal(s.recent[0].note, "499");
});

test("lengths of time read and write as people say them", () => {
  for (const [text, want] of Object.entries({
    "1m3.5s": 63.5,
    "-4ms": -0.004,
    "0s": 0,
    "26h": 93600,
    "1h0m0.25s": 3600.25,
    "850µs": 0.00085,
  })) {
    assert.ok(Math.abs(u.parseDuration(text) - want) < 1e-9, text);
  }
  for (const text of ["", "5", "1x", "s", "1m 3s", "--1s"])
    assert.equal(u.parseDuration(text), undefined, text);
  const words = {
    0: "0s",
    0.0008: "0.8ms",
    0.24: "240ms",
    4.1: "4.1s",
    59.7: "1m00s",
    62: "1m02s",
    11100: "3h05m",
    187200: "2d4h",
  };
  for (const [s, want] of Object.entries(words)) assert.equal(u.duration(Number(s)), want);
  assert.equal(u.relative(1000_000, 1000_400), "now");
  assert.equal(u.relative(1180_000, 1000_000), "in 3m");
  assert.equal(u.relative(0, 2 * 86400_000), "2d ago");
});

test("a moment carries its zone, and as much of the date as it needs", () => {
  const at = Date.parse("2026-11-30T01:30:00Z");
  assert.equal(u.shortTime(at, at - 3600_000, "UTC"), "01:30:00Z");
  assert.equal(u.shortTime(at, at - 86400_000, "Europe/Berlin"), "Mon 02:30:00 +01:00");
  assert.equal(u.shortTime(at, at - 30 * 86400_000, "Asia/Kolkata"), "30 Nov 07:00:00 +05:30");
  assert.equal(
    u.fullTime(at, "Europe/Berlin"),
    "2026-11-30T02:30:00+01:00 Europe/Berlin (2026-11-30T01:30:00Z)",
  );
  assert.match(u.shortTime(at, at, "No/Such_Zone"), /01:30:00Z/);
});

test("a search is words, labels and a state", () => {
  assert.deepEqual(u.asked(" night label:team=billing label:!old status:failing report"), {
    q: "night report",
    labelSelector: "team=billing,!old",
    status: "failing",
  });
  assert.deepEqual(u.asked("status:nonsense x"), { q: "status:nonsense x", labelSelector: "", status: "" });
});

test("how long a job has failed", () => {
  const o = (status, seconds) => ({ id: "", tick: "", status, seconds });
  assert.equal(u.inARow([o("failed", 1), o("lost", 1), o("succeeded", 1), o("failed", 1)]), 2);
  assert.equal(u.inARow([o("missed", 0)]), 1);
});

test("a command line means in a shell what it says", () => {
  assert.equal(u.commandLine("a", "b c", "it's", "$(x)", ""), `a 'b c' 'it'\\''s' '$(x)' ''`);
});

test("a strip is told in words", () => {
  const cells = ["succeeded", "failed", "succeeded"].map((status, i) => ({
    id: String(i),
    status,
    seconds: 1,
    tick: "",
  }));
  assert.equal(u.summary(cells, true), "2 succeeded, 1 failed, 1 running, newest last");
});

test("a path is taken apart, or is another", () => {
  assert.deepEqual(u.match("/jobs/{job}", "/jobs/a%20b"), { job: "a b" });
  assert.deepEqual(u.match("/", "/"), {});
  for (const path of ["/jobs", "/jobs/a/b", "/runs/a", "/jobs/%zz"])
    assert.equal(u.match("/jobs/{job}", path), undefined, path);
});

test("an address may choose a zone that is known", () => {
  assert.equal(u.zoneIn("?q=a&zone=utc"), "utc");
  assert.equal(u.zoneIn("?zone=Mars"), undefined);
  assert.equal(u.zoneIn(""), undefined);
});
