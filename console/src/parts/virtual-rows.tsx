import { useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

export const rowHeight = 28;
/** Number of rows rendered beyond each edge, so that scrolling shows no gap. */
const spare = 12;

export interface VirtualRowsProps {
  readonly count: number;
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLElement | null>;
  readonly children: (index: number) => ComponentChildren;
}

/** Rows of equal height, of which only those in view are rendered. */
export function VirtualRows({ count, scroller, children }: VirtualRowsProps) {
  const range = useSignal({ from: 0, to: 60 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => {
      const from = Math.max(0, Math.floor(element.scrollTop / rowHeight) - spare);
      const to = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + spare;
      const { value } = range;
      if (value.from !== from || value.to !== to) range.value = { from, to };
    };
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    measure();
    return () => {
      resized.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [scroller, range]);
  const { from, to } = range.value;
  const shown = Array.from({ length: Math.max(0, Math.min(to, count) - from) }, (_, place) => from + place);
  return (
    <div class="rows" role="presentation" style={{ height: `${count * rowHeight}px` }}>
      <div role="presentation" style={{ transform: `translateY(${from * rowHeight}px)` }}>
        {shown.map(children)}
      </div>
    </div>
  );
}
