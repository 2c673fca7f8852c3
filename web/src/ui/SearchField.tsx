import { useEffect, useRef, useState } from "preact/hooks";
import { useQuery } from "../router";

/** ms after the last key before it counts. */
const patience = 250;

/**
 * SearchField is a text of the address (?q=): what is looked for. The key / leads to it, Enter takes what is typed
 * at once, and Escape leaves it as it was entered last.
 */
export function SearchField({ label, placeholder }: { label: string; placeholder: string }) {
  const [query, change] = useQuery();
  const asked = query.get("q") ?? "";
  const [text, setText] = useState(asked);
  // What this field has put into the address: it must not come back into it, over what was typed meanwhile.
  const own = useRef(asked);
  const entered = useRef(asked);
  const take = (q: string) => {
    if (q === own.current) return;
    own.current = q;
    change({ q, page: "" }, true);
  };
  useEffect(() => {
    if (asked === own.current) return;
    own.current = entered.current = asked; // somebody went back, or cleared the filters
    setText(asked);
  }, [asked]);
  useEffect(() => {
    if (text.trim() === asked) return;
    const timer = setTimeout(() => take(text.trim()), patience);
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
        if (e.isComposing) return;
        if (e.key === "Enter") take((entered.current = e.currentTarget.value.trim()));
        if (e.key !== "Escape") return;
        e.preventDefault(); // the browser would empty it, which asks for everything
        setText(entered.current);
        take(entered.current);
        e.currentTarget.blur();
      }}
    />
  );
}
