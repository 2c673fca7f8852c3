/** jobOf is the job that the ID of a run names: what stands before its moment, or the hash of its key; "": none. */
export function jobOf(run: string): string {
  return /^(.+)\.(?:\d{8}T\d{6}|KEY-)/.exec(run)?.[1] ?? "";
}
