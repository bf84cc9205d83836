import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { rangeMessage } from "../../../apimachinery/validation/messages.js";
import type { Container, Pod, PodSpec } from "../../gen/core-v1.js";
import { printChange, printDifference } from "../pod-spec/difference.js";
import { appArmorAnnotationPrefix, mirrorPodAnnotation } from "../pod-spec/pod-annotations.js";
import type { PodValidationOptions } from "../pod-spec/pod-validation-rules.js";
import { qosClassOf } from "../pod-spec/qos-class.js";
import { validateOnlyAddedTolerations } from "../pod-spec/toleration-validation.js";
import { int32Max } from "../pod-spec/validation.js";
import { validateNarrowedNodes, validateOnlyRemovedGates, withNodeChoiceOf } from "./gated-pod-update.js";
import { withCpuAndMemoryOf } from "./resized-containers.js";
import { validatePod } from "./validation.js";

const mutableFields = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
];

function immutableMessage({ level, allowResizeByUpdate }: PodUpdateOptions): string {
  const others = "pod updates may not change fields other than";
  if (!isAtLeast(level, "1.27"))
    return `${others} ${mutableFields.slice(0, -1).join(", ")} or ${mutableFields.at(-1)}`;
  const resources = allowResizeByUpdate ? ["`spec.containers[*].resources` (for CPU/memory only)"] : [];
  return `${others} ${[...mutableFields, ...resources].join(",")}`;
}

export interface PodUpdateOptions extends PodValidationOptions {
  /** Whether the containers' resources change by updates of the pod, as before there was a subresource for it. */
  readonly allowResizeByUpdate?: boolean | undefined;
}

export function validatePodUpdate(pod: Pod, old: Pod, options: PodUpdateOptions): FieldError[] {
  const { spec } = pod;
  const path = FieldPath.of("spec");
  const errors = [...validatePod(pod, options), ...validateAnnotationChanges(pod, old, options)];
  for (const field of ["containers", "initContainers"] as const) {
    const found = validateImages(spec[field] ?? [], path.child(field));
    if ((spec[field] ?? []).length !== (old.spec[field] ?? []).length) {
      // The specs cannot be compared any further.
      return [...errors, forbidden(path.child(field), "pod updates may not add or remove containers")];
    }
    append(errors, found);
  }
  const deadline = validateDeadline(spec, old.spec, path.child("activeDeadlineSeconds"));
  append(errors, deadline.errors);
  if (deadline.stop) return errors;
  append(errors, [
    ...validateOnlyAddedTolerations(
      spec.tolerations,
      old.spec.tolerations,
      path.child("tolerations"),
      options,
    ),
    ...validateOnlyRemovedGates(spec, old.spec, path.child("schedulingGates")),
  ]);
  // Later, resizes check it: they have a subresource of their own.
  const checksQos = isAtLeast(options.level, "1.27") && !isAtLeast(options.level, "1.32");
  if (checksQos && qosClassOf(spec) !== qosClassOf(old.spec)) {
    // The path is Kubernetes'.
    errors.push(invalid(FieldPath.of("metadata"), pod.status.qosClass ?? "", "Pod QoS is immutable"));
  }
  const isGated = (old.spec.schedulingGates ?? []).length > 0 && isAtLeast(options.level, "1.27");
  if (isGated) append(errors, validateNarrowedNodes(spec, old.spec, path));
  const images = withMutableFieldsOf(spec, old.spec, options);
  const rest = isGated ? withNodeChoiceOf(images, old.spec) : images;
  if (!isDeepEqual(rest, old.spec)) {
    const change = printChange(options, "core/v1.PodSpec", old.spec, rest);
    errors.push(forbidden(path, `${immutableMessage(options)}\n${change}`));
  }
  return errors;
}

