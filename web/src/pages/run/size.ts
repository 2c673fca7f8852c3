/** size writes a number of bytes as people say it: 812 B, 1.2 KiB, 4 MiB. */
export function size(bytes: number): string {
  let n = bytes;
  for (const unit of ["B", "KiB", "MiB"]) {
    if (n < 1024 || unit === "MiB")
      return `${n >= 10 || Number.isInteger(n) ? Math.round(n) : n.toFixed(1)} ${unit}`;
    n /= 1024;
  }
  return "";
}
