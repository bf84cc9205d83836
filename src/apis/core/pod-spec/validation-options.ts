import { FieldPath, hasErrors } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isEnvVarName, isRelaxedEnvVarName } from "../../../apimachinery/validation/identifiers.js";
import { checksSelectorValues } from "../../../apimachinery/validation/label-selector.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import { ipRules } from "../../checks/ip-rules.js";
import { hasWrongValues } from "../../checks/node-selector.js";
import { validateLocalNonReservedPath } from "../../checks/relative-paths.js";
import { isHugePageResource, isWholeHugePages } from "../../checks/resource-names.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { EnvVarSource, PodSpec } from "../../gen/core-v1.js";
import type { LabelSelector } from "../../gen/meta-v1.js";
import { attributesClassRules } from "../persistent-volume/attributes-class.js";
import { isDeletionCost } from "./annotation-validation.js";
import { allContainers, isSidecar } from "./containers.js";
import { hasRelaxedSearches, isExpandedDnsConfig } from "./dns-validation.js";
import { hostIpsField, isHugePagesField } from "./downward-api-validation.js";
import { podDeletionCostAnnotation } from "./pod-annotations.js";
import type { LaterPodOptions, PodLike, PodValidationOptions } from "./pod-validation-rules.js";
import { hasWrongSpreadKeys, hasWrongSpreadSelectors } from "./scheduling-validation.js";
import { isHostSysctl } from "./sysctl-validation.js";

export type { PodLike, PodValidationOptions } from "./pod-validation-rules.js";

/** The rules for a pod or template, depending on the one it replaces. */
export function podValidationOptions(
  context: ApiContext,
  newTemplate: PodLike | undefined,
  oldTemplate?: PodLike,
): PodValidationOptions {
  const { naming, isEnabled, level, schemas } = context;
  const spec = newTemplate?.spec;
  const old = oldTemplate?.spec;
  const oldCost = oldTemplate?.metadata.annotations?.[podDeletionCostAnnotation(naming)];
  return {
    naming,
    level,
    schemas,
    ips: ipRules(context),
    isPod: false,
    allowPrivileged: context.options.allowPrivileged,
    allowDownwardApiHugePages: isEnabled("DownwardAPIHugePages") || usesHugePagesFields(old),
    allowInvalidPodDeletionCost:
      !isEnabled("PodDeletionCost") || (oldCost !== undefined && !isDeletionCost(oldCost)),
    allowIndivisibleHugePages: usesIndivisibleHugePages(old),
    allowWindowsHostProcess: isEnabled("WindowsHostProcessContainers") || usesHostProcess(old),
    allowExpandedDnsConfig: isEnabled("ExpandedDNSConfig") || hasSameExpandedDns(spec, old),
    allowSysctlSlash: (old?.securityContext?.sysctls ?? []).some(({ name }) => name.includes("/")),
    allowOncePod: isEnabled("ReadWriteOncePod"),
    ...(isAtLeast(level, "1.25") ? laterOptions(context, spec, old) : noLaterOptions),
  };
}

const noLaterOptions: LaterPodOptions = {
  allowRelaxedEnvNames: false,
  allowRelaxedSearches: false,
  allowEnvFiles: false,
  allowZeroSleep: false,
  allowSidecarResizePolicy: false,
  allowInitRestartOnResize: true,
  allowRestartRules: false,
  allowRestartAllContainers: false,
  checksImageDigests: false,
  clearsNominatedNode: false,
  allowPodResources: false,
  allowAnySeLinuxChangePolicy: false,
  allowComparingTolerations: false,
  allowUserNamespacesOnHostNetwork: false,
  allowUserNamespacesWithDevices: true,
  allowHostSysctls: true,
  allowTokenPathsOutside: true,
  allowHostIps: true,
  spreadKeysAreMerged: false,
  allowWritablePersistentDisks: false,
  allowWrongSpreadKeys: false,
  allowWrongSpreadSelectors: true,
  allowWrongNodeSelectors: true,
  checksSelectorValues: false,
};

