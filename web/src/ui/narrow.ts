import { useEffect, useState } from "preact/hooks";

const phone = "(max-width: 640px)";

/** useNarrow reports whether the window is a phone's: there tables are cards, and lanes have no room. */
export function useNarrow(): boolean {
  const [narrow, set] = useState(() => window.matchMedia(phone).matches);
  useEffect(() => {
    const media = window.matchMedia(phone);
    const look = () => set(media.matches);
    look();
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, []);
  return narrow;
}
