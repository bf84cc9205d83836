import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const policyV1Types = typePackage("policy/v1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    PodDisruptionBudgetSpec: {
      fields: {
        minAvailable: { number: 1, type: "IntOrString", pointer: true, omitempty: true, optional: true },
        selector: {
          number: 2,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
          patchStrategy: "replace",
        },
        maxUnavailable: { number: 3, type: "IntOrString", pointer: true, omitempty: true, optional: true },
        unhealthyPodEvictionPolicy: {
          number: 4,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["IfHealthyBudget", "AlwaysAllow"],
          featureGate: "PDBUnhealthyPodEvictionPolicy",
          since: "1.26",
          rules: { supported: ["AlwaysAllow", "IfHealthyBudget"] },
          elementName: "v1.UnhealthyPodEvictionPolicyType",
        },
      },
    },
    PodDisruptionBudgetStatus: {
      fields: {
        observedGeneration: { number: 1, type: "int64", omitempty: true, optional: true },
        disruptedPods: { number: 2, type: "Time", map: true, omitempty: true, optional: true },
        disruptionsAllowed: {
          number: 3,
          type: "int32",
          optional: true,
          rules: { min: 0 },
          before: { "1.36": { optional: undefined } },
        },
        currentHealthy: {
          number: 4,
          type: "int32",
          optional: true,
          rules: { min: 0 },
          before: { "1.36": { optional: undefined } },
        },
        desiredHealthy: {
          number: 5,
          type: "int32",
          optional: true,
          rules: { min: 0 },
          before: { "1.36": { optional: undefined } },
        },
        expectedPods: {
          number: 6,
          type: "int32",
          optional: true,
          rules: { min: 0 },
          before: { "1.36": { optional: undefined } },
        },
        conditions: {
          number: 7,
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
    PodDisruptionBudget: {
      kind: "PodDisruptionBudget",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "policy/v1.PodDisruptionBudgetSpec", omitempty: true, optional: true },
        status: { number: 3, type: "policy/v1.PodDisruptionBudgetStatus", omitempty: true, optional: true },
      },
    },
    PodDisruptionBudgetList: listKind("policy/v1.PodDisruptionBudget"),
    Eviction: {
      kind: "Eviction",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        deleteOptions: {
          number: 2,
          type: "meta/v1.DeleteOptions",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
  };
}