/** What rules of the levels from 1.25 on depend on. */
function laterOptions(
  { isEnabled, level }: ApiContext,
  spec: PodSpec | undefined,
  old: PodSpec | undefined,
): LaterPodOptions {
  const since = (first: Parameters<typeof isAtLeast>[1]): boolean => isAtLeast(level, first);
  const spreadKeysAreMerged = isEnabled("MatchLabelKeysInPodTopologySpreadSelectorMerge");
  return {
    allowRelaxedEnvNames: isEnabled("RelaxedEnvironmentVariableValidation") || keepsRelaxedEnvName(spec, old),
    allowRelaxedSearches: isEnabled("RelaxedDNSSearchValidation") || hasRelaxedSearches(old),
    allowEnvFiles: isEnabled("EnvFiles") || usesEnvFiles(old),
    allowZeroSleep: isEnabled("PodLifecycleSleepActionAllowZero") || hasZeroSleep(old),
    allowSidecarResizePolicy:
      (since("1.33") && isEnabled("InPlacePodVerticalScaling")) || hasSidecarResizePolicy(old),
    allowInitRestartOnResize: !since("1.36") || restartsInitOnResize(old),
    allowRestartRules: isEnabled("ContainerRestartRules") || usesRestartRules(old),
    allowRestartAllContainers:
      isEnabled("RestartAllContainersOnContainerExits") || restartsAllContainers(old),
    checksImageDigests: isEnabled("ImageVolumeWithDigest"),
    clearsNominatedNode: isEnabled("ClearingNominatedNodeNameAfterBinding"),
    allowPodResources: isEnabled("PodLevelResources"),
    attributesClass: attributesClassRules({ isEnabled }),
    allowAnySeLinuxChangePolicy:
      isEnabled("SELinuxMount") || old?.securityContext?.seLinuxChangePolicy !== undefined,
    allowComparingTolerations: isEnabled("TaintTolerationComparisonOperators") || comparesTolerations(old),
    allowUserNamespacesOnHostNetwork:
      isEnabled("UserNamespacesHostNetworkSupport") ||
      (since("1.35") && old?.hostUsers === false && old.hostNetwork === true),
    allowUserNamespacesWithDevices:
      !since("1.34") ||
      (old?.hostUsers === false && allContainers(old).some((c) => (c.volumeDevices ?? []).length > 0)),
    allowHostSysctls:
      !since("1.29") ||
      (old?.securityContext?.sysctls ?? []).some(({ name }) => old !== undefined && isHostSysctl(name, old)),
    allowWritablePersistentDisks: isEnabled("SkipReadOnlyValidationGCE"),
    allowTokenPathsOutside: !since("1.30") || hasTokenPathOutside(old),
    allowHostIps: !since("1.28") || isEnabled("PodHostIPs") || usesHostIps(old),
    spreadKeysAreMerged,
    allowWrongSpreadKeys: hasWrongSpreadKeys(old, spreadKeysAreMerged),
    allowWrongSpreadSelectors: !since("1.27") || hasWrongSpreadSelectors(old),
    allowWrongNodeSelectors:
      !since("1.33") ||
      hasWrongValues(old?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    checksSelectorValues: checksSelectorValues(level, affinitySelectors(old)),
  };
}

function affinitySelectors(spec: PodSpec | undefined): (LabelSelector | undefined)[] {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  const terms = [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      (weighted) => weighted.podAffinityTerm,
    ),
  ]);
  return terms.flatMap(({ labelSelector, namespaceSelector }) => [labelSelector, namespaceSelector]);
}

