import { hasLevel, type LevelRange } from "../../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../../apimachinery/levels/feature-gates/feature-gates.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { Lifecycle, PodSpec, Volume } from "../../gen/core-v1.js";
import { podAffinityTerms } from "./affinity-terms.js";
import { type AnyContainer, allContainers, isSidecar } from "./containers.js";
import { appArmorAnnotationPrefix } from "./pod-annotations.js";
import type { PodLike } from "./pod-validation-rules.js";

/**
 * Fields with a declared gate (`featureGate`) are dropped for all kinds in one place. Here are those whose removal must also remove other
 * parts, or whose default is allowed without the gate.
 */

/** A feature gate, whether a spec uses its feature, and how to remove the feature's fields. */
/** The levels are those that drop the fields. */
interface GatedFeature extends LevelRange {
  readonly gate: FeatureGateName;
  isUsed(spec: PodSpec): boolean;
  drop(spec: PodSpec): void;
}

/** Drops, in place, the fields of disabled gates unless `old` uses them already. */
export function dropDisabledPodTemplateFields(
  context: ApiContext,
  template: PodLike | undefined,
  old?: PodLike,
): void {
  if (template === undefined) return;
  for (const feature of gatedFeatures) {
    if (context.isEnabled(feature.gate) || !hasLevel(feature, context.level)) continue;
    if (old === undefined || !feature.isUsed(old.spec)) feature.drop(template.spec);
  }
  dropAppArmor(context, template, old);
}

function dropAppArmor(context: ApiContext, template: PodLike, old: PodLike | undefined): void {
  if (context.isEnabled("AppArmor")) return;
  const prefix = appArmorAnnotationPrefix(context.naming);
  const keysOf = (pod: PodLike | undefined): string[] =>
    Object.keys(pod?.metadata.annotations ?? {}).filter((key) => key.startsWith(prefix));
  if (keysOf(old).length > 0) return;
  for (const key of keysOf(template)) delete template.metadata.annotations?.[key];
}

