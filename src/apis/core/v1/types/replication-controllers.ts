import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../../apimachinery/schema/list-kind.js";

export function declareReplicationControllersTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    ReplicationControllerSpec: {
      fields: {
        replicas: {
          number: 1,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          default: 1,
          rules: { min: 0 },
          before: { "1.33": { default: undefined } },
        },
        minReadySeconds: {
          number: 4,
          type: "int32",
          omitempty: true,
          optional: true,
          default: 0,
          rules: { min: 0 },
          before: { "1.33": { default: undefined } },
        },
        selector: {
          number: 2,
          type: "string",
          map: true,
          omitempty: true,
          optional: true,
          mapType: "atomic",
          rules: { required: true },
        },
        template: {
          number: 3,
          type: "core/v1.PodTemplateSpec",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { required: true },
        },
      },
    },
    ReplicationControllerStatus: {
      fields: {
        replicas: { number: 1, type: "int32", rules: { min: 0 } },
        fullyLabeledReplicas: {
          number: 2,
          type: "int32",
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
        readyReplicas: { number: 4, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        availableReplicas: { number: 5, type: "int32", omitempty: true, optional: true, rules: { min: 0 } },
        observedGeneration: { number: 3, type: "int64", omitempty: true, optional: true, rules: { min: 0 } },
        conditions: {
          number: 6,
          type: "core/v1.ReplicationControllerCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
          before: { "1.30": { listType: undefined, listMapKeys: undefined } },
        },
      },
    },
    ReplicationControllerCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.ReplicationControllerConditionType" },
        status: { number: 2, type: "string", elementName: "v1.ConditionStatus" },
        lastTransitionTime: { number: 3, type: "Time", omitempty: true, optional: true },
        reason: { number: 4, type: "string", omitempty: true, optional: true },
        message: { number: 5, type: "string", omitempty: true, optional: true },
      },
    },
    ReplicationController: {
      kind: "ReplicationController",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "core/v1.ReplicationControllerSpec", omitempty: true, optional: true },
        status: { number: 3, type: "core/v1.ReplicationControllerStatus", omitempty: true, optional: true },
      },
    },
    ReplicationControllerList: listKind("core/v1.ReplicationController"),
  };
}
