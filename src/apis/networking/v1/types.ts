import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";

export const networkingV1Types: TypePackage = { name: "networking/v1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    NetworkPolicy: {
      kind: "NetworkPolicy",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "networking/v1.NetworkPolicySpec", omitempty: true, optional: true },
      },
    },
    NetworkPolicySpec: {
      fields: {
        podSelector: { number: 1, type: "meta/v1.LabelSelector" },
        ingress: {
          number: 2,
          type: "networking/v1.NetworkPolicyIngressRule",
          list: true,
          omitempty: true,
          optional: true,
        },
        egress: {
          number: 3,
          type: "networking/v1.NetworkPolicyEgressRule",
          list: true,
          omitempty: true,
          optional: true,
        },
        policyTypes: {
          number: 4,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          enum: ["Ingress", "Egress"],
          elementName: "v1.PolicyType",
          rules: { supported: "enum" },
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
        },
        from: {
          number: 2,
          type: "networking/v1.NetworkPolicyPeer",
          list: true,
          omitempty: true,
          optional: true,
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
        },
        to: {
          number: 2,
          type: "networking/v1.NetworkPolicyPeer",
          list: true,
          omitempty: true,
          optional: true,
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
        port: { number: 2, type: "IntOrString", pointer: true, omitempty: true, optional: true },
        endPort: { number: 3, type: "int32", pointer: true, omitempty: true, optional: true },
      },
    },
    IPBlock: {
      fields: {
        cidr: { number: 1, type: "string" },
        except: { number: 2, type: "string", list: true, omitempty: true, optional: true },
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
        ingressClassName: { number: 4, type: "string", pointer: true, omitempty: true, optional: true },
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
        hosts: { number: 1, type: "string", list: true, omitempty: true, optional: true, listType: "atomic" },
        secretName: { number: 2, type: "string", omitempty: true, optional: true },
      },
    },
    IngressStatus: {
      fields: {
        loadBalancer: { number: 1, type: "core/v1.LoadBalancerStatus", omitempty: true, optional: true },
      },
    },
    IngressRule: {
      fields: {
        host: { number: 1, type: "string", omitempty: true, optional: true },
        ingressRuleValue: {
          number: 2,
          type: "networking/v1.IngressRuleValue",
          omitempty: true,
          optional: true,
          inline: true,
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
        paths: { number: 1, type: "networking/v1.HTTPIngressPath", list: true, listType: "atomic" },
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
        name: { number: 1, type: "string" },
        port: { number: 2, type: "networking/v1.ServiceBackendPort", omitempty: true },
      },
    },
    ServiceBackendPort: {
      fields: {
        name: { number: 1, type: "string", omitempty: true, optional: true },
        number: { number: 2, type: "int32", omitempty: true, optional: true },
      },
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
        controller: { number: 1, type: "string", omitempty: true, rules: { immutable: true } },
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
        apiGroup: { number: 1, type: "string", pointer: true, omitempty: true, optional: true },
        kind: { number: 2, type: "string" },
        name: { number: 3, type: "string" },
        scope: {
          number: 4,
          type: "string",
          pointer: true,
          optional: true,
          rules: { required: true, supported: ["Cluster", "Namespace"] },
        },
        namespace: { number: 5, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
    IngressClassList: listKind("networking/v1.IngressClass"),
  };
}
