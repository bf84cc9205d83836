// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { LabelSelector, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface PolicyRule {
  verbs?: string[] | undefined;
  apiGroups?: string[] | undefined;
  resources?: string[] | undefined;
  resourceNames?: string[] | undefined;
  nonResourceURLs?: string[] | undefined;
}

export interface Subject {
  kind: string;
  apiGroup?: string | undefined;
  name: string;
  namespace?: string | undefined;
}

export interface RoleRef {
  apiGroup: string;
  kind: string;
  name: string;
}

export interface Role {
  metadata: ObjectMeta;
  rules?: PolicyRule[] | undefined;
}

export interface RoleBinding {
  metadata: ObjectMeta;
  subjects?: Subject[] | undefined;
  roleRef: RoleRef;
}

export interface RoleBindingList {
  metadata: ListMeta;
  items?: RoleBinding[] | undefined;
}

export interface RoleList {
  metadata: ListMeta;
  items?: Role[] | undefined;
}

export interface ClusterRole {
  metadata: ObjectMeta;
  rules?: PolicyRule[] | undefined;
  aggregationRule?: AggregationRule | undefined;
}

export interface AggregationRule {
  clusterRoleSelectors?: LabelSelector[] | undefined;
}

export interface ClusterRoleBinding {
  metadata: ObjectMeta;
  subjects?: Subject[] | undefined;
  roleRef: RoleRef;
}

export interface ClusterRoleBindingList {
  metadata: ListMeta;
  items?: ClusterRoleBinding[] | undefined;
}

export interface ClusterRoleList {
  metadata: ListMeta;
  items?: ClusterRole[] | undefined;
}
