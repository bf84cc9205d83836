import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { PodSpec } from "../../gen/core-v1.js";
import { isDeletionCost } from "./annotation-validation.js";
import { allContainers } from "./containers.js";
import { isExpandedDnsConfig } from "./dns-validation.js";
import { isHugePagesField } from "./downward-api-validation.js";
import { podDeletionCostAnnotation } from "./pod-annotations.js";
import type { PodLike, PodValidationOptions } from "./pod-validation-rules.js";
import { isHugePageResource, isWholeHugePages } from "./resource-names.js";

export type { PodLike, PodValidationOptions } from "./pod-validation-rules.js";

/** The rules for a pod or template, depending on the one it replaces. */
export function podValidationOptions(
  context: ApiContext,
  newTemplate: PodLike | undefined,
  oldTemplate?: PodLike,
): PodValidationOptions {
  const { naming, isEnabled } = context;
  const spec = newTemplate?.spec;
  const old = oldTemplate?.spec;
  const oldCost = oldTemplate?.metadata.annotations?.[podDeletionCostAnnotation(naming)];
  return {
    naming,
    level: context.level,
    allowPrivileged: context.options.allowPrivileged,
    allowDownwardApiHugePages: isEnabled("DownwardAPIHugePages") || usesHugePagesFields(old),
    allowInvalidPodDeletionCost:
      !isEnabled("PodDeletionCost") || (oldCost !== undefined && !isDeletionCost(oldCost)),
    allowIndivisibleHugePages: usesIndivisibleHugePages(old),
    allowWindowsHostProcess: isEnabled("WindowsHostProcessContainers") || usesHostProcess(old),
    allowExpandedDnsConfig: isEnabled("ExpandedDNSConfig") || hasSameExpandedDns(spec, old),
    allowOs: isEnabled("IdentifyPodOS") || old?.os !== undefined,
    allowSysctlSlash: (old?.securityContext?.sysctls ?? []).some(({ name }) => name.includes("/")),
    allowOncePod: isEnabled("ReadWriteOncePod"),
  };
}

function usesHugePagesFields(spec: PodSpec | undefined): boolean {
  if (spec === undefined) return false;
  const inVolumes = (spec.volumes ?? []).some(({ downwardAPI }) =>
    downwardAPI?.items?.some(({ resourceFieldRef }) => isHugePagesField(resourceFieldRef?.resource ?? "")),
  );
  const inEnvironment = allContainers(spec).some(({ env }) =>
    env?.some(({ valueFrom }) => isHugePagesField(valueFrom?.resourceFieldRef?.resource ?? "")),
  );
  return inVolumes || inEnvironment;
}

function usesIndivisibleHugePages(spec: PodSpec | undefined): boolean {
  if (spec === undefined) return false;
  const lists = allContainers(spec).flatMap(({ resources }) => [resources.limits, resources.requests]);
  return [...lists, spec.overhead]
    .flatMap((list) => Object.entries(list ?? {}))
    .some(([name, text]) => isHugePageResource(name) && !isWholeHugePages(name, Quantity.parse(text)));
}

function usesHostProcess(spec: PodSpec | undefined): boolean {
  if (spec === undefined) return false;
  return [spec, ...allContainers(spec)].some(
    ({ securityContext }) => securityContext?.windowsOptions?.hostProcess !== undefined,
  );
}

function hasSameExpandedDns(spec: PodSpec | undefined, old: PodSpec | undefined): boolean {
  if (spec?.dnsConfig === undefined || old?.dnsConfig === undefined) return false;
  if (!isExpandedDnsConfig(old.dnsConfig)) return false;
  const searches = spec.dnsConfig.searches ?? [];
  const oldSearches = old.dnsConfig.searches ?? [];
  return (
    searches.length === oldSearches.length && oldSearches.every((search, index) => searches[index] === search)
  );
}
