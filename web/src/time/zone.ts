import { createStore, remembered, useStore } from "../store";

/** ZoneChoice says in which zone times are shown: UTC, the browser's, or that of each job. */
export const zoneChoices = ["utc", "browser", "job"] as const;
export type ZoneChoice = (typeof zoneChoices)[number];

const zoneChoice = remembered<ZoneChoice>("zone", zoneChoices, "job");

/** visit is what the address that somebody came by says (?zone=): it holds until the page is loaded anew. */
const visit = createStore(zoneIn(globalThis.location?.search ?? ""));

/** zoneIn is the choice that an address makes by ?zone=; undefined: none that is known. */
export function zoneIn(search: string): ZoneChoice | undefined {
  const named = new URLSearchParams(search).get("zone");
  return zoneChoices.find((c) => c === named);
}

/** useZoneChoice returns the choice: that of the address, or else the one that is remembered. */
export function useZoneChoice(): ZoneChoice {
  const usual = useStore(zoneChoice);
  return useStore(visit) ?? usual;
}

/** chooseZone has times shown in another zone, and remembers that. The address is the caller's to change. */
export function chooseZone(choice: ZoneChoice): void {
  zoneChoice.set(choice);
  visit.set(undefined);
}

/** browserZone is the browser's own zone. */
export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** zoneOf is the zone to show a time in; job is that of the job it is about, if it is about one. */
export function zoneOf(choice: ZoneChoice, job?: string): string {
  if (choice === "browser") return browserZone;
  return choice === "job" && job ? job : "UTC";
}

/** useZone is zoneOf for the present choice. */
export function useZone(job?: string): string {
  return zoneOf(useZoneChoice(), job);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: string): Intl.DateTimeFormat {
  let f = formats.get(zone);
  if (!f) {
    const wanted: Intl.DateTimeFormatOptions = {
      weekday: "short",
      year: "numeric",
      month: "short",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
      timeZoneName: "longOffset",
    };
    try {
      f = new Intl.DateTimeFormat("en-GB", { ...wanted, timeZone: zone });
    } catch {
      f = new Intl.DateTimeFormat("en-GB", { ...wanted, timeZone: "UTC" }); // this browser does not know the zone
    }
    formats.set(zone, f);
  }
  return f;
}

/** Clock is a moment taken apart in a zone. */
export interface Clock {
  weekday: string;
  year: string;
  month: string;
  day: string;
  time: string; // 12:01:33
  offset: string; // +01:00, or Z
}

/** clockOf takes a moment, in ms since 1970, apart in a zone. */
export function clockOf(at: number, zone: string): Clock {
  const parts: Record<string, string> = {};
  for (const p of format(zone).formatToParts(at)) parts[p.type] = p.value;
  const offset = (parts["timeZoneName"] ?? "").replace("GMT", "");
  return {
    weekday: parts["weekday"] ?? "",
    year: parts["year"] ?? "",
    month: parts["month"] ?? "",
    day: parts["day"] ?? "",
    time: `${parts["hour"]}:${parts["minute"]}:${parts["second"]}`,
    offset: offset === "" || offset === "+00:00" ? "Z" : offset,
  };
}

/**
 * shortTime writes a moment as briefly as it is clear beside now: the time alone on the same day, with the
 * weekday within a week, else with the date. The zone is always there.
 */
export function shortTime(at: number, now: number, zone: string): string {
  const c = clockOf(at, zone);
  const today = clockOf(now, zone);
  const tail = `${c.time}${c.offset === "Z" ? "Z" : ` ${c.offset}`}`;
  if (c.day === today.day && c.month === today.month && c.year === today.year) return tail;
  if (Math.abs(at - now) < 6 * 86400_000) return `${c.weekday} ${tail}`;
  if (c.year === today.year) return `${c.day} ${c.month} ${tail}`;
  return `${c.day} ${c.month} ${c.year} ${tail}`;
}

/** fullTime writes a moment as RFC 3339 with the name of the zone, and in UTC. */
export function fullTime(at: number, zone: string): string {
  const utc = new Date(at).toISOString().replace(/\.000Z$/, "Z");
  if (zone === "UTC") return utc;
  const c = clockOf(at, zone);
  const month = String(new Date(`${c.month} 1 2000`).getMonth() + 1).padStart(2, "0");
  return `${c.year}-${month}-${c.day}T${c.time}${c.offset} ${zone} (${utc})`;
}
