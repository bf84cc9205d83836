import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { labelSelectorFromObject } from "../../apimachinery/selectors/label-selector.js";
import type { ScaleView } from "../definition/resource-definition.js";
import type { LabelSelector } from "../gen/meta-v1.js";

interface Replicated extends ApiObject {
  spec: { replicas?: number | undefined; selector?: LabelSelector | undefined };
  status: { replicas?: number | undefined };
}

/** The Scale of a workload with `spec.replicas` and `status.replicas`. */
export function replicaScale<T extends Replicated>(): ScaleView<T> {
  return {
    specReplicas: ({ spec }) => spec.replicas ?? 0,
    statusReplicas: ({ status }) => status.replicas ?? 0,
    selector: ({ spec }) => labelSelectorFromObject(spec.selector).toString(),
    setSpecReplicas({ spec }, replicas) {
      spec.replicas = replicas;
    },
  };
}
