import type { ManagedFieldsEntry } from "../objects/meta.js";
import { difference, type FieldSet, fieldSetOf, hasPath, isEmptySet } from "./field-set.js";
import { decodeManagers, encodeManagers, Manager, type Managers } from "./managers.js";
import type { PathElement } from "./path-element.js";

const scaleApiVersion = "autoscaling/v1";
const replicasOfScale = fieldSetOf(["spec", "replicas"]);

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
    const ofScale = inVersion(manager, scaleApiVersion, replicasOfScale);
    scale.set(ofScale.identity, ofScale);
  }
  return encodeManagers(scale);
}

/**
 * The managed fields of an object after a write to its Scale: managers that lost the replica count give it up, and managers that
 * gained it own it in terms of `apiVersion`.
 */
export function managedFieldsAfterScale(
  entries: readonly ManagedFieldsEntry[],
  scaleEntries: readonly ManagedFieldsEntry[],
  apiVersion: string,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] {
  const takers = decodeManagers(scaleEntries);
  const result: Managers = new Map();
  for (const [identity, manager] of decodeManagers(entries)) {
    const path = paths.get(manager.apiVersion);
    if (path === undefined || !ownsReplicas(manager, paths)) {
      result.set(identity, manager);
    } else if (takers.delete(inVersion(manager, scaleApiVersion, manager.set).identity)) {
      result.set(identity, manager);
    } else {
      const set = difference(manager.set, fieldSetOf(path));
      if (!isEmptySet(set)) result.set(identity, manager.withSet(set));
    }
  }
  const path = paths.get(apiVersion);
  if (path === undefined) return encodeManagers(result);
  for (const taker of takers.values()) {
    const manager = inVersion(taker, apiVersion, fieldSetOf(path));
    result.set(manager.identity, manager);
  }
  return encodeManagers(result);
}

function ownsReplicas(manager: Manager, paths: ReplicasPaths): boolean {
  const path: PathElement[] | undefined = paths.get(manager.apiVersion)?.map((name) => `f:${name}`);
  return path !== undefined && hasPath(manager.set, path);
}

function inVersion(manager: Manager, apiVersion: string, set: FieldSet): Manager {
  const { name, operation, subresource, time } = manager;
  return new Manager({ name, operation, subresource, apiVersion }, set, time);
}
