import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../../apimachinery/schema/list-kind.js";

/** Services, endpoints, and the ranges of allocated addresses and ports. */
export function declareServicesTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    SessionAffinityConfig: {
      fields: {
        clientIP: {
          number: 1,
          type: "core/v1.ClientIPConfig",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ClientIPConfig: {
      fields: {
        timeoutSeconds: { number: 1, type: "int32", pointer: true, omitempty: true, optional: true },
      },
    },
    ServiceStatus: {
      fields: {
        loadBalancer: { number: 1, type: "core/v1.LoadBalancerStatus", omitempty: true, optional: true },
        conditions: {
          number: 2,
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
    LoadBalancerStatus: {
      fields: {
        ingress: {
          number: 1,
          type: "core/v1.LoadBalancerIngress",
          list: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    LoadBalancerIngress: {
      fields: {
        ip: { number: 1, type: "string", omitempty: true, optional: true },
        hostname: { number: 2, type: "string", omitempty: true, optional: true },
        ports: {
          number: 4,
          type: "core/v1.PortStatus",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
      },
    },
    ServiceSpec: {
      fields: {
        ports: {
          number: 1,
          type: "core/v1.ServicePort",
          list: true,
          omitempty: true,
          patchStrategy: "merge",
          patchMergeKey: "port",
          listType: "map",
          listMapKeys: ["port", "protocol"],
        },
        selector: {
          number: 2,
          type: "string",
          map: true,
          omitempty: true,
          optional: true,
          mapType: "atomic",
        },
        clusterIP: { number: 3, type: "string", omitempty: true, optional: true },
        clusterIPs: {
          number: 18,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
        type: {
          number: 4,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"],
          elementName: "v1.ServiceType",
          rules: { required: true },
        },
        externalIPs: { number: 5, type: "string", list: true, omitempty: true, optional: true },
        sessionAffinity: {
          number: 7,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["ClientIP", "None"],
          elementName: "v1.ServiceAffinity",
          rules: { required: true },
        },
        loadBalancerIP: { number: 8, type: "string", omitempty: true, optional: true },
        loadBalancerSourceRanges: { number: 9, type: "string", list: true, omitempty: true, optional: true },
        externalName: { number: 10, type: "string", omitempty: true, optional: true },
        externalTrafficPolicy: {
          number: 11,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["Local", "Cluster"],
          elementName: "v1.ServiceExternalTrafficPolicyType",
          rules: { required: true, supported: ["Cluster", "Local"] },
        },
        healthCheckNodePort: { number: 12, type: "int32", omitempty: true, optional: true },
        publishNotReadyAddresses: { number: 13, type: "bool", omitempty: true, optional: true },
        sessionAffinityConfig: {
          number: 14,
          type: "core/v1.SessionAffinityConfig",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        ipFamilies: {
          number: 19,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          enum: ["IPv4", "IPv6"],
          elementName: "v1.IPFamily",
        },
        ipFamilyPolicy: {
          number: 17,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["SingleStack", "PreferDualStack", "RequireDualStack"],
          elementName: "v1.IPFamilyPolicyType",
        },
        allocateLoadBalancerNodePorts: {
          number: 20,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "ServiceLBNodePortControl",
        },
        loadBalancerClass: {
          number: 21,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "ServiceLoadBalancerClass",
        },
        internalTrafficPolicy: {
          number: 22,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Cluster", "Local"],
          featureGate: "ServiceInternalTrafficPolicy",
          elementName: "v1.ServiceInternalTrafficPolicyType",
          rules: { required: true },
        },
      },
    },
    ServicePort: {
      fields: {
        name: { number: 1, type: "string", omitempty: true, optional: true },
        protocol: {
          number: 2,
          type: "string",
          omitempty: true,
          optional: true,
          default: "TCP",
          enum: ["TCP", "UDP", "SCTP"],
          elementName: "v1.Protocol",
          rules: { required: true },
        },
        appProtocol: { number: 6, type: "string", pointer: true, omitempty: true, optional: true },
        port: { number: 3, type: "int32" },
        targetPort: { number: 4, type: "IntOrString", omitempty: true, optional: true },
        nodePort: { number: 5, type: "int32", omitempty: true, optional: true },
      },
    },
    Service: {
      kind: "Service",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "core/v1.ServiceSpec", omitempty: true, optional: true },
        status: { number: 3, type: "core/v1.ServiceStatus", omitempty: true, optional: true },
      },
    },
    ServiceList: listKind("core/v1.Service"),
    Endpoints: {
      kind: "Endpoints",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        subsets: { number: 2, type: "core/v1.EndpointSubset", list: true, omitempty: true, optional: true },
      },
    },
    EndpointSubset: {
      fields: {
        addresses: {
          number: 1,
          type: "core/v1.EndpointAddress",
          list: true,
          omitempty: true,
          optional: true,
        },
        notReadyAddresses: {
          number: 2,
          type: "core/v1.EndpointAddress",
          list: true,
          omitempty: true,
          optional: true,
        },
        ports: { number: 3, type: "core/v1.EndpointPort", list: true, omitempty: true, optional: true },
      },
    },
    EndpointAddress: {
      structType: "atomic",
      fields: {
        ip: { number: 1, type: "string" },
        hostname: { number: 3, type: "string", omitempty: true, optional: true },
        nodeName: { number: 4, type: "string", pointer: true, omitempty: true, optional: true },
        targetRef: {
          number: 2,
          type: "core/v1.ObjectReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    EndpointPort: {
      structType: "atomic",
      fields: {
        name: { number: 1, type: "string", omitempty: true, optional: true },
        port: { number: 2, type: "int32" },
        protocol: {
          number: 3,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["TCP", "UDP", "SCTP"],
          elementName: "v1.Protocol",
          rules: { required: true },
        },
        appProtocol: { number: 4, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
    EndpointsList: listKind("core/v1.Endpoints"),
    PortStatus: {
      fields: {
        port: { number: 1, type: "int32" },
        protocol: { number: 2, type: "string", enum: ["TCP", "UDP", "SCTP"], elementName: "v1.Protocol" },
        error: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
    RangeAllocation: {
      kind: "RangeAllocation",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        range: { number: 2, type: "string" },
        data: { number: 3, type: "bytes" },
      },
    },
  };
}
