import type { Message } from "./events";
import type { Link, LiveState } from "./state";
import { follow } from "./stream";

/** Crew is what a tab does with what the leading tab passes on. */
export interface Crew {
  message(m: Message): void;
  link(l: Link): void;
  /** state is what this tab knows, for tabs that come later. */
  state(): LiveState;
  /** adopt takes over what the leading tab knows. */
  adopt(s: LiveState): void;
}

type Word =
  | { is: "hello" } // a tab is new
  | { is: "state"; state: LiveState }
  | { is: "message"; message: Message }
  | { is: "link"; link: Link };

/**
 * lead has one tab of this browser follow the stream and pass it on to the others, as a browser opens only six
 * connections to a host. Where there are no locks (plain HTTP to another machine) each tab has its own. It
 * returns what ends it.
 */
export function lead(crew: Crew): () => void {
  const end = new AbortController();
  const { locks } = navigator as { locks?: LockManager };
  if (!locks || typeof BroadcastChannel === "undefined") {
    void follow(crew, end.signal);
    return () => end.abort();
  }
  const name = `solocron events ${new URL(".", document.baseURI).pathname}`;
  const channel = new BroadcastChannel(name);
  let leading = false;
  const say = (w: Word) => channel.postMessage(w);
  channel.onmessage = (e: MessageEvent<Word>) => {
    const w = e.data;
    if (w.is === "hello") {
      if (leading) say({ is: "state", state: crew.state() });
    } else if (leading) return;
    else if (w.is === "state") crew.adopt(w.state);
    else if (w.is === "message") crew.message(w.message);
    else crew.link(w.link);
  };
  say({ is: "hello" });
  const passing = {
    message(message: Message) {
      crew.message(message);
      say({ is: "message", message });
    },
    link(link: Link) {
      crew.link(link);
      say({ is: "link", link });
    },
  };
  locks
    .request(name, { signal: end.signal }, async () => {
      leading = true;
      await follow(passing, end.signal);
      // Nobody else need try where there is no stream, nor while this tab is there.
      await new Promise<void>((done) => end.signal.addEventListener("abort", () => done()));
    })
    .catch(() => {}); // it was ended while it waited
  return () => {
    end.abort();
    channel.close();
  };
}
