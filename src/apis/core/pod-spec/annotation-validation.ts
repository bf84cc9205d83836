import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import { isJsonObject } from "../../../apimachinery/json/json-value.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import type { Naming } from "../../../naming/naming.js";
import { validateLocalDescendingPath } from "../../checks/relative-paths.js";
import type { PodSpec, SeccompProfile, Toleration } from "../../gen/core-v1.js";
import { allContainers, placedContainers } from "./containers.js";
import {
  appArmorAnnotationPrefix,
  mirrorPodAnnotation,
  podDeletionCostAnnotation,
  seccompContainerAnnotation,
  seccompPodAnnotation,
  tolerationsAnnotation,
} from "./pod-annotations.js";
import type { PodLike, PodValidationOptions } from "./pod-validation-rules.js";
import { validateTolerations } from "./toleration-validation.js";

const localhostPrefix = "localhost/";

/** Validates the annotations that the server interprets. `path` is that of the annotations. */
export function validatePodAnnotations(
  { metadata, spec }: PodLike,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const { naming } = options;
  const annotations = metadata.annotations ?? {};
  const errors: FieldError[] = [];
  const mirrorKey = mirrorPodAnnotation(naming);
  const mirror = annotations[mirrorKey];
  if (mirror !== undefined && (spec.nodeName ?? "") === "") {
    const why = "must set spec.nodeName if mirror pod annotation is set";
    errors.push(invalid(path.key(mirrorKey), mirror, why));
  }
  const tolerationsKey = tolerationsAnnotation(naming);
  const tolerations = annotations[tolerationsKey] ?? "";
  if (tolerations !== "") append(errors, validateTolerationsText(tolerations, tolerationsKey, path, options));
  const costKey = podDeletionCostAnnotation(naming);
  const cost = annotations[costKey];
  if (!options.allowInvalidPodDeletionCost && cost !== undefined && !isDeletionCost(cost)) {
    errors.push(invalid(path.key(costKey), cost, "must be a 32bit integer"));
  }
  return [
    ...errors,
    ...validateSeccompAnnotations(annotations, path, naming),
    ...validateAppArmorAnnotations(annotations, spec, path, naming),
  ];
}

/** Neither a plus sign nor leading zeros. */
export function isDeletionCost(text: string): boolean {
  return /^(0|[1-9]\d*|-\d+)$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;
}

function validateTolerationsText(
  text: string,
  key: string,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const tolerations = parseTolerations(text);
  if (tolerations === undefined) return [invalid(path, key, "is not a list of tolerations in JSON")];
  return validateTolerations(tolerations, path.child(key), options);
}

function parseTolerations(text: string): Toleration[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return [];
    return Array.isArray(value) && value.every(isJsonObject) ? value.map(readToleration) : undefined;
  } catch {
    return undefined;
  }
}

function readToleration(value: { readonly [key: string]: unknown }): Toleration {
  const seconds = value.tolerationSeconds;
  return {
    key: text(value.key),
    operator: text(value.operator),
    value: text(value.value),
    effect: text(value.effect),
    tolerationSeconds: typeof seconds === "number" ? seconds : undefined,
  };

  function text(part: unknown): string | undefined {
    return typeof part === "string" ? part : undefined;
  }
}

function validateSeccompAnnotations(
  annotations: { readonly [key: string]: string },
  path: FieldPath,
  naming: Naming,
): FieldError[] {
  const podKey = seccompPodAnnotation(naming);
  const containerPrefix = seccompContainerAnnotation(naming, "");
  return Object.entries(annotations)
    .filter(([key]) => key === podKey || key.startsWith(containerPrefix))
    .flatMap(([key, profile]) => validateSeccompText(profile, path.child(key)));
}

function validateSeccompText(profile: string, path: FieldPath): FieldError[] {
  if (["runtime/default", "docker/default", "unconfined"].includes(profile)) return [];
  if (profile.startsWith(localhostPrefix)) {
    return validateLocalDescendingPath(profile.slice(localhostPrefix.length), path);
  }
  return [invalid(path, profile, "must be a valid seccomp profile")];
}

function validateAppArmorAnnotations(
  annotations: { readonly [key: string]: string },
  spec: PodSpec,
  path: FieldPath,
  naming: Naming,
): FieldError[] {
  const prefix = appArmorAnnotationPrefix(naming);
  const containerNames = new Set(allContainers(spec).map((container) => container.name));
  return errorsOfEach(Object.entries(annotations), ([key, profile]) => {
    if (!key.startsWith(prefix)) return [];
    const errors: FieldError[] = [];
    const name = key.slice(prefix.length);
    if (!containerNames.has(name)) {
      errors.push(invalid(path.key(key), name, "container not found"));
    }
    const known = ["", "runtime/default", "unconfined"].includes(profile);
    if (!known && !profile.startsWith(localhostPrefix)) {
      const why = `invalid AppArmor profile name: ${JSON.stringify(profile)}`;
      errors.push(invalid(path.key(key), profile, why));
    }
    return errors;
  });
}

/** A profile given both as a field and as an annotation must be the same. `path` is that of the spec. */
export function validateSeccompAgreement(
  { metadata, spec }: PodLike,
  path: FieldPath,
  { naming }: PodValidationOptions,
): FieldError[] {
  const annotations = metadata.annotations ?? {};
  const places = [
    {
      annotation: annotations[seccompPodAnnotation(naming)],
      profile: spec.securityContext?.seccompProfile,
      path,
    },
    ...placedContainers(spec, path).map(({ container, path: at }) => ({
      annotation: annotations[seccompContainerAnnotation(naming, container.name)],
      profile: container.securityContext?.seccompProfile,
      path: at,
    })),
  ];
  return errorsOfEach(places, ({ annotation, profile, path: at }) =>
    annotation === undefined || profile === undefined
      ? []
      : agreementErrors(annotation, profile, at.child("securityContext", "seccompProfile")),
  );
}

function agreementErrors(annotation: string, profile: SeccompProfile, path: FieldPath): FieldError[] {
  const otherType = [forbidden(path.child("type"), "seccomp type in annotation and field must match")];
  switch (profile.type) {
    case "Unconfined":
      return annotation === "unconfined" ? [] : otherType;
    case "RuntimeDefault":
      return annotation === "runtime/default" || annotation === "docker/default" ? [] : otherType;
    case "Localhost": {
      if (!annotation.startsWith(localhostPrefix)) return otherType;
      if (annotation.slice(localhostPrefix.length) === profile.localhostProfile) return [];
      const why = "seccomp profile in annotation and field must match";
      return [forbidden(path.child("localhostProfile"), why)];
    }
    default:
      return [];
  }
}
