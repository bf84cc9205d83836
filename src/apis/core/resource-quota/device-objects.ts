import type { Pod } from "../../gen/core-v1.js";
import type { ResourceClaim } from "../../gen/resource-v1.js";

/** A claim that the scheduler made for the extended resources of a pod. */
export interface PodClaim {
  readonly namespace: string;
  readonly name: string;
  /** RFC 3339 in whole seconds, so that texts compare as times; empty for a claim that is not stored yet. */
  readonly created: string;
  /** The pod that controls it. */
  readonly pod: { readonly name: string; readonly uid: string };
}

/** What the usage of a claim depends on, besides the claim. */
export interface DeviceObjects {
  /** The extended resource by which pods may ask for devices of the class. */
  extendedResourceOf(className: string): string | undefined;
  pod(namespace: string, name: string): Promise<Pod | undefined>;
  claimsOf(podUid: string): Iterable<PodClaim>;
}

/** Undefined for a claim that a user made. `annotation` marks the scheduler's. */
export function podClaimOf({ metadata }: ResourceClaim, annotation: string): PodClaim | undefined {
  if (metadata.annotations?.[annotation] !== "true") return undefined;
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined || owner.kind !== "Pod" || owner.apiVersion !== "v1") return undefined;
  const { namespace = "", name = "", creationTimestamp: created = "" } = metadata;
  return { namespace, name, created, pod: { name: owner.name, uid: owner.uid } };
}
