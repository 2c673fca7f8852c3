/** Scale is an axis for lengths of time, from 0 to top, both in s. */
export interface Scale {
  top: number;
  ticks: number[]; // at round times
}

const steps = [
  0.001,
  0.002,
  0.005,
  0.01,
  0.02,
  0.05,
  0.1,
  0.2,
  0.5,
  1,
  2,
  5,
  10,
  15,
  30,
  60,
  120,
  300,
  600,
  900,
  1800,
  3600,
  7200,
  3 * 3600,
  6 * 3600,
  12 * 3600,
  86400,
];

/** scaleOf is an axis on which the longest has room, with two to four ticks above 0. */
export function scaleOf(longest: number): Scale {
  const step = steps.find((s) => longest <= s * 4) ?? Math.ceil(longest / 4 / 86400) * 86400;
  const count = Math.max(1, Math.ceil(longest / step));
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, i) => i * step) };
}
