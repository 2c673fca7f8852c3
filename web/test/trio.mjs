// Three replicas over a real Redis: what a place looks like where replicas come, go and differ.
import { redis } from "./redis.mjs";
import { freePort, serve, until } from "./world.mjs";

/** What replicas run by: leases are short, so that what happens when one is lost can be waited for. */
const config = (addr, jobs) => `
namespace: test
redis: { addr: "${addr}" }
lease: { ttl: 4s, renewEvery: 1s, tryTimeout: 300ms, stopGrace: 500ms, slack: 200ms, lockDelay: 500ms }
defaults: { timeout: 10m, labels: { team: web }, stopGracePeriod: 300ms }
jobs:
  - { name: quick, schedule: "@every 2s", shell: "echo quick" }
  - { name: broken, schedule: "@every 9s", shell: "echo no route to host >&2; exit 3", labels: { team: billing } }
  - { name: etl, schedule: "@every 5s", shell: "sleep 3" }
  - { name: warehouse, schedule: "0 4 1 * *", shell: "sleep 300", onHolderLost: rerun }
  - { name: hold, schedule: "0 5 1 * *", shell: "sleep 300", onHolderLost: skip }
  - { name: nightly-report, schedule: "30 2 * * 1-5", timeZone: Europe/Berlin, shell: "true" }
${jobs}`;

/**
 * trio starts cron-a, cron-b and cron-c over one Redis. The last one has another file: jobs of
 * another timeout, and one more.
 */
export async function trio() {
  const store = await redis();
  const replicas = {};
  const end = async () => {
    await Promise.all(Object.values(replicas).map((r) => r.end()));
    await store.end();
  };
  try {
    const started = ["a", "b", "c"].map(async (letter) => {
      const port = await freePort();
      const name = `cron-${letter}`;
      let text = config(store.addr, "");
      if (letter === "c") {
        text = config(store.addr, `  - { name: new-one, schedule: "@daily", shell: "true" }\n`);
        text = text.replace("timeout: 10m", "timeout: 20m");
      }
      const env = { SCHEDULER_REPLICA: name, SCHEDULER_ADMIN_LISTEN: `127.0.0.1:${port}` };
      replicas[name] = await serve(text, port, {}, env);
    });
    await Promise.all(started);
    const first = replicas["cron-a"];
    await until("all live", async () => (await first.api("/replicas")).items.length === 3);
    return { ...first, replicas, store, end };
  } catch (err) {
    await end();
    throw err;
  }
}
