import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { nameIsDnsSubdomain } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import type { GracefulDeletion, Strategy } from "../../definition/strategy.js";
import type { Pod } from "../../gen/core-v1.js";
import { mirrorServiceAccount } from "../pod-spec/defaults.js";
import { dropDisabledPodTemplateFields } from "../pod-spec/disabled-fields.js";
import { hostnameWarnings } from "../pod-spec/name-warnings.js";
import { qosClassOf } from "../pod-spec/qos-class.js";
import { type PodValidationOptions, podValidationOptions } from "../pod-spec/validation-options.js";
import { podTemplateWarnings } from "../pod-spec/warnings.js";
import { alignAppArmorAnnotations } from "./app-armor-annotations.js";
import { mergeLabelKeys } from "./label-keys.js";
import { validatePodResize } from "./resize-validation.js";
import { withResizeOf } from "./resized-containers.js";
import { addGatedCondition } from "./scheduling-gates.js";
import { alignSeccompAnnotations } from "./seccomp-annotations.js";
import { keepObservedGenerations } from "./status-update.js";
import { podStatusWarnings, validatePodStatusUpdate } from "./status-validation.js";
import { validateEphemeralContainersUpdate, validatePodUpdate } from "./update-validation.js";
import { validatePodCreate } from "./validation.js";

export interface PodStrategies {
  readonly main: Strategy<Pod>;
  readonly status: Strategy<Pod>;
  readonly ephemeralContainers: Strategy<Pod>;
  readonly resize: Strategy<Pod>;
}

export function podStrategies(context: ApiContext): PodStrategies {
  const rules = new PodRules(context);
  const main = podStrategy(rules);
  return {
    main,
    status: { ...main, ...statusStrategy(rules) },
    ephemeralContainers: { ...main, ...ephemeralContainersStrategy(rules) },
    resize: { ...main, ...resizeStrategy(rules) },
  };
}

/** What the strategies of a pod and of its parts have in common. */
class PodRules {
  readonly context: ApiContext;
  readonly countsGenerations: boolean;
  /** Whether writes to parts of a pod, its ephemeral containers or resources, have managers: before, all metadata stays. */
  readonly partsHaveOwners: boolean;

  constructor(context: ApiContext) {
    this.context = context;
    this.countsGenerations = this.since("1.33");
    this.partsHaveOwners = this.since("1.33");
  }

  since(first: ApiLevel): boolean {
    return isAtLeast(this.context.level, first);
  }

  optionsFor(pod: Pod, old?: Pod): PodValidationOptions {
    return { ...podValidationOptions(this.context, pod, old), isPod: true };
  }

  /** Completes an update whose spec is final. */
  settle(pod: Pod, old: Pod): void {
    dropDisabledPodTemplateFields(this.context, pod, old);
    if (!this.countsGenerations) return;
    const { generation = 0 } = old.metadata;
    pod.metadata.generation = isDeepEqual(pod.spec, old.spec)
      ? old.metadata.generation
      : Number(generation) + 1;
  }
}

function podStrategy(rules: PodRules): Strategy<Pod> {
  const { context } = rules;
  /** Warnings of new pods that can only be told from what the client sent. */
  const warningsOfSent = new WeakMap<Pod, string[]>();
  const allowResizeByUpdate = context.isEnabled("InPlacePodVerticalScaling") && !rules.since("1.32");
  return strategy<Pod>({
    validateName: nameIsDnsSubdomain,
    resetFields: [["status"]],
    prepareForCreate(write, pod) {
      if (rules.countsGenerations) pod.metadata.generation = 1;
      dropDisabledPodTemplateFields(context, pod);
      // A class that the client names is kept, whatever the containers request.
      const named = rules.since("1.29") ? pod.status.qosClass : undefined;
      pod.status = { phase: "Pending", qosClass: named || qosClassOf(pod.spec) };
      addGatedCondition(pod, rules.since("1.31") ? write.now : undefined);
      mergeLabelKeys(context, pod);
      alignSeccompAnnotations(pod, context);
      if (rules.since("1.30")) {
        const warnings = alignAppArmorAnnotations(pod, context);
        if (warnings.length > 0) warningsOfSent.set(pod, warnings);
      }
      // Admission may have set the name.
      mirrorServiceAccount(pod.spec);
    },
    prepareForUpdate(_write, pod, old) {
      pod.status = old.status;
      rules.settle(pod, old);
    },
    validate: (_write, pod) => validatePodCreate(pod, rules.optionsFor(pod)),
    validateUpdate: (_write, pod, old) =>
      validatePodUpdate(pod, old, {
        ...rules.optionsFor(pod, old),
        allowResizeByUpdate,
      }),
    warningsOnCreate: (_write, pod) => [
      ...(warningsOfSent.get(pod) ?? []),
      ...hostnameWarnings(context, pod, "the Pod's hostname"),
      ...podTemplateWarnings(context, FieldPath.of(), pod),
    ],
    gracefulDeletion,
  });
}

