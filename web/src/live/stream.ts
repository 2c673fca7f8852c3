import { address, send } from "../api/client";
import { ApiError } from "../api/error";
import { Parser, type Message } from "./events";
import type { Link } from "./state";

/** After so many ms without a byte a stream is given up: a sign of life comes every 15 s. */
const silence = 40_000;
const firstWait = 1000;
const longestWait = 30_000;

/** Listener hears of what a stream brings. */
export interface Listener {
  message(m: Message): void;
  link(l: Link): void;
}

/**
 * follow keeps one stream open until signal ends it, and comes back where it left off: that of what happens in the
 * cluster, or another of the API, at url.
 */
export async function follow(listener: Listener, signal: AbortSignal, url?: string): Promise<void> {
  let lastId = "";
  let failures = 0;
  let lostAt = 0;
  while (!signal.aborted) {
    let why = "the stream ended";
    let wait = 0;
    try {
      const ended = await once(url ?? address("/api/v1/events"), lastId, signal, listener, () => {
        failures = 0;
        lostAt = 0;
      });
      lastId = ended.lastId;
      wait = ended.retry;
    } catch (err) {
      if (signal.aborted) return;
      if (err instanceof ApiError) {
        why = err.title;
        wait = err.retryAfter * 1000;
        if (err.status === 404 || err.status === 501) {
          listener.link({ is: "none" });
          return;
        }
      } else if (err instanceof Cut) {
        why = "no sign of life";
        lastId = err.lastId;
      } else {
        why = "the connection broke";
        lastId = (err as { lastId?: string }).lastId ?? lastId;
      }
    }
    const backoff = Math.min(longestWait, firstWait * 2 ** failures++);
    wait = Math.max(wait, backoff * (0.75 + Math.random() / 2));
    lostAt ||= Date.now();
    listener.link({ is: "lost", since: lostAt, retryAt: Date.now() + wait, why });
    await pause(wait, signal);
  }
}

/** Cut is the end of a stream that said nothing for too long. */
class Cut extends Error {
  constructor(readonly lastId: string) {
    super("silence");
  }
}

/** once reads one stream to its end. */
async function once(
  url: string,
  lastId: string,
  signal: AbortSignal,
  listener: Listener,
  opened: () => void,
) {
  const mine = new AbortController();
  const stop = () => mine.abort();
  signal.addEventListener("abort", stop);
  const parser = new Parser();
  parser.lastId = lastId;
  let quiet: number | undefined;
  let cut = false;
  const alive = () => {
    clearTimeout(quiet);
    quiet = window.setTimeout(() => {
      cut = true;
      mine.abort();
    }, silence);
  };
  try {
    alive();
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (lastId) headers["Last-Event-ID"] = lastId;
    const res = await send(url, { headers, signal: mine.signal });
    opened();
    listener.link({ is: "live", since: Date.now() });
    const reader = res.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { lastId: parser.lastId, retry: parser.retry };
      alive();
      for (const m of parser.take(value)) listener.message(m);
    }
  } catch (err) {
    if (cut) throw new Cut(parser.lastId);
    if (!(err instanceof ApiError)) throw Object.assign(new Error("broken"), { lastId: parser.lastId });
    throw err;
  } finally {
    clearTimeout(quiet);
    signal.removeEventListener("abort", stop);
  }
}

/** pause waits, less when the browser says that the network is back, or the page is looked at again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      done();
    };
    const timer = window.setTimeout(end, ms);
    window.addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
