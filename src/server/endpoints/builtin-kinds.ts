import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { resourcesOfLevel } from "../../apis/builtin-resources.js";
import type { ApiContext } from "../../apis/definition/api-context.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { Naming } from "../../naming/naming.js";
import { dateOf } from "../../time/clock.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { OptionFailure } from "../options/option-failure.js";
import type { Options } from "../options/options.js";
import { createRuntimeConfig, type RuntimeConfig } from "../options/runtime-config.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import { levelsOf } from "../settings/version.js";

export interface BuiltinKinds {
  readonly definitions: readonly ResourceDefinition[];
  /** Kinds that only other levels have. Their objects stay in the store and are not served. */
  readonly unserved: readonly ResourceDefinition[];
  /** Which of their versions are served. */
  readonly runtimeConfig: RuntimeConfig;
}

/** The built-in kinds by the options. Throws an `OptionFailure` for a runtime configuration that names unknown versions. */
export function builtinKinds(
  { options, naming, log, clock }: ApiServerParts,
  gates: FeatureGates,
  schemas: SchemaRegistry,
  serviceIpFamilies: ApiContext["options"]["serviceIpFamilies"],
): BuiltinKinds {
  const { known: definitions, unserved } = resourcesOfLevel({
    naming,
    level: options.apiLevel,
    oldestLevel: levelsOf(options).oldest,
    schemas,
    isEnabled: gates.isEnabled,
    options: {
      allowPrivileged: options.allowPrivileged,
      eventTtlSeconds: options.eventTtlMs / 1000,
      serviceIpFamilies,
    },
    now: dateOf(clock),
  });
  warnOfUnknownResources(options, definitions, log);
  return { definitions, unserved, runtimeConfig: runtimeConfigOf(options, naming, definitions) };
}

function runtimeConfigOf(
  options: Options,
  naming: Naming,
  definitions: readonly ResourceDefinition[],
): RuntimeConfig {
  const known = new Map<string, { group: string; version: string; resources: string[] }>();
  for (const { group, resource, versions } of definitions) {
    for (const { version } of versions) {
      const key = `${group}/${version}`;
      const entry = known.get(key) ?? { group, version, resources: [] };
      entry.resources.push(resource);
      known.set(key, entry);
    }
  }
  const result = createRuntimeConfig(options.runtimeConfig, [...known.values()]);
  if (result.kind === "error") throw new OptionFailure("runtime-config", result.problem, { naming });
  return result.config;
}

/** Options may name any resource, as in Kubernetes; a misspelled one has no effect. */
function warnOfUnknownResources(
  { storeServersOverrides, watchCacheSizes }: Options,
  definitions: readonly ResourceDefinition[],
  log: ApiServerParts["log"],
): void {
  for (const [option, named] of [
    ["--store-servers-overrides", storeServersOverrides],
    ["--watch-cache-sizes", watchCacheSizes],
  ] as const) {
    for (const { group, resource } of named) {
      if (definitions.some((known) => known.group === group && known.resource === resource)) continue;
      log.warn("an option names a resource that this server does not have", { option, group, resource });
    }
  }
}
