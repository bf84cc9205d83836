// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { TypedLocalObjectReference as CoreV1TypedLocalObjectReference } from "./core-v1.js";
import type { Condition, LabelSelector, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface NetworkPolicy {
  metadata: ObjectMeta;
  spec: NetworkPolicySpec;
  status?: NetworkPolicyStatus | undefined;
}

export interface NetworkPolicySpec {
  podSelector: LabelSelector;
  ingress?: NetworkPolicyIngressRule[] | undefined;
  egress?: NetworkPolicyEgressRule[] | undefined;
  policyTypes?: OpenEnum<"Ingress" | "Egress">[] | undefined;
}

export interface NetworkPolicyIngressRule {
  ports?: NetworkPolicyPort[] | undefined;
  from?: NetworkPolicyPeer[] | undefined;
}

export interface NetworkPolicyEgressRule {
  ports?: NetworkPolicyPort[] | undefined;
  to?: NetworkPolicyPeer[] | undefined;
}

export interface NetworkPolicyPort {
  protocol?: OpenEnum<"TCP" | "UDP" | "SCTP"> | undefined;
  port?: number | string | undefined;
  endPort?: number | undefined;
}

export interface IPBlock {
  cidr: string;
  except?: string[] | undefined;
}

export interface NetworkPolicyPeer {
  podSelector?: LabelSelector | undefined;
  namespaceSelector?: LabelSelector | undefined;
  ipBlock?: IPBlock | undefined;
}

export interface NetworkPolicyList {
  metadata: ListMeta;
  items?: NetworkPolicy[] | undefined;
}

export interface Ingress {
  metadata: ObjectMeta;
  spec: IngressSpec;
  status: IngressStatus;
}

export interface IngressList {
  metadata: ListMeta;
  items?: Ingress[] | undefined;
}

export interface IngressSpec {
  ingressClassName?: string | undefined;
  defaultBackend?: IngressBackend | undefined;
  tls?: IngressTLS[] | undefined;
  rules?: IngressRule[] | undefined;
}

export interface IngressTLS {
  hosts?: string[] | undefined;
  secretName?: string | undefined;
}

export interface IngressStatus {
  loadBalancer: IngressLoadBalancerStatus;
}

export interface IngressRule {
  host?: string | undefined;
  http?: HTTPIngressRuleValue | undefined;
}

export interface IngressRuleValue {
  http?: HTTPIngressRuleValue | undefined;
}

export interface HTTPIngressRuleValue {
  paths?: HTTPIngressPath[] | undefined;
}

export interface HTTPIngressPath {
  path?: string | undefined;
  pathType?: OpenEnum<"Exact" | "Prefix" | "ImplementationSpecific"> | undefined;
  backend: IngressBackend;
}

export interface IngressBackend {
  service?: IngressServiceBackend | undefined;
  resource?: CoreV1TypedLocalObjectReference | undefined;
}

export interface IngressServiceBackend {
  name: string;
  port: ServiceBackendPort;
}

export interface ServiceBackendPort {
  name?: string | undefined;
  number?: number | undefined;
}

export interface IngressClass {
  metadata: ObjectMeta;
  spec: IngressClassSpec;
}

export interface IngressClassSpec {
  controller?: string | undefined;
  parameters?: IngressClassParametersReference | undefined;
}

export interface IngressClassParametersReference {
  apiGroup?: string | undefined;
  kind: string;
  name: string;
  scope?: string | undefined;
  namespace?: string | undefined;
}

export interface IngressClassList {
  metadata: ListMeta;
  items?: IngressClass[] | undefined;
}

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

export interface IngressLoadBalancerIngress {
  ip?: string | undefined;
  hostname?: string | undefined;
  ports?: IngressPortStatus[] | undefined;
}

export interface IngressLoadBalancerStatus {
  ingress?: IngressLoadBalancerIngress[] | undefined;
}

export interface IngressPortStatus {
  port: number;
  protocol: OpenEnum<"TCP" | "UDP" | "SCTP">;
  error?: string | undefined;
}

export interface NetworkPolicyStatus {
  conditions?: Condition[] | undefined;
}

export interface ParentReference {
  group?: string | undefined;
  resource?: string | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
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
