import { readFile } from "node:fs/promises";
import { ConfigurationReader } from "../../admission/configuration/configuration-reader.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { parseStrictYaml } from "../../apimachinery/yaml/strict-yaml.js";
import type { Naming } from "../../naming/naming.js";

/** The address of the collector, and the sampling rate. */
export interface TracingConfiguration {
  /** In the exporter's form: `http://localhost:4317`. */
  readonly endpoint: string;
  /** The fraction, 0 to 1, of requests without a trace context that is sampled. */
  readonly samplingRatio: number;
}

const million = 1_000_000;
/** The default of the OpenTelemetry collector. */
const defaultEndpoint = "localhost:4317";
const schemes = ["http", "https", "dns", "unix"];

/**
 * Reads the file of `--tracing-config-file`. Throws an `Error` that names the field that is wrong. Source: Kubernetes documentation,
 * "Traces For Kubernetes System Components"; KEP-647.
 */
export async function loadTracingConfiguration(
  file: string,
  naming: Naming,
  level: ApiLevel,
): Promise<TracingConfiguration> {
  try {
    return tracingConfiguration(await parseStrictYaml(await readFile(file)), naming, level);
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

export function tracingConfiguration(
  document: unknown,
  naming: Naming,
  level: ApiLevel,
): TracingConfiguration {
  const group = naming.group("apiserver.config");
  const known = ["v1alpha1", "v1beta1", ...(isAtLeast(level, "1.34") ? ["v1"] : [])];
  const versions = known.map((version) => `${group}/${version}`);
  const reader = ConfigurationReader.of(document ?? null, "TracingConfiguration", versions);
  reader.allow("endpoint", "samplingRatePerMillion");
  const rate = reader.integer("samplingRatePerMillion") ?? 0;
  if (rate < 0) throw reader.problem("samplingRatePerMillion", "sampling rate must be positive");
  if (rate > million) {
    throw reader.problem(
      "samplingRatePerMillion",
      "sampling rate per million must be less than or equal to one million",
    );
  }
  const endpoint = reader.text("endpoint") ?? defaultEndpoint;
  const problem = endpointProblem(endpoint);
  if (problem !== undefined) throw reader.problem("endpoint", problem);
  return { endpoint: endpointUrl(endpoint), samplingRatio: rate / million };
}

function endpointProblem(endpoint: string): string | undefined {
  const url = endpoint.includes("//") ? endpoint : `dns://${endpoint}`;
  if (!URL.canParse(url)) return `${JSON.stringify(endpoint)} is not an address`;
  const scheme = new URL(url).protocol.slice(0, -1);
  return schemes.includes(scheme)
    ? undefined
    : `unsupported scheme: ${scheme}. Options are ${schemes.join(", ")}`;
}

/** Without TLS, as in kube-apiserver 1.23, unless the scheme is https. */
function endpointUrl(endpoint: string): string {
  return endpoint.includes("//") ? endpoint.replace(/^dns:\/\/+/, "http://") : `http://${endpoint}`;
}
