import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const discoveryV1Types = typePackage("discovery/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    EndpointSlice: {
      kind: "EndpointSlice",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        addressType: {
          number: 4,
          type: "string",
          enum: ["IPv4", "IPv6", "FQDN"],
          elementName: "v1.AddressType",
          rules: { required: true, immutable: true },
        },
        endpoints: {
          number: 2,
          type: "discovery/v1.Endpoint",
          list: true,
          optional: true,
          listType: "atomic",
          before: { "1.36": { optional: undefined } },
          rules: { maxItems: 1000 },
        },
        ports: {
          number: 3,
          type: "discovery/v1.EndpointPort",
          list: true,
          optional: true,
          listType: "atomic",
          rules: { maxItems: 20_000 },
        },
      },
    },
    Endpoint: {
      fields: {
        addresses: {
          number: 1,
          type: "string",
          list: true,
          listType: "set",
          rules: { required: "must contain at least 1 address", maxItems: 100 },
        },
        conditions: { number: 2, type: "discovery/v1.EndpointConditions", omitempty: true },
        hostname: {
          number: 3,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { format: "dnsLabel" },
        },
        targetRef: {
          number: 4,
          type: "core/v1.ObjectReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        deprecatedTopology: { number: 5, type: "string", map: true, omitempty: true, optional: true },
        nodeName: {
          number: 6,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { format: "dnsSubdomain" },
        },
        zone: { number: 7, type: "string", pointer: true, omitempty: true, optional: true },
        hints: {
          number: 8,
          type: "discovery/v1.EndpointHints",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    EndpointConditions: {
      fields: {
        ready: { number: 1, type: "bool", pointer: true, omitempty: true, optional: true },
        serving: { number: 2, type: "bool", pointer: true, omitempty: true, optional: true },
        terminating: { number: 3, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    EndpointHints: {
      fields: {
        forZones: {
          number: 1,
          type: "discovery/v1.ForZone",
          list: true,
          omitempty: true,
          listType: "atomic",
          rules: { maxItems: 8 },
        },
        forNodes: {
          number: 2,
          type: "discovery/v1.ForNode",
          list: true,
          omitempty: true,
          listType: "atomic",
          featureGate: "PreferSameTrafficDistribution",
          since: "1.33",
          rules: { maxItems: 8 },
        },
      },
    },
    ForZone: {
      fields: {
        name: { number: 1, type: "string", rules: { format: "labelValue" } },
      },
    },
    EndpointPort: {
      structType: "atomic",
      fields: {
        name: {
          number: 1,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { zeroIsAbsent: true, format: "dnsLabel" },
        },
        protocol: {
          number: 2,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["TCP", "UDP", "SCTP"],
          elementName: "core/v1.Protocol",
          rules: { required: true },
        },
        port: { number: 3, type: "int32", pointer: true, omitempty: true, optional: true },
        appProtocol: {
          number: 4,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { format: "qualifiedName" },
        },
      },
    },
    EndpointSliceList: listKind("discovery/v1.EndpointSlice"),

    ForNode: { fields: { name: { number: 1, type: "string", rules: { format: "dnsSubdomain" } } } },
  };
}
