import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const apidiscoveryV2Types = typePackage("apidiscovery/v2", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    APIGroupDiscovery: {
      kind: "APIGroupDiscovery",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        versions: {
          number: 2,
          type: "apidiscovery/v2.APIVersionDiscovery",
          list: true,
          omitempty: true,
          listType: "map",
          listMapKeys: ["version"],
        },
      },
    },
    APIGroupDiscoveryList: listKind("apidiscovery/v2.APIGroupDiscovery"),
    APIResourceDiscovery: {
      fields: {
        resource: { number: 1, type: "string" },
        responseKind: {
          number: 2,
          type: "meta/v1.GroupVersionKind",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        scope: { number: 3, type: "string" },
        singularResource: { number: 4, type: "string" },
        verbs: { number: 5, type: "string", list: true, listType: "set" },
        shortNames: { number: 6, type: "string", list: true, omitempty: true, listType: "set" },
        categories: { number: 7, type: "string", list: true, omitempty: true, listType: "set" },
        subresources: {
          number: 8,
          type: "apidiscovery/v2.APISubresourceDiscovery",
          list: true,
          omitempty: true,
          listType: "map",
          listMapKeys: ["subresource"],
        },
      },
    },
    APISubresourceDiscovery: {
      fields: {
        subresource: { number: 1, type: "string" },
        responseKind: {
          number: 2,
          type: "meta/v1.GroupVersionKind",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        acceptedTypes: {
          number: 3,
          type: "meta/v1.GroupVersionKind",
          list: true,
          omitempty: true,
          listType: "map",
          listMapKeys: ["group", "version", "kind"],
        },
        verbs: { number: 4, type: "string", list: true, listType: "set" },
      },
    },
    APIVersionDiscovery: {
      fields: {
        version: { number: 1, type: "string" },
        resources: {
          number: 2,
          type: "apidiscovery/v2.APIResourceDiscovery",
          list: true,
          omitempty: true,
          listType: "map",
          listMapKeys: ["resource"],
        },
        freshness: { number: 3, type: "string", omitempty: true },
      },
    },
  };
}
