import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const apiserverinternalV1alpha1Types = typePackage("apiserverinternal/v1alpha1", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    StorageVersion: {
      kind: "StorageVersion",
      fields: {
        metadata: {
          number: 1,
          type: "meta/v1.ObjectMeta",
          omitempty: true,
          required: true,
          before: { "1.36": { required: undefined } },
        },
        spec: {
          number: 2,
          type: "apiserverinternal/v1alpha1.StorageVersionSpec",
          optional: true,
          before: { "1.36": { optional: undefined } },
        },
        status: {
          number: 3,
          type: "apiserverinternal/v1alpha1.StorageVersionStatus",
          optional: true,
          before: { "1.36": { optional: undefined } },
        },
      },
    },
    StorageVersionSpec: {
      fields: {},
    },
    StorageVersionStatus: {
      fields: {
        storageVersions: {
          number: 1,
          type: "apiserverinternal/v1alpha1.ServerStorageVersion",
          list: true,
          omitempty: true,
          optional: true,
          listType: "map",
          listMapKeys: ["apiServerID"],
        },
        commonEncodingVersion: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
        conditions: {
          number: 3,
          type: "apiserverinternal/v1alpha1.StorageVersionCondition",
          list: true,
          omitempty: true,
          optional: true,
          listType: "map",
          listMapKeys: ["type"],
        },
      },
    },
    ServerStorageVersion: {
      fields: {
        apiServerID: {
          number: 1,
          type: "string",
          omitempty: true,
          required: true,
          before: { "1.36": { required: undefined } },
        },
        encodingVersion: {
          number: 2,
          type: "string",
          omitempty: true,
          required: true,
          before: { "1.36": { required: undefined } },
        },
        decodableVersions: {
          number: 3,
          type: "string",
          list: true,
          omitempty: true,
          listType: "set",
          required: true,
          before: { "1.36": { required: undefined } },
        },
        servedVersions: {
          number: 4,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "set",
          since: "1.28",
          before: { "1.36": { optional: undefined } },
        },
      },
    },
    StorageVersionCondition: {
      fields: {
        type: {
          number: 1,
          type: "string",
          elementName: "v1alpha1.StorageVersionConditionType",
        },
        status: { number: 2, type: "string", elementName: "v1alpha1.ConditionStatus" },
        observedGeneration: { number: 3, type: "int64", omitempty: true, optional: true },
        lastTransitionTime: {
          number: 4,
          type: "Time",
          omitempty: true,
          optional: true,
          before: { "1.36": { optional: undefined } },
        },
        reason: { number: 5, type: "string", rules: { required: "reason cannot be empty" } },
        message: {
          number: 6,
          type: "string",
          omitempty: true,
          rules: { required: "message cannot be empty" },
          required: true,
          before: { "1.30": { required: undefined } },
        },
      },
    },
    StorageVersionList: listKind("apiserverinternal/v1alpha1.StorageVersion"),
  };
}
