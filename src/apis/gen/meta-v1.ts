// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { JsonObject, JsonValue } from "../../apimachinery/json/json-value.js";

export interface GroupResource {
  group: string;
  resource: string;
}

export interface GroupVersionResource {
  group: string;
  version: string;
  resource: string;
}

export interface GroupKind {
  group: string;
  kind: string;
}

export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

export interface GroupVersion {
  group: string;
  version: string;
}

export interface Timestamp {
  seconds: number | bigint;
  nanos: number;
}

export interface TypeMeta {
  kind?: string | undefined;
  apiVersion?: string | undefined;
}

export interface ListMeta {
  selfLink?: string | undefined;
  resourceVersion?: string | undefined;
  continue?: string | undefined;
  remainingItemCount?: number | bigint | undefined;
  shardInfo?: ShardInfo | undefined;
}

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

export interface ListOptions {
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  watch?: boolean | undefined;
  allowWatchBookmarks?: boolean | undefined;
  resourceVersion?: string | undefined;
  resourceVersionMatch?: string | undefined;
  timeoutSeconds?: number | bigint | undefined;
  limit?: number | bigint | undefined;
  continue?: string | undefined;
  sendInitialEvents?: boolean | undefined;
  shardSelector?: string | undefined;
}

export interface GetOptions {
  resourceVersion?: string | undefined;
}

export interface DeleteOptions {
  gracePeriodSeconds?: number | bigint | undefined;
  preconditions?: Preconditions | undefined;
  orphanDependents?: boolean | undefined;
  propagationPolicy?: string | undefined;
  dryRun?: string[] | undefined;
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean | undefined;
}

export interface CreateOptions {
  dryRun?: string[] | undefined;
  fieldManager?: string | undefined;
  fieldValidation?: string | undefined;
}

export interface PatchOptions {
  dryRun?: string[] | undefined;
  force?: boolean | undefined;
  fieldManager?: string | undefined;
  fieldValidation?: string | undefined;
}

export interface ApplyOptions {
  dryRun?: string[] | undefined;
  force: boolean;
  fieldManager: string;
}

export interface UpdateOptions {
  dryRun?: string[] | undefined;
  fieldManager?: string | undefined;
  fieldValidation?: string | undefined;
}

export interface Preconditions {
  uid?: string | undefined;
  resourceVersion?: string | undefined;
}

export interface Status {
  metadata: ListMeta;
  status?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  details?: StatusDetails | undefined;
  code?: number | undefined;
}

export interface StatusDetails {
  name?: string | undefined;
  group?: string | undefined;
  kind?: string | undefined;
  uid?: string | undefined;
  causes?: StatusCause[] | undefined;
  retryAfterSeconds?: number | undefined;
}

export interface StatusCause {
  reason?: string | undefined;
  message?: string | undefined;
  field?: string | undefined;
}

export interface List {
  metadata: ListMeta;
  items?: JsonValue[] | undefined;
}

export interface APIVersions {
  versions?: string[] | undefined;
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[] | undefined;
}

export interface APIGroupList {
  groups?: APIGroup[] | undefined;
}

export interface APIGroup {
  name: string;
  versions?: GroupVersionForDiscovery[] | undefined;
  preferredVersion: GroupVersionForDiscovery;
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[] | undefined;
}

export interface ServerAddressByClientCIDR {
  clientCIDR: string;
  serverAddress: string;
}

export interface GroupVersionForDiscovery {
  groupVersion: string;
  version: string;
}

export interface APIResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  group?: string | undefined;
  version?: string | undefined;
  kind: string;
  verbs?: string[] | undefined;
  shortNames?: string[] | undefined;
  categories?: string[] | undefined;
  storageVersionHash?: string | undefined;
}

export interface APIResourceList {
  groupVersion: string;
  resources?: APIResource[] | undefined;
}

export interface RootPaths {
  paths?: string[] | undefined;
}

export interface Patch {
}

export interface LabelSelector {
  matchLabels?: { [key: string]: string } | undefined;
  matchExpressions?: LabelSelectorRequirement[] | undefined;
}

export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: string[] | undefined;
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

export interface TableOptions {
  includeObject?: string | undefined;
}

export interface PartialObjectMetadata {
  metadata: ObjectMeta;
}

export interface PartialObjectMetadataList {
  metadata: ListMeta;
  items?: PartialObjectMetadata[] | undefined;
}

export interface Condition {
  type: string;
  status: string;
  observedGeneration?: number | bigint | undefined;
  lastTransitionTime?: string | undefined;
  reason: string;
  message: string;
}

export interface WatchEvent {
  type: string;
  object?: JsonValue | undefined;
}

export interface Table {
  metadata: ListMeta;
  columnDefinitions?: TableColumnDefinition[] | undefined;
  rows?: TableRow[] | undefined;
}

export interface TableColumnDefinition {
  name: string;
  type: string;
  format: string;
  description: string;
  priority: number;
}

export interface TableRow {
  cells?: JsonValue[] | undefined;
  conditions?: TableRowCondition[] | undefined;
  object?: JsonValue | undefined;
}

export interface TableRowCondition {
  type: string;
  status: string;
  reason?: string | undefined;
  message?: string | undefined;
}

export interface FieldSelectorRequirement {
  key: string;
  operator: string;
  values?: string[] | undefined;
}

export interface ShardInfo {
  selector: string;
}
