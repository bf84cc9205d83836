import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";

export const discoveryV1beta1Types: TypePackage = { name: "discovery/v1beta1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    EndpointSlice: {
      kind: "EndpointSlice",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        addressType: { number: 4, type: "string", elementName: "v1beta1.AddressType" },
        endpoints: { number: 2, type: "discovery/v1beta1.Endpoint", list: true, listType: "atomic" },
        ports: {
          number: 3,
          type: "discovery/v1beta1.EndpointPort",
          list: true,
          optional: true,
          listType: "atomic",
        },
      },
    },
    Endpoint: {
      fields: {
        addresses: { number: 1, type: "string", list: true, listType: "set" },
        conditions: { number: 2, type: "discovery/v1beta1.EndpointConditions", omitempty: true },
        hostname: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
        targetRef: {
          number: 4,
          type: "core/v1.ObjectReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        topology: { number: 5, type: "string", map: true, omitempty: true, optional: true },
        nodeName: { number: 6, type: "string", pointer: true, omitempty: true, optional: true },
        hints: {
          number: 7,
          type: "discovery/v1beta1.EndpointHints",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "TopologyAwareHints",
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
          type: "discovery/v1beta1.ForZone",
          list: true,
          omitempty: true,
          listType: "atomic",
        },
      },
    },
    ForZone: {
      fields: {
        name: { number: 1, type: "string" },
      },
    },
    EndpointPort: {
      fields: {
        name: { number: 1, type: "string", pointer: true, omitempty: true, optional: true },
        protocol: {
          number: 2,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["TCP", "UDP", "SCTP"],
          elementName: "v1.Protocol",
        },
        port: { number: 3, type: "int32", pointer: true, omitempty: true, optional: true },
        appProtocol: { number: 4, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
    EndpointSliceList: {
      kind: "EndpointSliceList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "discovery/v1beta1.EndpointSlice", list: true },
      },
    },
  };
}
