import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { nameIsDnsSubdomain } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import type { GracefulDeletion, Strategy } from "../../definition/strategy.js";
import type { Pod } from "../../gen/core-v1.js";
import { mirrorServiceAccount } from "../pod-spec/defaults.js";
import { dropDisabledPodTemplateFields } from "../pod-spec/disabled-fields.js";
import { qosClassOf } from "../pod-spec/qos-class.js";
import { podValidationOptions } from "../pod-spec/validation-options.js";
import { podTemplateWarnings } from "../pod-spec/warnings.js";
import { alignSeccompAnnotations } from "./seccomp-annotations.js";
import { validatePodStatusUpdate } from "./status-validation.js";
import { validateEphemeralContainersUpdate, validatePodUpdate } from "./update-validation.js";
import { validatePodCreate } from "./validation.js";

export interface PodStrategies {
  readonly main: Strategy<Pod>;
  readonly status: Strategy<Pod>;
  readonly ephemeralContainers: Strategy<Pod>;
}

export function podStrategies(context: ApiContext): PodStrategies {
  const { naming } = context;
  const main = strategy<Pod>({
    validateName: nameIsDnsSubdomain,
    resetFields: [["status"]],
    prepareForCreate(_write, pod) {
      pod.status = { phase: "Pending", qosClass: qosClassOf(pod.spec) };
      dropDisabledPodTemplateFields(context, pod);
      alignSeccompAnnotations(pod, naming);
      // Admission may have set the name.
      mirrorServiceAccount(pod.spec);
    },
    prepareForUpdate(_write, pod, old) {
      pod.status = old.status;
      dropDisabledPodTemplateFields(context, pod, old);
    },
    validate: (_write, pod) => validatePodCreate(pod, podValidationOptions(context, pod)),
    validateUpdate: (_write, pod, old) =>
      validatePodUpdate(pod, old, podValidationOptions(context, pod, old)),
    warningsOnCreate: (_write, pod) => podTemplateWarnings(context, FieldPath.of(), pod),
    gracefulDeletion,
  });

  const status: Strategy<Pod> = {
    ...main,
    resetFields: [["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"]],
    prepareForUpdate(_write, pod, old) {
      pod.spec = old.spec;
      pod.metadata.deletionTimestamp = old.metadata.deletionTimestamp;
      // Old node agents send owner references in a form that breaks garbage collection.
      pod.metadata.ownerReferences = old.metadata.ownerReferences;
    },
    validateUpdate: (_write, pod, old) =>
      validatePodStatusUpdate(pod, old, podValidationOptions(context, pod, old)),
  };

  const ephemeralContainers: Strategy<Pod> = {
    ...main,
    prepareForUpdate(_write, pod, old) {
      const { ephemeralContainers: wanted } = pod.spec;
      const { resourceVersion, managedFields } = pod.metadata;
      pod.metadata = { ...old.metadata, resourceVersion, managedFields };
      pod.spec = { ...old.spec, ephemeralContainers: wanted };
      pod.status = old.status;
      dropDisabledPodTemplateFields(context, pod, old);
    },
    validateUpdate: (_write, pod, old) =>
      validateEphemeralContainersUpdate(pod, old, podValidationOptions(context, pod, old)),
  };

  return { main, status, ephemeralContainers };
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
