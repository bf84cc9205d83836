import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import type { EphemeralContainer, PodSpec } from "../../gen/core-v1.js";
import type { AnyContainer } from "./containers.js";
import type { VolumesByName } from "./mount-validation.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

/** Shared by the checks of all containers of a pod. */
export interface ContainerChecks {
  /** The pod's. */
  readonly spec: PodSpec;
  readonly volumes: VolumesByName;
  readonly options: PodValidationOptions;
}

/** Ephemeral containers cannot have subpath mounts, which are cleaned up only with the pod. */
export function validateNoSubPaths({ volumeMounts }: EphemeralContainer, path: FieldPath): FieldError[] {
  return errorsOfEach(volumeMounts, (mount, index) =>
    (["subPath", "subPathExpr"] as const)
      .filter((field) => (mount[field] ?? "") !== "")
      .map((field) => forbidden(path.index(index).child(field), "cannot be set for an Ephemeral Container")),
  );
}

/** Checks images for spaces at their ends. For pods only: templates with such images were once accepted. */
export function validateImageSpace(
  containers: readonly AnyContainer[] | undefined,
  path: FieldPath,
): FieldError[] {
  return errorsOfEach(containers, (container, index) =>
    imageSpaceErrors(container, path.index(index).child("image")),
  );
}

export function imageSpaceErrors({ image = "" }: AnyContainer, path: FieldPath): FieldError[] {
  if (image.trim() === image) return [];
  return [invalid(path, image, "must not have leading or trailing whitespace")];
}
