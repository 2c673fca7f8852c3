const units: Record<string, number> = {
  d: 86400,
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
  µs: 1e-6,
  us: 1e-6,
  ns: 1e-9,
};

/** parseDuration reads a length of time as the API writes it, such as "1m3.5s"; the result is in seconds. */
export function parseDuration(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const sign = text.startsWith("-") ? -1 : 1;
  let rest = text.replace(/^[-+]/, "");
  if (rest === "0") return 0;
  let total = 0;
  while (rest) {
    const part = /^(\d+(?:\.\d+)?)(ms|µs|us|ns|d|h|m|s)/.exec(rest);
    if (!part) return undefined;
    total += Number(part[1]) * units[part[2]!]!;
    rest = rest.slice(part[0].length);
  }
  return sign * total;
}

const two = (n: number) => String(n).padStart(2, "0");

/** duration writes seconds as people say them: 0.8ms, 240ms, 4.1s, 1m02s, 3h05m, 2d4h. */
export function duration(seconds: number): string {
  const s = Math.abs(seconds);
  const sign = seconds < 0 ? "-" : "";
  if (s === 0) return "0s";
  if (s < 0.0095) return `${sign}${(s * 1000).toFixed(1)}ms`;
  if (s < 0.9995) return `${sign}${Math.round(s * 1000)}ms`;
  if (s < 9.95) return `${sign}${s.toFixed(1)}s`;
  const whole = Math.round(s);
  if (whole < 60) return `${sign}${whole}s`;
  if (whole < 3600) return `${sign}${Math.floor(whole / 60)}m${two(whole % 60)}s`;
  const minutes = Math.round(s / 60);
  if (minutes < 24 * 60) return `${sign}${Math.floor(minutes / 60)}h${two(minutes % 60)}m`;
  const hours = Math.round(s / 3600);
  return `${sign}${Math.floor(hours / 24)}d${hours % 24}h`;
}

/** roughly writes seconds as one number: 4s, 3m, 13h, 2d. */
export function roughly(seconds: number): string {
  const s = Math.abs(seconds);
  if (s < 60) return `${Math.round(s)}s`;
  if (s < 3600) return `${Math.round(s / 60)}m`;
  if (s < 48 * 3600) return `${Math.round(s / 3600)}h`;
  return `${Math.round(s / 86400)}d`;
}

/** relative says how far a moment is from now, both in ms: "in 3m", "2d ago", "now". */
export function relative(at: number, now: number): string {
  const seconds = (at - now) / 1000;
  if (Math.abs(seconds) < 1) return "now";
  return seconds > 0 ? `in ${roughly(seconds)}` : `${roughly(seconds)} ago`;
}
