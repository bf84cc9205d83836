import UPlot from "uplot";
import type { Series } from "./series.ts";

export interface Plot {
  update(series: Series): void;
  close(): void;
}

const height = 118;

/** Loaded with the first chart. */
export function drawPlot(parent: HTMLElement, series: Series, format: (value: number) => string): Plot {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const grid = { stroke: colour("line"), width: 1 };
  const axis = { stroke: colour("soft"), grid, ticks: { show: false }, font: "11px system-ui, sans-serif" };
  const plot = new UPlot(
    {
      width: Math.max(160, parent.clientWidth),
      height,
      legend: { show: false },
      cursor: { y: false, points: { size: 5 } },
      padding: [8, 8, 0, 0],
      scales: { y: { range: (_, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
      axes: [
        { ...axis, size: 22, space: 70 },
        { ...axis, size: 54, space: 30, values: (_, ticks) => ticks.map(format) },
      ],
      series: [
        {},
        ...series.lines.map(({ name }, index) => ({
          label: name,
          stroke: colour(`series-${(index % 6) + 1}`),
          width: 1.5,
          points: { show: false },
        })),
      ],
    },
    dataOf(series),
    parent,
  );
  const resized = new ResizeObserver(() =>
    plot.setSize({ width: Math.max(160, parent.clientWidth), height }),
  );
  resized.observe(parent);
  return {
    update(next) {
      if (next.lines.length + 1 === plot.series.length) plot.setData(dataOf(next));
    },
    close() {
      resized.disconnect();
      plot.destroy();
    },
  };
}

function dataOf({ times, lines }: Series): UPlot.AlignedData {
  return [[...times], ...lines.map(({ values }) => [...values])];
}
