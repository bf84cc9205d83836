// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { NodeSelector as CoreV1NodeSelector } from "./core-v1.js";
import type { Condition, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface IPAddress {
  metadata: ObjectMeta;
  spec: IPAddressSpec;
}

export interface IPAddressList {
  metadata: ListMeta;
  items?: IPAddress[] | undefined;
}

export interface IPAddressSpec {
  parentRef?: ParentReference | undefined;
}

export interface ParentReference {
  group?: string | undefined;
  resource?: string | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
  uid?: string | undefined;
}

export interface ServiceCIDR {
  metadata: ObjectMeta;
  spec: ServiceCIDRSpec;
  status: ServiceCIDRStatus;
}

export interface ServiceCIDRList {
  metadata: ListMeta;
  items?: ServiceCIDR[] | undefined;
}

export interface ServiceCIDRSpec {
  cidrs?: string[] | undefined;
}

export interface ServiceCIDRStatus {
  conditions?: Condition[] | undefined;
}

export interface ClusterCIDR {
  metadata: ObjectMeta;
  spec: ClusterCIDRSpec;
}

export interface ClusterCIDRList {
  metadata: ListMeta;
  items?: ClusterCIDR[] | undefined;
}

export interface ClusterCIDRSpec {
  nodeSelector?: CoreV1NodeSelector | undefined;
  perNodeHostBits: number;
  ipv4: string;
  ipv6: string;
}
