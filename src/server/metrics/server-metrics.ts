import { readFile } from "node:fs/promises";
import { isJsonObject } from "../../apimachinery/json/json-value.js";
import { parseYaml } from "../../apimachinery/yaml/parse-yaml.js";
import type { Naming } from "../../naming/naming.js";
import type { AllowedLabelValues } from "../../telemetry/metric-family.js";
import { Metrics } from "../../telemetry/metrics.js";
import { forOption } from "../options/option-failure.js";
import type { Options } from "../options/options.js";
import { metricNames } from "./metric-names.js";

/** The metrics of a server. Options may disable some and limit the values of labels. */
export async function createServerMetrics(options: Options, naming: Naming): Promise<Metrics> {
  return new Metrics({
    shownAs: metricNames(naming, options.apiLevel, options.showHiddenMetricsForVersion),
    disabled: new Set(options.disabledMetrics),
    allowedValues: await allowedValues(options, naming),
  });
}

async function allowedValues(options: Options, naming: Naming): Promise<AllowedLabelValues> {
  const { allowMetricLabels, allowMetricLabelsManifest: path } = options;
  const given =
    allowMetricLabels.size > 0 || path === undefined
      ? allowMetricLabels
      : await forOption("allow-metric-labels-manifest", naming, () => readManifest(path));
  return new Map([...given].map(([of, values]) => [of, new Set(values.split(","))]));
}

async function readManifest(path: string): Promise<ReadonlyMap<string, string>> {
  const value = await parseYaml(await readFile(path));
  if (!isJsonObject(value)) throw new Error("must map METRIC,LABEL to VALUE,VALUE");
  return new Map(
    Object.entries(value).map(([of, values]) => {
      if (!/^[^,]+,[^,]+$/.test(of) || typeof values !== "string") {
        throw new Error(`${JSON.stringify(of)}: must be METRIC,LABEL with a text as its value`);
      }
      return [of, values];
    }),
  );
}
