import type { ManagedFieldsEntry } from "../objects/meta.js";
import { difference, fieldSetOf, hasPath, isEmptySet } from "./field-set.js";
import { decodeManagers, encodeManagers, Manager, type ManagerIdentity, type Managers } from "./managers.js";
import type { PathElement } from "./path-element.js";

const scaleApiVersion = "autoscaling/v1";
const replicasOfScale = fieldSetOf(["spec", "replicas"]);
const replicasPath: readonly PathElement[] = ["f:spec", "f:replicas"];

/** Field names of the replica count in each version of a kind: `apps/v1` → `["spec", "replicas"]`. */
export type ReplicasPaths = ReadonlyMap<string, readonly string[]>;

/**
 * The managed fields of a Scale: those of the managers that own the replica count. Throws an `Error` for malformed entries.
 */
export function scaleManagedFields(
  entries: readonly ManagedFieldsEntry[],
  paths: ReplicasPaths,
): ManagedFieldsEntry[] {
  const scale: Managers = new Map();
  for (const manager of decodeManagers(entries).values()) {
    if (!ownsReplicas(manager, paths)) continue;
    const identity = { ...identityPartsOf(manager), apiVersion: scaleApiVersion };
    const ofScale = new Manager(identity, replicasOfScale, manager.time);
    scale.set(ofScale.identity, ofScale);
  }
  return encodeManagers(scale);
}

/**
 * The managed fields of an object after a write to its Scale: managers that lost the replica count give it up, and managers that
 * gained it own it in terms of `apiVersion`.
 *
 * As in Kubernetes, a manager of updates gives it up and gains it again with each write, because the version in its identity differs: in an
 * entry of its own, which has no time. Only the last of several entries of one manager counts when they are read.
 */
export function managedFieldsAfterScale(
  entries: readonly ManagedFieldsEntry[],
  scaleEntries: readonly ManagedFieldsEntry[],
  apiVersion: string,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] {
  const before = decodeManagers(entries);
  const takers = decodeManagers(scaleEntries);
  const result: Managers = new Map();
  for (const [identity, manager] of before) {
    const path = paths.get(manager.apiVersion);
    if (path === undefined) continue;
    if (!ownsReplicas(manager, paths) || takers.delete(identity)) {
      result.set(identity, manager);
    } else {
      const set = difference(manager.set, fieldSetOf(path));
      if (!isEmptySet(set)) result.set(identity, manager.withSet(set));
    }
  }
  const path = paths.get(apiVersion);
  if (path === undefined) return encodeManagers(result);
  for (const [identity, taker] of takers) {
    if (!hasPath(taker.set, replicasPath)) continue;
    const time = before.get(identity)?.time;
    result.set(identity, new Manager({ ...identityPartsOf(taker), apiVersion }, fieldSetOf(path), time));
  }
  return encodeManagers(result);
}

function ownsReplicas(manager: Manager, paths: ReplicasPaths): boolean {
  const path: PathElement[] | undefined = paths.get(manager.apiVersion)?.map((name) => `f:${name}`);
  return path !== undefined && hasPath(manager.set, path);
}

function identityPartsOf({ name, operation, subresource }: Manager): Omit<ManagerIdentity, "apiVersion"> {
  return { name, operation, subresource };
}