const gatedFeatures: readonly GatedFeature[] = [
  {
    gate: "LocalStorageCapacityIsolation",
    isUsed: (spec) => someVolume(spec, ({ emptyDir }) => emptyDir?.sizeLimit !== undefined),
    drop: (spec) =>
      eachVolume(spec, ({ emptyDir }) => {
        if (emptyDir !== undefined) emptyDir.sizeLimit = undefined;
      }),
  },
  {
    gate: "EphemeralContainers",
    isUsed: (spec) => (spec.ephemeralContainers ?? []).length > 0,
    drop(spec) {
      spec.ephemeralContainers = undefined;
    },
  },
  {
    gate: "ProbeTerminationGracePeriod",
    isUsed: (spec) =>
      allContainers(spec).some(
        ({ livenessProbe, startupProbe }) =>
          livenessProbe?.terminationGracePeriodSeconds !== undefined ||
          startupProbe?.terminationGracePeriodSeconds !== undefined,
      ),
    drop: (spec) =>
      eachContainer(spec, ({ livenessProbe, startupProbe }) => {
        if (livenessProbe !== undefined) livenessProbe.terminationGracePeriodSeconds = undefined;
        if (startupProbe !== undefined) startupProbe.terminationGracePeriodSeconds = undefined;
      }),
  },
  {
    gate: "PodOverhead",
    isUsed: (spec) => spec.overhead !== undefined,
    drop(spec) {
      spec.overhead = undefined;
    },
  },
  {
    gate: "IdentifyPodOS",
    isUsed: (spec) => spec.os !== undefined,
    drop(spec) {
      spec.os = undefined;
    },
  },
  {
    gate: "ProcMountType",
    isUsed: (spec) =>
      allContainers(spec).some(({ securityContext }) => {
        const procMount = securityContext?.procMount;
        return procMount !== undefined && procMount !== "Default";
      }),
    // If an old object has this field, it is kept without effect.
    drop: (spec) =>
      eachContainer(spec, ({ securityContext }) => {
        if (securityContext?.procMount !== undefined) securityContext.procMount = "Default";
      }),
  },
  {
    gate: "CSIInlineVolume",
    isUsed: (spec) => someVolume(spec, ({ csi }) => csi !== undefined),
    drop: (spec) =>
      eachVolume(spec, (volume) => {
        volume.csi = undefined;
      }),
  },
  {
    // A volume without a source or a mount without a volume would be invalid, so both are removed.
    gate: "ImageVolume",
    since: "1.31",
    isUsed: (spec) => someVolume(spec, ({ image }) => image !== undefined),
    drop(spec) {
      const isImage = ({ image }: Volume): boolean => image !== undefined;
      const dropped = new Set((spec.volumes ?? []).filter(isImage).map(({ name }) => name));
      if (dropped.size === 0) return;
      spec.volumes = spec.volumes?.filter((volume) => !isImage(volume));
      eachContainer(spec, (container) => {
        container.volumeMounts = container.volumeMounts?.filter(({ name }) => !dropped.has(name));
      });
    },
  },
  {
    // The hook stays without a handler, which pods may not have.
    gate: "PodLifecycleSleepAction",
    since: "1.29",
    until: "1.30",
    isUsed: hasSleepHooks,
    drop: (spec) => dropSleepHooks(spec),
  },
  {
    // A hook without a handler would be invalid, so it is removed.
    gate: "PodLifecycleSleepAction",
    since: "1.30",
    isUsed: hasSleepHooks,
    drop: (spec) => dropSleepHooks(spec, { andEmptyHooks: true }),
  },
  {
    // Without sidecars, init containers cannot have a restart policy.
    gate: "SidecarContainers",
    since: "1.28",
    isUsed: (spec) => (spec.initContainers ?? []).some(isSidecar),
    drop(spec) {
      for (const container of spec.initContainers ?? []) container.restartPolicy = undefined;
    },
  },
  {
    gate: "ContainerStopSignals",
    since: "1.33",
    isUsed: (spec) => allContainers(spec).some(({ lifecycle }) => lifecycle?.stopSignal !== undefined),
    drop: (spec) =>
      eachLifecycle(spec, (lifecycle) => {
        lifecycle.stopSignal = undefined;
      }),
  },
  {
    // Sidecars' restart policy is older than this gate, so it stays.
    gate: "ContainerRestartRules",
    since: "1.34",
    isUsed: (spec) =>
      allContainers(spec).some(({ restartPolicyRules = [] }) => restartPolicyRules.length > 0) ||
      (spec.containers ?? []).some(({ restartPolicy }) => restartPolicy !== undefined),
    drop(spec) {
      for (const container of spec.containers ?? []) container.restartPolicy = undefined;
      for (const container of spec.initContainers ?? []) {
        if (container.restartPolicy !== "Always") container.restartPolicy = undefined;
      }
    },
  },
  {
    // Container statuses may name claims even without the gate.
    gate: "DynamicResourceAllocation",
    since: "1.29",
    isUsed: ({ resourceClaims = [] }) => resourceClaims.length > 0,
    drop: (spec) =>
      eachContainer(spec, ({ resources }) => {
        resources.claims = undefined;
      }),
  },
  {
    gate: "NonPreemptingPriority",
    isUsed: (spec) => spec.priority !== undefined || (spec.priorityClassName ?? "") !== "",
    drop(spec) {
      spec.preemptionPolicy = undefined;
    },
  },
  {
    gate: "PodAffinityNamespaceSelector",
    isUsed: (spec) => podAffinityTerms(spec).some(({ namespaceSelector }) => namespaceSelector !== undefined),
    drop(spec) {
      for (const term of podAffinityTerms(spec)) term.namespaceSelector = undefined;
    },
  },
];

const hookNames = ["preStop", "postStart"] as const;

function hasSleepHooks(spec: PodSpec): boolean {
  return allContainers(spec).some(({ lifecycle }) =>
    hookNames.some((name) => lifecycle?.[name]?.sleep !== undefined),
  );
}

function dropSleepHooks(spec: PodSpec, { andEmptyHooks = false } = {}): void {
  eachLifecycle(spec, (lifecycle) => {
    for (const name of hookNames) {
      const hook = lifecycle[name];
      if (hook?.sleep === undefined) continue;
      hook.sleep = undefined;
      if (andEmptyHooks && isEmpty(hook)) lifecycle[name] = undefined;
    }
  });
}

/** Removes each lifecycle that the change leaves empty. */
function eachLifecycle(spec: PodSpec, change: (lifecycle: Lifecycle) => void): void {
  eachContainer(spec, (container) => {
    const { lifecycle } = container;
    if (lifecycle === undefined || isEmpty(lifecycle)) return;
    change(lifecycle);
    if (isEmpty(lifecycle)) container.lifecycle = undefined;
  });
}

function isEmpty(object: object): boolean {
  return Object.values(object).every((value) => value === undefined);
}

function someVolume(spec: PodSpec, test: (volume: Volume) => boolean): boolean {
  return (spec.volumes ?? []).some(test);
}

function eachVolume(spec: PodSpec, change: (volume: Volume) => void): void {
  for (const volume of spec.volumes ?? []) change(volume);
}

function eachContainer(spec: PodSpec, change: (container: AnyContainer) => void): void {
  for (const container of allContainers(spec)) change(container);
}
