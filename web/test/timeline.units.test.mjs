import assert from "node:assert/strict";
import { test } from "node:test";
import { units } from "./load.mjs";

const u = await units("timeline-units");
const at = (text) => Date.parse(text);
const minute = 60_000;
const hour = 60 * minute;

test("a timeline moves with the clock until somebody looks at a moment", () => {
  const now = at("2026-11-29T12:00:00Z");
  const live = u.stretchOf("1h", undefined, now);
  assert.deepEqual([now - live.from, live.to - now], [48 * minute, 12 * minute]);
  const fixed = u.stretchOf("15m", now, now + 5 * hour);
  assert.deepEqual([fixed.from, fixed.to], [now - 7.5 * minute, now + 7.5 * minute]);
  assert.equal(u.middleOf(fixed, 0.5), "2026-11-29T12:07:30.000Z");
  assert.equal(u.momentOf("no time"), undefined);
  assert.equal(u.momentOf(null), undefined);
  const far = u.stretchOf("7d", at("9999-01-01T00:00:00Z"), now);
  assert.ok(far.to < now + 400 * 24 * hour, "nobody looks further than history goes");
  assert.deepEqual([u.spanOf("2d"), u.spanOf("6h"), u.spanOf(null)], ["1h", "6h", "1h"]);
  assert.deepEqual([u.zoomed("15m", -1), u.zoomed("1h", -1), u.zoomed("7d", 1)], ["15m", "15m", "7d"]);
});

test("the API is asked the same while the clock moves on by a little, and for all that is shown", () => {
  const now = at("2026-11-29T12:00:10Z");
  const first = u.askedOf(u.stretchOf("1h", undefined, now));
  assert.deepEqual(u.askedOf(u.stretchOf("1h", undefined, now + 20_000)), first);
  for (let later = 0; later < 2 * hour; later += 17_000) {
    const s = u.stretchOf("1h", undefined, now + later);
    const asked = u.askedOf(s);
    assert.ok(at(asked.from) <= s.from && at(asked.to) >= s.to, `after ${later} ms`);
  }
});

test("ticks are at round times of the zone, also where it is half an hour off", () => {
  const s = { from: at("2026-11-29T11:07:00Z"), to: at("2026-11-29T12:07:00Z") };
  assert.deepEqual(
    u.ticksOf(s, "UTC", 4).map((t) => t.label),
    ["11:15", "11:30", "11:45", "12:00"],
  );
  const india = u.ticksOf({ from: s.from, to: s.from + 6 * hour }, "Asia/Kolkata", 6);
  assert.deepEqual(
    india.map((t) => t.label),
    ["17:00", "18:00", "19:00", "20:00", "21:00", "22:00"],
  );
  assert.equal(new Date(india[0].at).toISOString(), "2026-11-29T11:30:00.000Z");
});

test("an hour that a zone has twice has its tick twice, and one that it has not has none", () => {
  const labels = (from, to) =>
    u
      .ticksOf({ from: at(from), to: at(to) }, "Europe/Berlin", 12)
      .map((t) => `${t.label}@${new Date(t.at).toISOString().slice(11, 16)}`);
  assert.deepEqual(
    labels("2026-10-24T23:30:00Z", "2026-10-25T02:30:00Z").filter((l) => /:00@/.test(l)),
    ["02:00@00:00", "02:00@01:00", "03:00@02:00"],
  );
  assert.deepEqual(
    labels("2026-03-28T23:30:00Z", "2026-03-29T02:30:00Z").filter((l) => /:00@/.test(l)),
    ["01:00@00:00", "03:00@01:00", "04:00@02:00"],
  );
});

test("a week has a tick at each midnight of the zone, through a change of the clocks", () => {
  const ticks = u.ticksOf(
    { from: at("2026-10-21T12:00:00Z"), to: at("2026-10-28T12:00:00Z") },
    "Europe/Berlin",
    10,
  );
  assert.equal(ticks.length, 7);
  assert.ok(ticks.every((t) => t.day));
  assert.equal(ticks[0].label, "Thu 22 Oct");
  assert.equal(ticks[4].at - ticks[3].at, 25 * hour);
});

