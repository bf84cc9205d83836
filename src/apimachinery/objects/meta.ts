import type { JsonObject } from "../json/json-value.js";

/** metadata of every object. Times are RFC 3339 strings in UTC, whole seconds. */
export interface ObjectMeta {
  name?: string | undefined;
  generateName?: string | undefined;
  namespace?: string | undefined;
  selfLink?: string | undefined;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  generation?: number | bigint | undefined;
  creationTimestamp?: string | undefined;
  deletionTimestamp?: string | undefined;
  deletionGracePeriodSeconds?: number | bigint | undefined;
  labels?: { [key: string]: string } | undefined;
  annotations?: { [key: string]: string } | undefined;
  ownerReferences?: OwnerReference[] | undefined;
  finalizers?: string[] | undefined;
  clusterName?: string | undefined;
  managedFields?: ManagedFieldsEntry[] | undefined;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean | undefined;
  blockOwnerDeletion?: boolean | undefined;
}

export interface ManagedFieldsEntry {
  manager?: string | undefined;
  operation?: string | undefined;
  apiVersion?: string | undefined;
  time?: string | undefined;
  fieldsType?: string | undefined;
  fieldsV1?: JsonObject | undefined;
  subresource?: string | undefined;
}

export interface ListMeta {
  selfLink?: string | undefined;
  resourceVersion?: string | undefined;
  continue?: string | undefined;
  remainingItemCount?: number | bigint | undefined;
  /** Set in the list of one shard (`shardSelector`). */
  shardInfo?: { readonly selector: string } | undefined;
}

/** The fields that all stored objects share; kinds add their own. */
export interface ApiObject {
  metadata: ObjectMeta;
}

export interface GroupVersion {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
}

export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(gv: GroupVersion): string {
  return gv.group === "" ? gv.version : `${gv.group}/${gv.version}`;
}

/** Undefined when `apiVersion` has more than one slash. */
export function parseApiVersion(apiVersion: string): GroupVersion | undefined {
  const slash = apiVersion.indexOf("/");
  if (slash < 0) return { group: "", version: apiVersion };
  if (apiVersion.indexOf("/", slash + 1) >= 0) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}
