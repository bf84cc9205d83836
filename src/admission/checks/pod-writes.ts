import type { Pod } from "../../apis/gen/core-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import { typedWrite } from "./writes-of.js";

export interface PodWrite {
  readonly pod: Pod;
  /** Undefined for a create. */
  readonly old: Pod | undefined;
}

/** The pod of a write to `pods` itself or one of `subresources`, which are written as pods; undefined for any other request. */
export function podWriteOf(
  attributes: AdmissionAttributes,
  subresources: readonly string[] = [],
): PodWrite | undefined {
  const { resource, subresource } = attributes;
  if (resource.resource !== "pods" || resource.group !== "") return undefined;
  if (subresource !== "" && !subresources.includes(subresource)) return undefined;
  const { object: pod, oldObject: old } = typedWrite<Pod>(attributes);
  return pod && { pod, old };
}

export interface PodChange {
  readonly pod: Pod;
  readonly old: Pod;
  readonly nodeName: string;
}

/** An update of a pod's spec while the pod is on a node; undefined for any other request. */
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
