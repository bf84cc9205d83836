import type { FieldError, FieldPath } from "../../apimachinery/field-error.js";
import type { AnyContainer } from "../../apis/core/pod-spec/containers.js";
import type { Pod } from "../../apis/gen/core-v1.js";

/**
 * What a policy asks of a pod as a whole. Pods come with metadata, security contexts and containers of their own; anything deeper is shared
 * and must be replaced, not changed.
 */
export interface PodRule {
  /** Fills in what the pod leaves open. */
  setDefaults?(pod: Pod): void;
  problems(pod: Pod): readonly FieldError[];
}

/** The same for each container. */
export interface ContainerRule {
  setDefaults?(container: AnyContainer, pod: Pod): void;
  /** `path` is the container's. */
  problems(container: AnyContainer, pod: Pod, path: FieldPath): readonly FieldError[];
}