/** Whether a name that is valid only by the relaxed rules was already there. */
function keepsRelaxedEnvName(spec: PodSpec | undefined, old: PodSpec | undefined): boolean {
  if (spec === undefined || old === undefined) return false;
  const before = new Set(envNames(old));
  return envNames(spec).some(
    (name) => before.has(name) && isEnvVarName(name).length > 0 && isRelaxedEnvVarName(name).length === 0,
  );
}

function envNames(spec: PodSpec): string[] {
  return allContainers(spec).flatMap(({ env = [], envFrom = [] }) => [
    ...env.map(({ name }) => name),
    ...envFrom.map(({ prefix = "" }) => prefix),
  ]);
}

function usesEnvFiles(spec: PodSpec | undefined): boolean {
  return someContainer(spec, ({ env }) => env?.some(({ valueFrom }) => valueFrom?.fileKeyRef !== undefined));
}

function hasZeroSleep(spec: PodSpec | undefined): boolean {
  return someContainer(spec, ({ lifecycle }) =>
    [lifecycle?.preStop, lifecycle?.postStart].some((handler) => Number(handler?.sleep?.seconds) === 0),
  );
}

function hasSidecarResizePolicy(spec: PodSpec | undefined): boolean {
  return (spec?.initContainers ?? []).some(
    (container) => isSidecar(container) && (container.resizePolicy ?? []).length > 0,
  );
}

function restartsInitOnResize(spec: PodSpec | undefined): boolean {
  return (spec?.initContainers ?? []).some(
    (container) =>
      !isSidecar(container) &&
      (container.resizePolicy ?? []).some(({ restartPolicy }) => restartPolicy === "RestartContainer"),
  );
}

function usesRestartRules(spec: PodSpec | undefined): boolean {
  return (
    someContainer(spec, ({ restartPolicyRules = [] }) => restartPolicyRules.length > 0) ||
    (spec?.containers ?? []).some(({ restartPolicy }) => restartPolicy !== undefined) ||
    (spec?.initContainers ?? []).some(({ restartPolicy = "Always" }) => restartPolicy !== "Always")
  );
}

function restartsAllContainers(spec: PodSpec | undefined): boolean {
  return someContainer(spec, ({ restartPolicyRules }) =>
    restartPolicyRules?.some(({ action }) => action === "RestartAllContainers"),
  );
}

function comparesTolerations(spec: PodSpec | undefined): boolean {
  return (spec?.tolerations ?? []).some(({ operator }) => operator === "Lt" || operator === "Gt");
}

function hasTokenPathOutside(spec: PodSpec | undefined): boolean {
  return (spec?.volumes ?? []).some(({ projected }) =>
    projected?.sources?.some(
      ({ serviceAccountToken: token }) =>
        token !== undefined && hasErrors(() => validateLocalNonReservedPath(token.path, FieldPath.of())),
    ),
  );
}

function someContainer(
  spec: PodSpec | undefined,
  test: (container: ReturnType<typeof allContainers>[number]) => boolean | undefined,
): boolean {
  return spec !== undefined && allContainers(spec).some((container) => test(container) === true);
}
function usesHugePagesFields(spec: PodSpec | undefined): boolean {
  return refersToField(spec, ({ resourceFieldRef }) => isHugePagesField(resourceFieldRef?.resource ?? ""));
}

function usesHostIps(spec: PodSpec | undefined): boolean {
  return refersToField(spec, ({ fieldRef }) => fieldRef?.fieldPath === hostIpsField);
}

/** Whether a volume or a variable of the environment has such a reference to a field. */
function refersToField(
  spec: PodSpec | undefined,
  test: (reference: Pick<EnvVarSource, "fieldRef" | "resourceFieldRef">) => boolean,
): boolean {
  if (spec === undefined) return false;
  const inVolumes = (spec.volumes ?? []).some(({ downwardAPI }) => downwardAPI?.items?.some(test));
  const inEnvironment = allContainers(spec).some(({ env }) =>
    env?.some(({ valueFrom }) => valueFrom !== undefined && test(valueFrom)),
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
