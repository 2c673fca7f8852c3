import type { JobState } from "../../api/types";

/** The states a job can be in, as the API has them. */
export const states: JobState[] = ["failing", "running", "paused", "ok", "idle", "suspended"];

/** Asked is what a search is about. */
export interface Asked {
  q: string;
  labelSelector: string;
  status: string;
}

/** asked reads a search such as "report label:team=billing status:failing". */
export function asked(text: string): Asked {
  const words: string[] = [];
  const labels: string[] = [];
  let status = "";
  for (const word of text.split(/\s+/)) {
    const [, key, value] = /^(label|status):(.+)$/.exec(word) ?? [];
    if (key === "label") labels.push(value!);
    else if (key === "status" && states.includes(value as JobState)) status = value!;
    else if (word) words.push(word);
  }
  return { q: words.join(" "), labelSelector: labels.join(","), status };
}
