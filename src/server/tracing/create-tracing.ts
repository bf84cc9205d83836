import { hostname } from "node:os";
import type { FeatureGates } from "../options/feature-gates.js";
import { forOption } from "../options/option-failure.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import type { ServerTracing } from "./open-telemetry.js";
import { loadTracingConfiguration } from "./tracing-configuration.js";

/** At most one line a minute about an unreachable collector. */
const failureLinePeriodMs = 60_000;

/** Undefined when tracing is not configured. */
export async function createTracing({
  options,
  naming,
  log,
  build,
  gates,
}: ApiServerParts & { readonly gates: FeatureGates }): Promise<ServerTracing | undefined> {
  const { tracingConfigFile: file } = options;
  if (file === undefined || file === "") return undefined;
  if (!gates.isEnabled("APIServerTracing")) {
    log.warn("--tracing-config-file has no effect without the feature gate APIServerTracing");
    return undefined;
  }
  const configuration = await forOption("tracing-config-file", naming, () =>
    loadTracingConfiguration(file, naming, options.apiLevel),
  );
  const { startTracing } = await import("./open-telemetry.js");
  let nextLineAt = 0;
  return await startTracing({
    configuration,
    service: { name: naming.commandName, version: build.version, instance: hostname() },
    onFailure: (reason) => {
      if (performance.now() < nextLineAt) return;
      nextLineAt = performance.now() + failureLinePeriodMs;
      log.warn("traces could not be sent", {
        endpoint: configuration.endpoint,
        reason: reason.slice(0, 500),
      });
    },
  });
}
