import type { Pod } from "../../apis/gen/core-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";

export interface PodWrite {
  readonly pod: Pod;
  /** Undefined for a create. */
  readonly old: Pod | undefined;
}

/** The pod of a write to `pods` itself or one of `subresources`; undefined for any other request. */
export function podWriteOf(
  { resource, subresource, object, oldObject }: AdmissionAttributes,
  subresources: readonly string[] = [],
): PodWrite | undefined {
  if (resource.resource !== "pods" || resource.group !== "" || object === undefined) return undefined;
  if (subresource !== "" && !subresources.includes(subresource)) return undefined;
  // Pods and these subresources are written as pods.
  return { pod: object as Pod, old: oldObject as Pod | undefined };
}

export interface PodChange {
  readonly pod: Pod;
  readonly old: Pod;
  readonly nodeName: string;
}

/** The change of a pod's spec on its node; undefined for any other request. */
export function changedOnNode(
  attributes: AdmissionAttributes,
  subresources: readonly string[],
): PodChange | undefined {
  const { pod, old } = podWriteOf(attributes, subresources) ?? {};
  const nodeName = pod?.spec.nodeName ?? "";
  if (pod === undefined || old === undefined || nodeName === "") return undefined;
  // It grows with every change of the spec.
  return pod.metadata.generation === old.metadata.generation ? undefined : { pod, old, nodeName };
}
