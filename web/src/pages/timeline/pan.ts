import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Less than so many px is a click and no drag. */
const still = 4;

/**
 * usePan lets an element be dragged sideways: px is how far it is meanwhile, and moved is called with it at the
 * end. What it returns tells, too, whether the last press was a drag, so that it is not taken for a click.
 */
export function usePan(box: RefObject<HTMLElement | null>, moved: (px: number) => void) {
  const [px, setPx] = useState(0);
  const latest = useRef(moved);
  latest.current = moved;
  const dragged = useRef(false);
  useEffect(() => {
    const el = box.current!;
    let from: number | undefined;
    let far = 0;
    const down = (e: PointerEvent) => {
      dragged.current = false;
      if (e.button !== 0) return;
      from = e.clientX;
      far = 0;
    };
    const move = (e: PointerEvent) => {
      if (from === undefined) return;
      far = e.clientX - from;
      if (!dragged.current && Math.abs(far) < still) return;
      dragged.current = true;
      setPx(far);
    };
    const up = () => {
      if (from !== undefined && dragged.current) latest.current(far);
      from = undefined;
      setPx(0);
    };
    const noGhost = (e: Event) => e.preventDefault(); // the browser would drag the link instead
    el.addEventListener("pointerdown", down);
    el.addEventListener("dragstart", noGhost);
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up);
    window.addEventListener("pointercancel", up);
    return () => {
      el.removeEventListener("pointerdown", down);
      el.removeEventListener("dragstart", noGhost);
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", up);
      window.removeEventListener("pointercancel", up);
    };
  }, []);
  return { px, active: px !== 0, moved: () => dragged.current };
}