function statusStrategy(rules: PodRules): Partial<Strategy<Pod>> {
  return {
    resetFields: [["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"]],
    keepsGatedFields: !rules.since("1.33"),
    prepareForUpdate(_write, pod, old) {
      pod.spec = old.spec;
      pod.metadata.deletionTimestamp = old.metadata.deletionTimestamp;
      // Old node agents send owner references in a form that breaks garbage collection.
      pod.metadata.ownerReferences = old.metadata.ownerReferences;
      // Old node agents leave the class out when they refuse a pod.
      if (rules.since("1.32")) pod.status.qosClass ||= old.status.qosClass;
      if (rules.countsGenerations) keepObservedGenerations(pod.status, old.status);
    },
    validateUpdate: (_write, pod, old) => validatePodStatusUpdate(pod, old, rules.optionsFor(pod, old)),
    ...(rules.since("1.33") && {
      warningsOnUpdate: (_write, pod) => podStatusWarnings(pod, rules.context),
    }),
  };
}

function ephemeralContainersStrategy(rules: PodRules): Partial<Strategy<Pod>> {
  return {
    // As in Kubernetes, a manager that applies this part owns every field of its configuration.
    resetFields: undefined,
    prepareForUpdate(_write, pod, old) {
      const { ephemeralContainers: wanted } = pod.spec;
      const { resourceVersion } = pod.metadata;
      const { managedFields } = rules.partsHaveOwners ? pod.metadata : old.metadata;
      pod.metadata = { ...old.metadata, resourceVersion, managedFields };
      pod.spec = { ...old.spec, ephemeralContainers: wanted };
      pod.status = old.status;
      rules.settle(pod, old);
    },
    validateUpdate: (_write, pod, old) =>
      validateEphemeralContainersUpdate(pod, old, rules.optionsFor(pod, old)),
  };
}

function resizeStrategy(rules: PodRules): Partial<Strategy<Pod>> {
  const resizesPods = rules.context.isEnabled("InPlacePodLevelResourcesVerticalScaling");
  const parts = { init: rules.since("1.33"), pod: resizesPods, managers: rules.partsHaveOwners };
  return {
    // As in Kubernetes, a manager that applies this part owns every field of its configuration.
    resetFields: undefined,
    prepareForUpdate(_write, pod, old) {
      Object.assign(pod, withResizeOf(old, pod, parts));
      rules.settle(pod, old);
    },
    validateUpdate: (_write, pod, old) =>
      validatePodResize(pod, old, { ...rules.optionsFor(pod, old), allowPodResize: resizesPods }),
  };
}

/** Graceful termination needs a node agent. Without a node, or when no container runs, the pod is deleted at once. */
export function gracefulDeletion(pod: Pod, requestedSeconds: number | undefined): GracefulDeletion {
  const phase = pod.status.phase;
  const unscheduled = (pod.spec.nodeName ?? "") === "";
  if (unscheduled || phase === "Failed" || phase === "Succeeded") return { gracePeriodSeconds: 0 };
  const seconds = requestedSeconds ?? Number(pod.spec.terminationGracePeriodSeconds ?? 0);
  // Negative periods were accepted once and mean immediate termination.
  return { gracePeriodSeconds: seconds < 0 ? 1 : seconds };
}
