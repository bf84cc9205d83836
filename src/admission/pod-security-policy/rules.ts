import type { FieldError, FieldPath } from "../../apimachinery/errors/field-error.js";
import type { AnyContainer } from "../../apis/core/pod-spec/containers.js";
import type { Pod } from "../../apis/gen/core-v1.js";

/**
 * A rule for a whole pod. Rules may change the pod's metadata, annotations, spec and containers in place; anything deeper is shared and must
 * be replaced.
 */
export interface PodRule {
  /** Sets what the pod leaves open. */
  setDefaults?(pod: Pod): void;
  problems(pod: Pod): readonly FieldError[];
}

/** A rule for each container of a pod. */
export interface ContainerRule {
  setDefaults?(container: AnyContainer, pod: Pod): void;
  /** `path` is the container's. */
  problems(container: AnyContainer, pod: Pod, path: FieldPath): readonly FieldError[];
}
