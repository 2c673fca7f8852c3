import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** How many characters the ruler has: one alone is too short to be measured well. */
const rulerLength = 100;
/** px of a row beside its text: padding, and the bar that one scrolls by. */
const beside = 40;

/** useColumns is how many characters of a row have room in box, beside taken ones; 20 at least. */
export function useColumns(box: RefObject<HTMLElement | null>, taken: number): number {
  const [columns, setColumns] = useState(120);
  useEffect(() => {
    const el = box.current!;
    const look = () => {
      const ruler = document.createElement("span");
      ruler.className = "log-ruler";
      ruler.textContent = "0".repeat(rulerLength);
      el.append(ruler);
      const width = ruler.getBoundingClientRect().width / rulerLength;
      ruler.remove();
      if (width > 0) setColumns(Math.max(20, Math.floor((el.clientWidth - beside) / width) - taken));
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(el);
    return () => sizes.disconnect();
  }, [taken]);
  return columns;
}
