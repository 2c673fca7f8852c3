import { remembered } from "../../store";
import { browserZone, clockOf } from "../../time/zone";

/** How the time of a line of output is shown. */
export const stampModes = ["off", "rel", "utc", "local"] as const;
export type StampMode = (typeof stampModes)[number];

/** stampMode is remembered. */
export const stampMode = remembered<StampMode>("log.time", stampModes, "utc");

/** wrapMode says whether long lines go on in the next row. */
export const wrapMode = remembered<"on" | "off">("log.wrap", ["on", "off"], "on");

const three = (n: number) => String(n).padStart(3, "0");

/** stamp is the time of a line, in ms, as it stands before it; start is when the run began. */
export function stamp(at: number, start: number, mode: StampMode): string {
  if (mode === "off" || !Number.isFinite(at)) return "";
  if (mode === "rel") {
    const s = Math.max(0, at - start) / 1000;
    const minutes = Math.floor(s / 60);
    const rest = (s - minutes * 60).toFixed(3).padStart(6, "0");
    return `+${minutes >= 60 ? `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}` : minutes}:${rest}`;
  }
  const ms = three(Math.floor(((at % 1000) + 1000) % 1000));
  const zone = mode === "utc" ? "UTC" : browserZone;
  return `${clock(Math.floor(at / 1000), zone)}.${ms}`;
}

/** A few hundred lines are seen at a time, and most have their second in common with others. */
const clocks = new Map<string, string>();

function clock(second: number, zone: string): string {
  const key = `${second} ${zone}`;
  let time = clocks.get(key);
  if (time === undefined) {
    time = clockOf(second * 1000, zone).time;
    if (clocks.size >= 500) clocks.clear();
    clocks.set(key, time);
  }
  return time;
}

/** stampWidth is how many characters the longest stamp has. */
export const stampWidth: Record<StampMode, number> = { off: 0, rel: 11, utc: 12, local: 12 };
