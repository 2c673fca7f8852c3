/** Happening is one thing that happened in the cluster, as GET /events tells it. */
export interface Happening {
  at: string;
  replica: string;
  type: "run" | "job" | "lease" | "replica" | "config";
  phase: string;
  job?: string;
  run?: string;
  tick?: string;
  cause?: string;
  attempt?: number;
  token?: number;
  verdict?: string;
  reason?: string;
  by?: string;
  note?: string;
  until?: string;
  counts?: Record<string, number>;
}

/** OpenRun is a run that has not ended. */
export interface OpenRun {
  id: string;
  job: string;
  state: string;
  tick?: string;
  cause?: string;
  attempt?: number;
  replica?: string;
  token?: number;
  started?: string;
}

/** LiveReplica is a replica that lives. */
export interface LiveReplica {
  id: string;
  version?: string;
  revision?: string;
  started?: string;
  lastSeen?: string;
}

/** Snapshot is how things stood when a stream began. */
export interface Snapshot {
  id: string;
  at: string;
  runs?: OpenRun[];
  moreRuns: number;
  replicas?: LiveReplica[];
}

/** Message is one event of the stream. */
export interface Message {
  event: string;
  id: string;
  data: string;
}

/** Parser takes a stream of server-sent events apart. */
export class Parser {
  /** The id of the last event, kept over comments that carry one. */
  lastId = "";
  /** What the server asks to wait before coming back, in ms; 0: it has not said. */
  retry = 0;
  private rest = "";

  /** take returns the events that are whole once text has arrived. */
  take(text: string): Message[] {
    this.rest += text;
    const blocks = this.rest.split("\n\n");
    this.rest = blocks.pop() ?? "";
    const out: Message[] = [];
    for (const block of blocks) {
      const message = this.block(block);
      if (message) out.push(message);
    }
    return out;
  }

  private block(block: string): Message | undefined {
    let event = "message";
    const data: string[] = [];
    for (const line of block.split("\n")) {
      const colon = line.indexOf(":");
      if (colon === 0) continue; // a comment
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "event") event = value;
      else if (field === "data") data.push(value);
      else if (field === "id") this.lastId = value;
      else if (field === "retry") this.retry = Number(value) || 0;
    }
    return data.length ? { event, id: this.lastId, data: data.join("\n") } : undefined;
  }
}
