import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export interface VirtualListProps {
  /** How many lines there are; a hundred thousand are no trouble. */
  count: number;
  /** px of each line: they are all of this height. */
  lineHeight: number;
  line: (index: number) => ComponentChildren;
  /** It stays at the end while lines come. */
  follow?: boolean;
  /** Called when somebody scrolls away from the end, or back to it. */
  onFollow?: (follow: boolean) => void;
  /** A line to bring into view; another number each time it is to be. */
  show?: { index: number; turn: number } | undefined;
  /** How many lines have been taken out so far, all of them at the place takenAt: what is in view stays in view. */
  taken?: number;
  takenAt?: number;
  label: string;
  class?: string;
}

/** Browsers have no elements higher than some ten million px. */
const maxHeight = 8_000_000;
/** Lines that are ready above and below what is in view. */
const spare = 12;

/** VirtualList shows the lines that are in view, and only those are in the document. */
export function VirtualList(props: VirtualListProps) {
  const { count, lineHeight, line, follow = false, onFollow, show, taken = 0, takenAt = 0, label } = props;
  const box = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const lastTaken = useRef(taken);
  const view = useView(box);
  const height = count * lineHeight;
  const drawn = Math.min(height, maxHeight);
  // When not all lines have room, a px of scrolling is more than a px of lines.
  const scale = drawn > view.height && height > drawn ? (height - view.height) / (drawn - view.height) : 1;
  const top = view.top * scale;
  // As many each time: then what leaves at one end comes back at the other, and nothing is made anew.
  const room = Math.min(count, Math.ceil(view.height / lineHeight) + 1 + 2 * spare);
  const first = Math.max(0, Math.min(Math.floor(top / lineHeight) - spare, count - room));

  useLayoutEffect(() => {
    const el = box.current!;
    const gone = taken - lastTaken.current;
    lastTaken.current = taken;
    if (follow) el.scrollTop = el.scrollHeight;
    else if (gone > 0 && el.scrollTop * scale > takenAt * lineHeight)
      el.scrollTop -= (gone * lineHeight) / scale;
    lastTop.current = el.scrollTop;
  }, [count, follow, taken, view.height]);
  useLayoutEffect(() => {
    const el = box.current!;
    if (show) el.scrollTop = Math.max(0, (show.index * lineHeight) / scale - el.clientHeight / 2);
    lastTop.current = el.scrollTop;
  }, [show?.turn]);

  return (
    <div
      ref={box}
      class={`virtual ${props.class ?? ""}`}
      tabIndex={0}
      role="log"
      aria-label={label}
      aria-live="off"
      onWheel={(e) => {
        if (e.deltaY < 0 && follow) onFollow?.(false);
      }}
      onKeyDown={(e) => {
        if (["ArrowUp", "PageUp", "Home"].includes(e.key) && follow) onFollow?.(false);
      }}
      onScroll={() => {
        const el = box.current!;
        const end = el.scrollHeight - el.scrollTop - el.clientHeight < lineHeight;
        const up = el.scrollTop < lastTop.current - 1; // by whatever means: a finger, the bar, a key
        const down = el.scrollTop > lastTop.current + 1;
        lastTop.current = el.scrollTop;
        if (end && down && !follow) onFollow?.(true);
        if (!end && up && follow) onFollow?.(false);
      }}
    >
      <div class="virtual-all" style={{ height: `${drawn}px` }}>
        <div
          class="virtual-lines"
          style={{ transform: `translateY(${Math.round(view.top - (top - first * lineHeight))}px)` }}
        >
          {Array.from({ length: room }, (_, i) => (
            <div key={(first + i) % room} class="virtual-line" style={{ height: `${lineHeight}px` }}>
              {line(first + i)}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** useView follows what is in view of an element that scrolls, once a frame. */
function useView(box: RefObject<HTMLDivElement | null>): { top: number; height: number } {
  const [view, setView] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const el = box.current!;
    let frame = 0;
    const look = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setView((v) =>
          v.top === el.scrollTop && v.height === el.clientHeight
            ? v
            : { top: el.scrollTop, height: el.clientHeight },
        );
      });
    };
    look();
    el.addEventListener("scroll", look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(el);
    return () => {
      cancelAnimationFrame(frame);
      el.removeEventListener("scroll", look);
      sizes.disconnect();
    };
  }, []);
  return view;
}
