import { classOf, scan, type Style } from "./ansi";

/** Piece is a text that looks the same all over. */
export interface Piece {
  text: string;
  class: string;
  found: boolean; // it is what was looked for
}

/** pieces is the part of a line from one character to another, with what was looked for set apart. */
export function pieces(text: string, style: Style, from: number, to: number, find: string): Piece[] {
  const { spans } = scan(text, style);
  const hits = find ? places(spans.map((s) => s.text).join(""), find) : [];
  const out: Piece[] = [];
  let at = 0;
  for (const s of spans) {
    const start = Math.max(at, from);
    const end = Math.min(at + s.text.length, to);
    for (let i = start; i < end;) {
      const hit = hits.find((h) => h + find.length > i);
      const found = hit !== undefined && hit <= i;
      const until = Math.min(end, hit === undefined ? end : found ? hit + find.length : hit);
      out.push({ text: s.text.slice(i - at, until - at), class: classOf(s.style), found });
      i = until;
    }
    at += s.text.length;
    if (at >= to) break;
  }
  return out;
}

/** places is where find stands in text, whatever the case; at most 200. */
export function places(text: string, find: string): number[] {
  const out: number[] = [];
  const all = text.toLowerCase();
  const what = find.toLowerCase();
  if (!what || all.length !== text.length) return out; // a few letters change their length with their case
  for (let at = all.indexOf(what); at >= 0 && out.length < 200; at = all.indexOf(what, at + what.length))
    out.push(at);
  return out;
}
