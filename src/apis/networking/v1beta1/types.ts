import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { networkingV1Types } from "../v1/types.js";

/** Addresses and ranges of services. */
export const networkingV1beta1Types: TypePackage = siblingVersion(
  "networking/v1beta1",
  networkingV1Types,
  () => ({
    without: [
      "NetworkPolicy",
      "NetworkPolicySpec",
      "NetworkPolicyIngressRule",
      "NetworkPolicyEgressRule",
      "NetworkPolicyPort",
      "IPBlock",
      "NetworkPolicyPeer",
      "NetworkPolicyList",
      "Ingress",
      "IngressList",
      "IngressSpec",
      "IngressTLS",
      "IngressStatus",
      "IngressRule",
      "IngressRuleValue",
      "HTTPIngressRuleValue",
      "HTTPIngressPath",
      "IngressBackend",
      "IngressServiceBackend",
      "ServiceBackendPort",
      "IngressClass",
      "IngressClassSpec",
      "IngressClassParametersReference",
      "IngressClassList",
      "IngressLoadBalancerIngress",
      "IngressLoadBalancerStatus",
      "IngressPortStatus",
      "NetworkPolicyStatus",
    ],
  }),
);