test("there are never more ticks than have room", () => {
  for (const length of [15 * minute, hour, 6 * hour, 24 * hour, 168 * hour]) {
    for (const most of [3, 7, 15]) {
      const n = u.ticksOf({ from: 0, to: length }, "UTC", most).length;
      assert.ok(n <= most + 1, `${length / minute} min, at most ${most}: ${n}`);
    }
  }
});

test("what overlaps stands in rows, and what does not shares one", () => {
  const { items, rows } = u.layOut([
    { of: "a", x: 0, wide: 50 },
    { of: "b", x: 20, wide: 50 },
    { of: "c", x: 60, wide: 20 },
  ]);
  assert.equal(rows, 2);
  assert.deepEqual(
    items.map((i) => [i.of[0], i.row]),
    [
      ["a", 0],
      ["b", 1],
      ["c", 0],
    ],
  );
});

test("bars are at least 3 px wide, and those that have no room beside each other are one with a count", () => {
  const one = u.layOut([{ of: 1, x: 10, wide: 0.2 }]);
  assert.deepEqual([one.items[0].wide, one.items[0].of.length], [3, 1]);
  const many = u.layOut(Array.from({ length: 1000 }, (_, i) => ({ of: i, x: i * 0.5, wide: 0.2 })));
  assert.ok(many.items.length < 50, `${many.items.length} items`);
  assert.equal(
    many.items.reduce((n, i) => n + i.of.length, 0),
    1000,
    "none is lost",
  );
  assert.ok(many.items.every((i) => i.of.length > 1 && i.wide >= 20));
});

test("a lane has so many rows at most, and loses nothing", () => {
  const { items, rows } = u.layOut(Array.from({ length: 40 }, (_, i) => ({ of: i, x: i, wide: 500 })));
  assert.ok(rows <= 6);
  assert.equal(
    items.reduce((n, i) => n + i.of.length, 0),
    40,
  );
});

const now = at("2026-11-29T12:00:00Z");
const bar = (more) => ({
  run: "load.1",
  job: "load",
  attempt: 1,
  replica: "a",
  token: 41,
  started: "2026-11-29T11:30:00Z",
  ended: "2026-11-29T11:40:00Z",
  status: "succeeded",
  ...more,
});
const told = (bars, more = {}) => ({ by: "replica", lanes: ["a", "b"], bars, planned: [], ...more });
const scale = { from: now - 48 * minute, to: now + 12 * minute, wide: 600 };

test("a run that goes on elsewhere is joined to the attempt that was lost, with its token", () => {
  const lost = bar({ status: "lost" });
  const next = bar({
    attempt: 2,
    replica: "b",
    token: 42,
    started: "2026-11-29T11:41:00Z",
    ended: null,
    status: "running",
    takesOver: { run: "load.1", attempt: 1, replica: "a", token: 41, ended: "2026-11-29T11:40:00Z" },
  });
  const lanes = u.lanesOf(told([lost, next]), scale, now, 0);
  assert.deepEqual(
    lanes.map((l) => l.name),
    ["a", "b", "planned"],
  );
  const [t] = u.takeoversOf(lanes, scale);
  assert.equal(t.bar.token, 42);
  assert.equal(t.from.x, 280);
  assert.equal(t.to.x, 290);
  assert.ok(t.from.y < lanes[1].top && t.to.y > lanes[1].top, "from one lane to the other");
  const said = u.wordsOf(next, now, "UTC");
  assert.match(said, /attempt 2, token 42, takes over from a, where attempt 1 was lost under token 41/);
  const beyond = u.takeoversOf(u.lanesOf(told([next]), scale, now, 0), scale);
  assert.equal(beyond.length, 1, "also when the attempt before it is out of sight");
});

