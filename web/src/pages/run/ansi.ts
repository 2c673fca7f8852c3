/** Style is how a text of a terminal looks: of a fixed palette, so that no output can make itself unreadable. */
export interface Style {
  color: number; // 0 to 15; -1: the usual one
  bold: boolean;
  faint: boolean;
  underline: boolean;
  marked: boolean; // it has a background, or is inverted
}

/** plainStyle is how a line begins. */
export const plainStyle: Style = { color: -1, bold: false, faint: false, underline: false, marked: false };

/** Span is a text in one style. */
export interface Span {
  text: string;
  style: Style;
}

const escape = "\u001b";
// Colours and weights: all that is followed. Whatever else a terminal would do is shown as text.
const sgr = /\u001b\[([\d;:]{0,60})m/g;
// What a browser would not show, or would let turn the order of what is shown.
// eslint-disable-next-line no-control-regex
const unseen =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;
const tabStop = 8;

/** scan takes a line apart into texts of one style each, from the style that the line before ended in. */
export function scan(text: string, from: Style): { spans: Span[]; end: Style } {
  if (!text.includes(escape))
    return { spans: text ? [{ text: visible(text, 0), style: from }] : [], end: from };
  const spans: Span[] = [];
  let style = from;
  let at = 0;
  let column = 0;
  const say = (piece: string) => {
    if (!piece) return;
    const shown = visible(piece, column);
    column += shown.length;
    const last = spans.at(-1);
    if (last && last.style === style) last.text += shown;
    else spans.push({ text: shown, style });
  };
  for (const m of text.matchAll(sgr)) {
    say(text.slice(at, m.index));
    style = styled(style, m[1]!);
    at = m.index + m[0].length;
  }
  say(text.slice(at));
  return { spans, end: style };
}

/** visible is text with its tabs as spaces, and with pictures in the place of what has no look of its own. */
export function visible(text: string, column: number): string {
  let out = text;
  if (out.includes("\t")) {
    out = "";
    for (const [i, piece] of text.split("\t").entries()) {
      if (i > 0) out += " ".repeat(tabStop - ((column + out.length) % tabStop));
      out += piece;
    }
  }
  return out.replace(unseen, picture);
}

function picture(c: string): string {
  const code = c.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** styled is a style after one sequence of numbers. What is not known changes nothing. */
function styled(before: Style, numbers: string): Style {
  const list = numbers.split(/[;:]/).map((n) => (n === "" ? 0 : Number(n)));
  let s = { ...before };
  for (let i = 0; i < list.length; i++) {
    const n = list[i]!;
    if (n === 0) s = { ...plainStyle };
    else if (n === 1) s.bold = true;
    else if (n === 2) s.faint = true;
    else if (n === 4) s.underline = true;
    else if (n === 7) s.marked = true;
    else if (n === 22) s.bold = s.faint = false;
    else if (n === 24) s.underline = false;
    else if (n === 27 || n === 49) s.marked = false;
    else if (n >= 30 && n <= 37) s.color = n - 30;
    else if (n >= 90 && n <= 97) s.color = n - 90 + 8;
    else if (n === 39) s.color = -1;
    else if ((n >= 40 && n <= 47) || (n >= 100 && n <= 107)) s.marked = true;
    else if (n === 38 || n === 48) {
      const color =
        list[i + 1] === 5 ? paletteOf(list[i + 2] ?? 0) : list[i + 1] === 2 ? nearest(list, i + 2) : -1;
      i += list[i + 1] === 5 ? 2 : list[i + 1] === 2 ? 4 : 1;
      if (n === 48) s.marked = true;
      else s.color = color;
    }
  }
  return s;
}

/** paletteOf is the nearest of the 16 colours to one of 256. */
function paletteOf(n: number): number {
  if (n < 16) return n;
  if (n >= 232) return n < 244 ? 8 : 7;
  const c = n - 16;
  return mix(Math.floor(c / 36) / 5, (Math.floor(c / 6) % 6) / 5, (c % 6) / 5);
}

function nearest(list: number[], at: number): number {
  return mix((list[at] ?? 0) / 255, (list[at + 1] ?? 0) / 255, (list[at + 2] ?? 0) / 255);
}

/** mix is the colour whose red, green and blue are on or off as these are, each from 0 to 1. */
function mix(r: number, g: number, b: number): number {
  const top = Math.max(r, g, b);
  if (top < 0.2) return 8;
  const on = (x: number) => x >= top * 0.66;
  return (on(r) ? 1 : 0) + (on(g) ? 2 : 0) + (on(b) ? 4 : 0) + (top > 0.8 ? 8 : 0);
}

/** classOf is the class of a style in the style sheet; "" for the usual one. */
export function classOf(s: Style): string {
  const out: string[] = [];
  if (s.color >= 0) out.push(`ansi-${s.color}`);
  if (s.bold) out.push("ansi-bold");
  if (s.faint) out.push("ansi-faint");
  if (s.underline) out.push("ansi-under");
  if (s.marked) out.push("ansi-marked");
  return out.join(" ");
}
