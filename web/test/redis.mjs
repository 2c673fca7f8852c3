// A real Redis that is stopped, and comes back with what it held.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./world.mjs";

/** redis starts a redis-server; stop ends it, and start brings it back at the same address with the same data. */
export async function redis() {
  const dir = await mkdtemp(join(tmpdir(), "solocron-redis-"));
  const port = await freePort();
  let child;
  const start = async () => {
    // With a save point a SIGTERM saves everything first.
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir, "--save", "3600", "1"];
    child = spawn("redis-server", args, { stdio: "ignore" });
    const spawned = new Promise((done, failed) => child.once("spawn", done).once("error", failed));
    await spawned;
  };
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  };
  await start();
  return {
    addr: `127.0.0.1:${port}`,
    start,
    stop,
    async end() {
      await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
