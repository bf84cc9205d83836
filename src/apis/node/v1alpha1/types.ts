import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";

export const nodeV1alpha1Types: TypePackage = { name: "node/v1alpha1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    RuntimeClass: {
      kind: "RuntimeClass",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "node/v1alpha1.RuntimeClassSpec" },
      },
    },
    RuntimeClassSpec: {
      fields: {
        runtimeHandler: { number: 1, type: "string" },
        overhead: {
          number: 2,
          type: "node/v1alpha1.Overhead",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        scheduling: {
          number: 3,
          type: "node/v1alpha1.Scheduling",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    Overhead: {
      fields: {
        podFixed: {
          number: 1,
          type: "Quantity",
          map: true,
          omitempty: true,
          optional: true,
          collectionName: "v1.ResourceList",
        },
      },
    },
    Scheduling: {
      fields: {
        nodeSelector: {
          number: 1,
          type: "string",
          map: true,
          omitempty: true,
          optional: true,
          mapType: "atomic",
        },
        tolerations: {
          number: 2,
          type: "core/v1.Toleration",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
      },
    },
    RuntimeClassList: {
      kind: "RuntimeClassList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "node/v1alpha1.RuntimeClass", list: true },
      },
    },
  };
}
