import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** useWidth follows how wide, in px, an element is. */
export function useWidth(box: RefObject<HTMLElement | null>): number {
  const [wide, setWide] = useState(0);
  useLayoutEffect(() => {
    const el = box.current!;
    const look = () => setWide(el.clientWidth);
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(el);
    return () => sizes.disconnect();
  }, []);
  return wide || 1;
}
