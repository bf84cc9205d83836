import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import type { Affinity, PodTemplateSpec } from "../../gen/core-v1.js";

/**
 * `old` with the parts of `template` that may change until the job first starts: scheduling constraints, and the labels and
 * annotations of its pods. Any other difference between the two is an error.
 */
export function withUpdatableScheduling(old: PodTemplateSpec, template: PodTemplateSpec): PodTemplateSpec {
  const { nodeSelector, tolerations } = template.spec;
  const { labels, annotations } = template.metadata;
  return {
    ...old,
    metadata: { ...old.metadata, labels, annotations },
    spec: {
      ...old.spec,
      affinity: withNodeAffinity(old.spec.affinity, template.spec.affinity),
      nodeSelector,
      tolerations,
    },
  };
}

function withNodeAffinity(old: Affinity | undefined, affinity: Affinity | undefined): Affinity | undefined {
  if (old === undefined && affinity === undefined) return undefined;
  const changed: Affinity = { ...old, nodeAffinity: affinity?.nodeAffinity };
  return affinity === undefined && isDeepEqual(changed, {}) ? undefined : changed;
}
