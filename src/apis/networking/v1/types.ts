import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const networkingV1Types = typePackage("networking/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    NetworkPolicy: {
      kind: "NetworkPolicy",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "networking/v1.NetworkPolicySpec", omitempty: true, optional: true },
        status: {
          number: 3,
          type: "networking/v1.NetworkPolicyStatus",
          omitempty: true,
          optional: true,
          since: "1.24",
          until: "1.28",
        },
      },
    },
    NetworkPolicySpec: {
      fields: {
        podSelector: {
          number: 1,
          type: "meta/v1.LabelSelector",
          optional: true,
          before: { "1.34": { optional: undefined } },
        },
        ingress: {
          number: 2,
          type: "networking/v1.NetworkPolicyIngressRule",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        egress: {
          number: 3,
          type: "networking/v1.NetworkPolicyEgressRule",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        policyTypes: {
          number: 4,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          enum: ["Ingress", "Egress"],
          elementName: "v1.PolicyType",
          rules: { supported: "enum" },
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    NetworkPolicyIngressRule: {
      fields: {
        ports: {
          number: 1,
          type: "networking/v1.NetworkPolicyPort",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        from: {
          number: 2,
          type: "networking/v1.NetworkPolicyPeer",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    NetworkPolicyEgressRule: {
      fields: {
        ports: {
          number: 1,
          type: "networking/v1.NetworkPolicyPort",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        to: {
          number: 2,
          type: "networking/v1.NetworkPolicyPeer",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    NetworkPolicyPort: {
      fields: {
        protocol: {
          number: 1,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["TCP", "UDP", "SCTP"],
          elementName: "core/v1.Protocol",
          rules: { supported: "enum" },
        },
        port: {
          number: 2,
          type: "IntOrString",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 1, max: 65_535, format: "portName" },
        },
        endPort: {
          number: 3,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 1, max: 65_535 },
        },
      },
    },
    IPBlock: {
      fields: {
        cidr: { number: 1, type: "string", rules: { required: true } },
        except: {
          number: 2,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    NetworkPolicyPeer: {
      fields: {
        podSelector: {
          number: 1,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        namespaceSelector: {
          number: 2,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        ipBlock: { number: 3, type: "networking/v1.IPBlock", pointer: true, omitempty: true, optional: true },
      },
    },
    NetworkPolicyList: listKind("networking/v1.NetworkPolicy"),
    Ingress: {
      kind: "Ingress",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "networking/v1.IngressSpec", omitempty: true, optional: true },
        status: { number: 3, type: "networking/v1.IngressStatus", omitempty: true, optional: true },
      },
    },
    IngressList: listKind("networking/v1.Ingress"),
    IngressSpec: {
      fields: {
        ingressClassName: {
          number: 4,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { format: "dnsSubdomain" },
        },
        defaultBackend: {
          number: 1,
          type: "networking/v1.IngressBackend",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        tls: {
          number: 2,
          type: "networking/v1.IngressTLS",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
        rules: {
          number: 3,
          type: "networking/v1.IngressRule",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
      },
    },
    IngressTLS: {
      fields: {
        hosts: {
          number: 1,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          rules: { format: "dnsSubdomainOrWildcard" },
        },
        secretName: {
          number: 2,
          type: "string",
          omitempty: true,
          optional: true,
          rules: { format: "dnsSubdomain" },
        },
      },
    },
    IngressStatus: {
      fields: {
        loadBalancer: {
          number: 1,
          type: "networking/v1.IngressLoadBalancerStatus",
          omitempty: true,
          optional: true,
          before: { "1.26": { type: "core/v1.LoadBalancerStatus" } },
        },
      },
    },
    IngressRule: {
      fields: {
        host: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          rules: { format: "dnsSubdomainOrWildcard" },
        },
        ingressRuleValue: {
          number: 2,
          type: "networking/v1.IngressRuleValue",
          optional: true,
          inline: true,
          before: { "1.31": { omitempty: true } },
        },
      },
    },
    IngressRuleValue: {
      fields: {
        http: {
          number: 1,
          type: "networking/v1.HTTPIngressRuleValue",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    HTTPIngressRuleValue: {
      fields: {
        paths: {
          number: 1,
          type: "networking/v1.HTTPIngressPath",
          list: true,
          listType: "atomic",
          rules: { required: true },
        },
      },
    },
    HTTPIngressPath: {
      fields: {
        path: { number: 1, type: "string", omitempty: true, optional: true },
        pathType: {
          number: 3,
          type: "string",
          pointer: true,
          enum: ["Exact", "Prefix", "ImplementationSpecific"],
          rules: { required: "pathType must be specified" },
          elementName: "v1.PathType",
        },
        backend: { number: 2, type: "networking/v1.IngressBackend" },
      },
    },
    IngressBackend: {
      fields: {
        service: {
          number: 4,
          type: "networking/v1.IngressServiceBackend",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        resource: {
          number: 3,
          type: "core/v1.TypedLocalObjectReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    IngressServiceBackend: {
      fields: {
        name: { number: 1, type: "string", rules: { required: true } },
        port: { number: 2, type: "networking/v1.ServiceBackendPort", omitempty: true },
      },
    },
    ServiceBackendPort: {
      structType: "atomic",
      fields: {
        name: { number: 1, type: "string", omitempty: true, optional: true, rules: { format: "portName" } },
        number: { number: 2, type: "int32", omitempty: true, optional: true, rules: { min: 1, max: 65_535 } },
      },
      before: { "1.31": { structType: undefined } },
    },
    IngressClass: {
      kind: "IngressClass",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "networking/v1.IngressClassSpec", omitempty: true, optional: true },
      },
    },
    IngressClassSpec: {
      fields: {
        controller: { number: 1, type: "string", omitempty: true, rules: { maxBytes: 250, immutable: true } },
        parameters: {
          number: 2,
          type: "networking/v1.IngressClassParametersReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    IngressClassParametersReference: {
      fields: {
        apiGroup: {
          number: 1,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { format: "dnsSubdomain" },
        },
        kind: {
          number: 2,
          type: "string",
          rules: { required: { until: "1.34", detail: "kind is required" }, format: "pathSegment" },
        },
        name: {
          number: 3,
          type: "string",
          rules: { required: { until: "1.34", detail: "name is required" }, format: "pathSegment" },
        },
        scope: {
          number: 4,
          type: "string",
          pointer: true,
          optional: true,
          rules: { supported: ["Cluster", "Namespace"], required: true },
        },
        namespace: {
          number: 5,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { format: "dnsLabel" },
        },
      },
    },
    IngressClassList: listKind("networking/v1.IngressClass"),

    IPAddress: {
      kind: "IPAddress",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: {
          number: 2,
          type: "networking/v1.IPAddressSpec",
          omitempty: true,
          required: true,
          before: { "1.36": { required: undefined, optional: true } },
        },
      },
    },
    IPAddressList: listKind("networking/v1.IPAddress"),
    IPAddressSpec: {
      fields: {
        parentRef: {
          number: 1,
          type: "networking/v1.ParentReference",
          pointer: true,
          omitempty: true,
          optional: true,
          required: true,
          rules: { required: true, immutable: true },
        },
      },
    },
    IngressLoadBalancerIngress: {
      fields: {
        ip: { number: 1, type: "string", omitempty: true, optional: true },
        hostname: {
          number: 2,
          type: "string",
          omitempty: true,
          optional: true,
          rules: { format: "dnsSubdomain" },
        },
        ports: {
          number: 4,
          type: "networking/v1.IngressPortStatus",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
      },
    },
    IngressLoadBalancerStatus: {
      fields: {
        ingress: {
          number: 1,
          type: "networking/v1.IngressLoadBalancerIngress",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    IngressPortStatus: {
      fields: {
        port: { number: 1, type: "int32" },
        protocol: {
          number: 2,
          type: "string",
          enum: ["TCP", "UDP", "SCTP"],
          elementName: "core/v1.Protocol",
        },
        error: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
    NetworkPolicyStatus: {
      fields: {
        conditions: {
          number: 1,
          type: "meta/v1.Condition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
        },
      },
    },
    ParentReference: {
      fields: {
        // A service's group is empty, so it cannot be required.
        group: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          rules: { format: "dnsSubdomain" },
        },
        resource: {
          number: 2,
          type: "string",
          omitempty: true,
          required: true,
          rules: { required: true, format: "pathSegment" },
        },
        namespace: {
          number: 3,
          type: "string",
          omitempty: true,
          optional: true,
          rules: { format: "pathSegment" },
        },
        name: {
          number: 4,
          type: "string",
          omitempty: true,
          required: true,
          rules: { required: true, format: "pathSegment" },
        },
      },
    },
    ServiceCIDR: {
      kind: "ServiceCIDR",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "networking/v1.ServiceCIDRSpec", omitempty: true, optional: true },
        status: { number: 3, type: "networking/v1.ServiceCIDRStatus", omitempty: true, optional: true },
      },
    },
    ServiceCIDRList: listKind("networking/v1.ServiceCIDR"),
    ServiceCIDRSpec: {
      fields: {
        cidrs: {
          number: 1,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          rules: { required: "at least one CIDR required" },
        },
      },
    },
    ServiceCIDRStatus: {
      fields: {
        conditions: {
          number: 1,
          type: "meta/v1.Condition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
        },
      },
    },
  };
}
