import type { TypePackage } from "../../apimachinery/schema/declaration.js";

/** Aggregated discovery, for its protobuf form. It is younger than version 1.23, and not a resource. */
export const aggregatedDiscoveryTypes: TypePackage = {
  name: "apidiscovery/v2",
  declare: () => ({
    APIGroupDiscoveryList: {
      kind: "APIGroupDiscoveryList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true },
        items: { number: 2, type: "apidiscovery/v2.APIGroupDiscovery", list: true },
      },
    },
    APIGroupDiscovery: {
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true },
        versions: { number: 2, type: "apidiscovery/v2.APIVersionDiscovery", list: true, omitempty: true },
      },
    },
    APIVersionDiscovery: {
      fields: {
        version: { number: 1, type: "string" },
        resources: { number: 2, type: "apidiscovery/v2.APIResourceDiscovery", list: true, omitempty: true },
        freshness: { number: 3, type: "string", omitempty: true },
      },
    },
    APIResourceDiscovery: {
      fields: {
        resource: { number: 1, type: "string" },
        responseKind: { number: 2, type: "meta/v1.GroupVersionKind", pointer: true, omitempty: true },
        scope: { number: 3, type: "string" },
        singularResource: { number: 4, type: "string" },
        verbs: { number: 5, type: "string", list: true },
        shortNames: { number: 6, type: "string", list: true, omitempty: true },
        categories: { number: 7, type: "string", list: true, omitempty: true },
        subresources: {
          number: 8,
          type: "apidiscovery/v2.APISubresourceDiscovery",
          list: true,
          omitempty: true,
        },
      },
    },
    APISubresourceDiscovery: {
      fields: {
        subresource: { number: 1, type: "string" },
        responseKind: { number: 2, type: "meta/v1.GroupVersionKind", pointer: true, omitempty: true },
        acceptedTypes: { number: 3, type: "meta/v1.GroupVersionKind", list: true, omitempty: true },
        verbs: { number: 4, type: "string", list: true },
      },
    },
  }),
};
