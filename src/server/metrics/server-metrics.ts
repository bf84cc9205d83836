import { Metrics } from "../../telemetry/metrics.js";
import type { Options } from "../options/options.js";

/** The metrics of a server, of which the options may disable some and limit the values of labels. */
export function createServerMetrics(options: Options): Metrics {
  return new Metrics({
    disabled: new Set(options.disabledMetrics),
    allowedValues: new Map(
      [...options.allowMetricLabels].map(([of, values]) => [of, new Set(values.split(","))]),
    ),
  });
}
