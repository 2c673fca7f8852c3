import { useEffect, useRef, useState } from "preact/hooks";
import { useQuery } from "../router";

/** ms after the last key before it counts. */
const patience = 250;

/** SearchField is a text of the address (?q=): what is looked for. The key / leads to it. */
export function SearchField({ label, placeholder }: { label: string; placeholder: string }) {
  const [query, change] = useQuery();
  const asked = query.get("q") ?? "";
  const [text, setText] = useState(asked);
  // What this field has put into the address: it must not come back into it, over what was typed meanwhile.
  const own = useRef(asked);
  useEffect(() => {
    if (asked === own.current) return;
    own.current = asked; // somebody went back, or cleared the filters
    setText(asked);
  }, [asked]);
  useEffect(() => {
    if (text.trim() === asked) return;
    const timer = setTimeout(() => {
      own.current = text.trim();
      change({ q: own.current, page: "" }, true);
    }, patience);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      type="search"
      class="search"
      data-search
      value={text}
      placeholder={placeholder}
      aria-label={label}
      maxLength={200}
      spellcheck={false}
      onInput={(e) => setText(e.currentTarget.value)}
      onKeyDown={(e) => {
        if (e.key !== "Escape") return;
        setText("");
        e.currentTarget.blur();
      }}
    />
  );
}
