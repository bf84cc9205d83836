import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isDark } from "../../state/theme.ts";
import type { Plot } from "./plot-part.ts";
import type { Series } from "./series.ts";

export interface ChartProps {
  readonly title: string;
  readonly format: (value: number) => string;
  readonly series: ReadonlySignal<Series>;
}

/** Values of the last minutes as lines; the newest also as text, which is what screen readers read. */
export function Chart({ title, format, series }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useSignal<Plot | undefined>(undefined);
  const names = series.value.lines.map(({ name }) => name).join("\n");
  // Redrawn when lines or colours change.
  useEffect(() => {
    let isEnded = false;
    void import("./plot-part.ts").then(({ drawPlot }) => {
      if (!isEnded && place.current !== null) plot.value = drawPlot(place.current, series.peek(), format);
    });
    return () => {
      isEnded = true;
      plot.value?.close();
      plot.value = undefined;
    };
  }, [names, isDark.value]);
  useEffect(() => plot.value?.update(series.value), [series.value, plot.value]);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div class="plot" ref={place} aria-hidden="true" />
      <ul class="legend">
        {series.value.lines.map(({ name, values }, index) => (
          <li key={name} class={`series-${(index % 6) + 1}`}>
            <span>{name}</span> <b>{formatLast(values, format)}</b>
          </li>
        ))}
      </ul>
    </figure>
  );
}

function formatLast(values: readonly (number | null)[], format: (value: number) => string): string {
  const last = values.at(-1);
  return last === undefined || last === null ? "–" : format(last);
}