/** Annotations that node agents act upon. */
export function validateAnnotationChanges(
  pod: Pod,
  old: Pod,
  { naming }: PodValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const path = FieldPath.of("metadata", "annotations");
  const now = pod.metadata.annotations ?? {};
  const before = old.metadata.annotations ?? {};
  const what = (key: string): string | undefined => {
    if (key.startsWith(appArmorAnnotationPrefix(naming))) return "AppArmor annotations";
    return key === mirrorPodAnnotation(naming) ? "mirror pod annotation" : undefined;
  };
  for (const [key, value] of Object.entries(before)) {
    const kind = what(key);
    if (kind !== undefined && now[key] !== value) {
      errors.push(forbidden(path.key(key), `may not remove or update ${kind}`));
    }
  }
  for (const key of Object.keys(now)) {
    const kind = what(key);
    if (kind !== undefined && before[key] === undefined) {
      errors.push(forbidden(path.key(key), `may not add ${kind}`));
    }
  }
  return errors;
}

function validateImages(containers: readonly Container[], path: FieldPath): FieldError[] {
  return errorsOfEach(containers, ({ image = "" }, index) => {
    const at = path.index(index).child("image");
    if (image === "") return [required(at, "")];
    return image.trim() === image ? [] : [invalid(at, image, "must not have leading or trailing whitespace")];
  });
}

/** It may be set once, and decreased. */
function validateDeadline(
  { activeDeadlineSeconds: now }: PodSpec,
  { activeDeadlineSeconds: before }: PodSpec,
  path: FieldPath,
): { errors: FieldError[]; stop: boolean } {
  if (now === undefined) {
    if (before === undefined) return { errors: [], stop: false };
    return {
      errors: [invalid(path, undefined, "must not update from a positive integer to nil value")],
      stop: false,
    };
  }
  if (now < 0 || now > int32Max) {
    return { errors: [invalid(path, now, rangeMessage(0, int32Max))], stop: true };
  }
  if (before !== undefined && before < now) {
    return {
      errors: [invalid(path, now, "must be less than or equal to previous value")],
      stop: true,
    };
  }
  return { errors: [], stop: false };
}

/** `spec`, with the values of `old` in all mutable fields. */
function withMutableFieldsOf(spec: PodSpec, old: PodSpec, options: PodUpdateOptions): PodSpec {
  const withImages = (
    containers: Container[] | undefined,
    olds: Container[] | undefined,
  ): Container[] | undefined =>
    containers?.map((container, index) => ({ ...container, image: olds?.[index]?.image }));
  const containers = withImages(spec.containers, old.containers);
  const raisedToOne =
    Number(old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1;
  return {
    ...spec,
    containers: options.allowResizeByUpdate
      ? containers?.map((container, index) =>
          withCpuAndMemoryOf(container, old.containers?.[index], options.level),
        )
      : containers,
    initContainers: withImages(spec.initContainers, old.initContainers),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    tolerations: old.tolerations,
    schedulingGates: old.schedulingGates,
    terminationGracePeriodSeconds: raisedToOne
      ? old.terminationGracePeriodSeconds
      : spec.terminationGracePeriodSeconds,
  };
}

/** Only the ephemeral containers may differ, and existing ones must not change. */
export function validateEphemeralContainersUpdate(
  pod: Pod,
  old: Pod,
  options: PodValidationOptions,
): FieldError[] {
  const path = FieldPath.of("spec", "ephemeralContainers");
  const isMirror = old.metadata.annotations?.[mirrorPodAnnotation(options.naming)] !== undefined;
  if (isMirror && isAtLeast(options.level, "1.25")) {
    return [forbidden(FieldPath.of(""), "static pods do not support ephemeral containers")];
  }
  const errors = [...validatePod(pod, options), ...validateAnnotationChanges(pod, old, options)];
  // A patch may reorder them.
  const now = new Map((pod.spec.ephemeralContainers ?? []).map((container) => [container.name, container]));
  for (const before of old.spec.ephemeralContainers ?? []) {
    const container = now.get(before.name);
    const name = JSON.stringify(before.name);
    if (container === undefined) {
      errors.push(forbidden(path, `existing ephemeral containers ${name} may not be removed\n`));
    } else if (!isDeepEqual(before, container)) {
      const change = isAtLeast(options.level, "1.34")
        ? printChange(options, "core/v1.EphemeralContainer", before, container)
        : printDifference(before, container);
      errors.push(forbidden(path, `existing ephemeral containers ${name} may not be changed\n${change}`));
    }
  }
  return errors;
}
