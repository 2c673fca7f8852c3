// Runs all tests, or those whose files are named, and gives up after some minutes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { readdir } from "node:fs/promises";
import { binary } from "./world.mjs";

/** After so many s the tests are ended, those who wait for a machine under load may say more. */
const limit = Number(process.env.SOLOCRON_PAGE_LIMIT ?? 600);

let files = process.argv.slice(2);
if (!files.length) {
  files = (await readdir("test")).filter((f) => f.endsWith(".test.mjs")).map((f) => `test/${f}`);
  files.sort();
}
const env = { ...process.env, SOLOCRON_BINARY: await binary() };
const began = Date.now();

/** run runs some files, so many at once, and reports whether all went well. */
async function run(some, atOnce) {
  if (!some.length) return true;
  const args = ["--test", `--test-concurrency=${atOnce}`, `--test-timeout=${limit * 1000}`, ...some];
  // A group of its own: what the tests have started ends with them.
  const child = spawn(process.execPath, args, { stdio: "inherit", env, detached: true });
  const end = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // They have ended meanwhile.
    }
  };
  const stop = () => end("SIGTERM");
  process.on("SIGINT", stop).on("SIGTERM", stop);
  const timer = setTimeout(
    () => {
      console.error(`the tests of the page are ended after ${limit} s`);
      stop();
      setTimeout(() => end("SIGKILL"), 5000).unref();
    },
    limit * 1000 - (Date.now() - began),
  );
  const [code] = await once(child, "exit");
  clearTimeout(timer);
  process.off("SIGINT", stop).off("SIGTERM", stop);
  return code === 0;
}

// Speed is measured with nothing beside it; the others mostly wait.
const alone = files.filter((f) => f.endsWith("speed.test.mjs"));
const rest = files.filter((f) => !alone.includes(f));
const well = [await run(alone, 1), await run(rest, Math.max(2, availableParallelism()))];
console.log(`the tests of the page took ${Math.round((Date.now() - began) / 1000)} s`);
process.exit(well.every(Boolean) ? 0 : 1);
