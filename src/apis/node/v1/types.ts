import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const nodeV1Types = typePackage("node/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    RuntimeClass: {
      kind: "RuntimeClass",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        handler: { number: 2, type: "string", rules: { format: "dnsLabel", immutable: true } },
        overhead: { number: 3, type: "node/v1.Overhead", pointer: true, omitempty: true, optional: true },
        scheduling: { number: 4, type: "node/v1.Scheduling", pointer: true, omitempty: true, optional: true },
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
          collectionName: "core/v1.ResourceList",
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
    RuntimeClassList: listKind("node/v1.RuntimeClass"),
  };
}
