import assert from "node:assert/strict";
import { test } from "node:test";
import { units } from "./load.mjs";

const u = await units("watch-units");
const now = Date.parse("2026-11-29T12:00:00Z");
const time = (ms) => new Date(now + ms).toISOString();

test("a countdown goes from held over late to expired, and never below zero", () => {
  const left = (ms) => u.leftOf(time(0), 9, now - ms);
  assert.deepEqual(left(9000), { state: "held", seconds: 9, share: 1 });
  assert.equal(left(3000).state, "held");
  assert.equal(left(2999).state, "late");
  assert.deepEqual(left(0), { state: "expired", seconds: 0, share: 0 });
  assert.deepEqual(left(-60_000), { state: "expired", seconds: 0, share: 0 });
  assert.equal(u.leftOf(null, 9, now).state, "expired");
  assert.equal(u.leftOf("nonsense", 9, now).seconds, 0);
  assert.equal(u.leftOf(time(100), 0, now).state, "held", "of a length that is not known");
});

test("leases are looked at soon enough to see a renewal before one looks late", () => {
  assert.equal(u.everyOf([{ ttlSeconds: 9 }, { ttlSeconds: 30 }]), 1500);
  assert.equal(u.everyOf([{ ttlSeconds: 60 }]), 5000);
  assert.equal(u.everyOf([{ ttlSeconds: 1 }]), 1000);
  assert.equal(u.everyOf([{ ttlSeconds: 0 }]), 5000);
  assert.equal(u.everyOf([]), 5000);
});

test("renewals are counted as they are seen, for each token anew", () => {
  const lease = (token, renewed) => [{ job: "j", token, renewed }];
  let seen = u.counted(new Map(), lease(1, "a"));
  seen = u.counted(seen, lease(1, "a"));
  assert.equal(seen.get("j 1").times, 0);
  seen = u.counted(u.counted(seen, lease(1, "b")), lease(1, "c"));
  assert.equal(seen.get("j 1").times, 2);
  seen = u.counted(seen, lease(2, "d"));
  assert.deepEqual([...seen.keys()], ["j 2"]);
});

const bar = (more) => ({
  run: "j.1",
  job: "j",
  attempt: 1,
  replica: "a",
  token: 7,
  started: time(-60_000),
  ended: time(-50_000),
  status: "succeeded",
  ...more,
});

test("what became of leases is told with who came next", () => {
  const bars = [
    bar({ status: "lost" }),
    bar({
      attempt: 2,
      replica: "b",
      token: 8,
      started: time(-40_000),
      ended: null,
      status: "running",
      takesOver: { run: "j.1", attempt: 1 },
    }),
    bar({ run: "k.1", job: "k", started: time(-9000), ended: time(-5000) }),
    bar({ run: "m.1", started: null, token: undefined, status: "missed" }),
  ];
  const list = u.pastsOf(bars, [
    { type: "lease", phase: "revoked", job: "z", token: 3, at: time(-1000), by: "ana", note: "hangs" },
  ]);
  assert.deepEqual(
    list.map((p) => [p.job, p.what, p.seconds, p.more]),
    [
      ["z", "revoked", undefined, "by ana: hangs"],
      ["k", "done", 4, ""],
      ["j", "lost", 10, "won by b under token 8"],
    ],
  );
});

test("only what differs from most is marked", () => {
  assert.equal(u.usual(["a", "b", "b", undefined]), "b");
  assert.equal(u.usual([]), "");
  assert.equal(u.usual(["a", "b"]), "", "of two that as many have, each differs from the other");
  assert.deepEqual([u.odd("a", "b"), u.odd("b", "b"), u.odd(undefined, "b")], [true, false, false]);
});

test("who says nothing for long is silent", () => {
  assert.equal(u.stateOf({ state: "live", lastSeen: time(-3000) }, now), "live");
  assert.equal(u.stateOf({ state: "live", lastSeen: time(-11_000) }, now), "silent");
  assert.equal(u.stateOf({ state: "draining" }, now), "draining");
});

test("replicas that ran something and are not there are gone, with the reason where it is known", () => {
  const bars = [
    bar({ replica: "x", status: "lost" }),
    bar({ replica: "x", started: time(-300_000), ended: time(-290_000) }),
    bar(),
  ];
  const h = (phase, replica) => ({ type: "replica", phase, replica, at: time(0), by: "a" });
  const list = u.formerOf(bars, new Set(["a"]), [
    h("gone", "x"),
    h("left", "y"),
    h("gone", "z"),
    h("joined", "a"),
  ]);
  assert.deepEqual(list.map((f) => [f.id, f.why]).toSorted(), [
    ["x", "lost in the middle of j.1"],
    ["y", "left in good order"],
    ["z", "no longer heard of, says a"],
  ]);
  assert.deepEqual(
    [...u.wonBy(bars, now - 3600_000)],
    [
      ["x", 2],
      ["a", 1],
    ],
  );
  assert.deepEqual(
    [...u.wonBy(bars, now - 61_000)],
    [
      ["x", 1],
      ["a", 1],
    ],
  );
});

test("a problem is where compilers would say it is", () => {
  assert.equal(u.placeOf({ file: "jobs.yaml", line: 31, col: 5 }), "jobs.yaml:31:5");
  assert.equal(u.placeOf({ file: "jobs.yaml", line: 0, col: 0 }), "jobs.yaml");
  assert.equal(u.placeOf({ line: 4, col: 0 }), "4");
});

test("what drifts is compared first, else what was changed last", () => {
  const config = (known, replicas) => ({ known, replicas });
  const own = { replica: "a", revision: "r2" };
  assert.deepEqual(u.usualSides(config(["r2", "r1"], [own])), ["r1", "r2"]);
  assert.deepEqual(u.usualSides(config(["r2", "r1"], [own, { replica: "c", revision: "r9" }])), ["c", "r2"]);
  assert.deepEqual(u.sidesOf(config(["r2"], [own])).length, 1);
});

test("deeds are found by any of their words", () => {
  const deed = { at: "", who: "ana", what: "release-lease", job: "etl", reason: "pod hangs" };
  assert.ok(u.matches(deed, "", "ANA hangs"));
  assert.ok(u.matches(deed, "release-lease", "took"));
  assert.ok(!u.matches(deed, "pause", ""));
  assert.ok(!u.matches(deed, "", "bob"));
});