test("a bar that is on grows with the clock", () => {
  const on = bar({ ended: null, status: "running" });
  const wide = (now) => u.lanesOf(told([on]), scale, now, 0)[0].items[0].wide;
  assert.equal(wide(now) - wide(now - minute), 10);
});

test("a tick that was not run has a place, and what is due is ahead of now", () => {
  const missed = bar({
    started: null,
    attempt: 0,
    status: "missed",
    why: "store",
    ended: "2026-11-29T11:50:00Z",
  });
  const due = [{ job: "load", time: "2026-11-29T12:05:00Z", runs: true }];
  const lanes = u.lanesOf(told([missed], { planned: due }), scale, now, 0);
  assert.equal(lanes[0].items[0].x, 380);
  assert.equal(lanes[2].planned[0].x, 530);
  const jobs = u.lanesOf(told([], { by: "job", lanes: [], planned: due }), scale, now, 0);
  assert.deepEqual([jobs.length, jobs[0].name], [1, "load"]);
});

test("those that are told as one stay so while the clock moves", () => {
  const bars = Array.from({ length: 300 }, (_, i) => {
    const begin = now - 40 * minute + i * 7000;
    const [started, ended] = [begin, begin + 50].map((ms) => new Date(ms).toISOString());
    return bar({ run: `r${i}`, started, ended });
  });
  const groups = (later) => {
    const s = { from: scale.from + later, to: scale.to + later, wide: 600 };
    return u.lanesOf(told(bars), s, now, 0)[0].items.map((i) => i.of.map((b) => b.run).join());
  };
  const first = groups(0);
  assert.ok(first.length > 5 && first.length < 60, `${first.length} groups`);
  for (const later of [1000, 2000, 3700, 30_000]) assert.deepEqual(groups(later), first, `${later} ms later`);
});

test("several are shown as what most of them are, with the worst of them", () => {
  assert.equal(u.usualOf([bar({ status: "failed" }), bar(), bar()]), "succeeded");
  assert.equal(u.worstOf([bar(), bar({ status: "skipped" }), bar({ status: "failed" })]), "failed");
  assert.equal(u.worstOf([bar(), bar()]), "succeeded");
});

test("the store is drawn as it was seen, and not where nobody looked", () => {
  let s = [];
  for (const [up, t] of [
    [true, 0],
    [true, 5000],
    [false, 10_000],
    [false, 15_000],
    [true, 20_000],
  ])
    s = u.seen(s, up, t);
  assert.deepEqual(s, [
    { up: true, from: 0, to: 10_000 },
    { up: false, from: 10_000, to: 20_000 },
    { up: true, from: 20_000, to: 20_000 },
  ]);
  s = u.seen(s, true, 2_000_000);
  assert.deepEqual(s.at(-1), { up: true, from: 2_000_000, to: 2_000_000 });
});

test("a configuration that came into use, or was refused, is noted once", () => {
  const h = (phase, replica, ms, note) => ({
    type: "config",
    phase,
    replica,
    at: new Date(now + ms).toISOString(),
    note,
  });
  const notes = u.configNotes(
    [
      h("rejected", "a", 60_000, "jobs.yaml:3:1 no"),
      h("loaded", "b", 900, "4f2c1a"),
      h("loaded", "a", 0, "4f2c1a"),
    ],
    {
      loaded: { revision: "4f2c1a", at: new Date(now + 10).toISOString(), file: "jobs.yaml", jobs: 1 },
      lastReload: null,
    },
  );
  assert.deepEqual(
    notes.map((n) => n.is),
    ["loaded", "rejected"],
  );
  const gone = u.replicaNotes(
    [{ type: "replica", phase: "gone", replica: "x", at: new Date(now).toISOString() }],
    [{ id: "a", started: new Date(now - hour).toISOString() }],
  );
  assert.deepEqual(
    gone.map((n) => `${n.replica} ${n.is}`),
    ["a joined", "x gone"],
  );
});
