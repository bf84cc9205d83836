import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const schedulingV1alpha1Types = typePackage("scheduling/v1alpha1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    BasicSchedulingPolicy: { fields: {} },
    GangSchedulingPolicy: { fields: { minCount: { number: 1, type: "int32" } } },
    PodGroup: {
      fields: {
        name: { number: 1, type: "string" },
        policy: { number: 3, type: "scheduling/v1alpha1.PodGroupPolicy" },
      },
    },
    PodGroupPolicy: {
      fields: {
        basic: {
          number: 2,
          type: "scheduling/v1alpha1.BasicSchedulingPolicy",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        gang: {
          number: 3,
          type: "scheduling/v1alpha1.GangSchedulingPolicy",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    TypedLocalObjectReference: {
      fields: {
        apiGroup: { number: 1, type: "string", omitempty: true, optional: true },
        kind: { number: 2, type: "string" },
        name: { number: 3, type: "string" },
      },
    },
    Workload: {
      kind: "Workload",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "scheduling/v1alpha1.WorkloadSpec" },
      },
    },
    WorkloadList: listKind("scheduling/v1alpha1.Workload"),
    WorkloadSpec: {
      fields: {
        controllerRef: {
          number: 1,
          type: "scheduling/v1alpha1.TypedLocalObjectReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        podGroups: {
          number: 2,
          type: "scheduling/v1alpha1.PodGroup",
          list: true,
          listType: "map",
          listMapKeys: ["name"],
        },
      },
    },
  };
}
