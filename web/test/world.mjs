// The world of the tests: the real program on free ports, and a real browser.
import { spawn, execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
export const root = resolve(import.meta.dirname, "..", "..");

/** binary builds the program once for a run of the tests; SOLOCRON_BINARY names one that is there. */
export async function binary() {
  if (process.env.SOLOCRON_BINARY) return process.env.SOLOCRON_BINARY;
  const out = join(import.meta.dirname, "..", ".cache", "scheduler");
  await run("go", ["build", "-o", out, "./cmd/scheduler"], { cwd: root, timeout: 300_000 });
  return out;
}

/** until calls look every 50 ms until it gives something, and fails after limit ms. */
export async function until(what, look, limit = 20_000) {
  const end = Date.now() + limit;
  for (;;) {
    const got = await look();
    if (got) return got;
    if (Date.now() > end) throw new Error(`within ${limit} ms: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Programs are what was started; each is ended by its own pid. */
class Program {
  constructor(child, dir) {
    this.child = child;
    this.dir = dir;
    this.out = "";
    const keep = (b) => (this.out = (this.out + b).slice(-200_000));
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
  }

  /** end asks the program to end, and has it killed if it does not. */
  async end() {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, "exit");
      this.child.kill("SIGINT");
      const kill = setTimeout(() => this.child.kill("SIGKILL"), 8000);
      await gone;
      clearTimeout(kill);
    }
    if (this.dir) await rm(this.dir, { recursive: true, force: true });
  }
}

async function launch(args, files, env = {}) {
  const dir = await mkdtemp(join(tmpdir(), "solocron-page-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
  const child = spawn(await binary(), args, {
    cwd: dir,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", ...env },
  });
  return new Program(child, dir);
}

/** dev starts `scheduler dev` with a configuration, or its own sample, and gives its address once it answers. */
export async function dev(config) {
  const files = config ? { "jobs.yaml": config } : {};
  const program = await launch(["dev", ...Object.keys(files), "--listen", "127.0.0.1:0"], files);
  return answering(program, /http:\/\/127\.0\.0\.1:\d+/);
}

/** serve starts `scheduler serve` with a configuration that says where it listens, or an environment that does. */
export async function serve(config, port, files = {}, env = {}) {
  const program = await launch(["serve", "-c", "jobs.yaml"], { "jobs.yaml": config, ...files }, env);
  return answering(program, null, `http://127.0.0.1:${port}`);
}

async function answering(program, pattern, known) {
  try {
    const url =
      known ??
      (await until("the program says where it is", () =>
        program.child.exitCode === null ? program.out.match(pattern)?.[0] : gone(program),
      ));
    await until("the program is ready", async () => {
      if (program.child.exitCode !== null) gone(program);
      return fetch(`${url}/readyz`).then(
        (r) => r.ok,
        () => false,
      );
    });
    return { url, program, end: () => program.end(), api: (path, init) => api(url, path, init) };
  } catch (err) {
    await program.end();
    throw err;
  }
}

function gone(program) {
  throw new Error(`the program ended with ${program.child.exitCode}:\n${program.out}`);
}

/** api asks the API beside the page, as the truth that the page is compared with. */
async function api(url, path, init) {
  const res = await fetch(`${url}/api/v1${path}`, init);
  if (!res.ok) throw new Error(`${path}: ${res.status} ${await res.text()}`);
  return res.json();
}

/** freePort is a port that nobody had a moment ago. */
export async function freePort() {
  const { createServer } = await import("node:net");
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
