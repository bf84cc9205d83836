import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const schedulingV1Types = typePackage("scheduling/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    PriorityClass: {
      kind: "PriorityClass",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        value: {
          number: 2,
          type: "int32",
          optional: true,
          rules: { immutable: "may not be changed in an update." },
          before: { "1.36": { optional: undefined } },
        },
        globalDefault: { number: 3, type: "bool", omitempty: true, optional: true },
        description: { number: 4, type: "string", omitempty: true, optional: true },
        preemptionPolicy: {
          number: 5,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["PreemptLowerPriority", "Never"],
          elementName: "core/v1.PreemptionPolicy",
          rules: { nonEmpty: true, supported: "enum", immutable: true },
        },
      },
    },
    PriorityClassList: listKind("scheduling/v1.PriorityClass"),
  };
}
