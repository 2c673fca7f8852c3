import type { components } from "../../api/schema";
import type { Happening } from "../../live/events";

type Config = components["schemas"]["Config"];

/** Note is something that happened at a moment, beside the runs. */
export interface Note {
  at: number; // ms since 1970
  /** What is drawn: a configuration in use or refused, a replica that came, left or was lost. */
  is: "loaded" | "rejected" | "joined" | "left" | "gone";
  replica: string;
  text: string;
}

const words = { joined: "joined", left: "left in good order", gone: "is no longer heard of" };

/** configNotes are when configurations came into use or were refused, as told and as this replica remembers. */
export function configNotes(recent: readonly Happening[], config: Config | undefined): Note[] {
  const notes = recent.flatMap((h): Note[] => {
    if (h.type !== "config" || (h.phase !== "loaded" && h.phase !== "rejected")) return [];
    const what = h.phase === "loaded" ? `runs ${short(h.note)}` : `refused a configuration: ${h.note ?? ""}`;
    return [{ at: Date.parse(h.at), is: h.phase, replica: h.replica, text: `${h.replica} ${what}` }];
  });
  const { loaded, lastReload } = config ?? {};
  if (loaded?.at && loaded.revision) {
    notes.push({
      at: Date.parse(loaded.at),
      is: "loaded",
      replica: "",
      text: `${short(loaded.revision)} loaded from ${loaded.file || "the program"}`,
    });
  }
  if (lastReload && !lastReload.ok) {
    const first = lastReload.problems[0]?.message ?? "";
    notes.push({ at: Date.parse(lastReload.at), is: "rejected", replica: "", text: `refused: ${first}` });
  }
  return unlike(notes);
}

/** replicaNotes are when replicas came and went: as told, and since when those that live do. */
export function replicaNotes(
  recent: readonly Happening[],
  live: readonly { id: string; started?: string | undefined }[],
): Note[] {
  const notes = recent.flatMap((h): Note[] => {
    if (h.type !== "replica" || !(h.phase in words)) return [];
    const is = h.phase as keyof typeof words;
    return [{ at: Date.parse(h.at), is, replica: h.replica, text: `${h.replica} ${words[is]}` }];
  });
  for (const r of live) {
    if (r.started)
      notes.push({ at: Date.parse(r.started), is: "joined", replica: r.id, text: `${r.id} joined` });
  }
  return unlike(notes);
}

/** The same thing is told by several, not in the same second. */
const same = 3000;

function unlike(notes: Note[]): Note[] {
  const kept: Note[] = [];
  for (const n of notes.sort((a, b) => a.at - b.at)) {
    const twin = kept.findLast((k) => k.is === n.is && (k.replica === n.replica || k.is === "loaded"));
    if (!twin || n.at - twin.at > same) kept.push(n);
  }
  return kept;
}

/** short is a revision as people compare it. */
export function short(revision: string | undefined): string {
  return revision?.slice(0, 8) ?? "";
}
