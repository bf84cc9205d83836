import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { resourceV1Types } from "../v1/types.js";

/** The same as v1, and rules that taint devices. */
export const resourceV1beta2Types: TypePackage = siblingVersion("resource/v1beta2", resourceV1Types, () => ({
  changed: {
    AllocatedDeviceStatus: { fields: { shareID: { since: "1.34" } } },
    AllocationResult: { fields: { allocationTimestamp: { since: "1.34" } } },
    Device: {
      fields: {
        bindsToNode: { since: "1.34" },
        bindingConditions: { since: "1.34" },
        bindingFailureConditions: { since: "1.34" },
        allowMultipleAllocations: { since: "1.34" },
      },
    },
    DeviceCapacity: { fields: { requestPolicy: { since: "1.34" } } },
    DeviceClassSpec: { fields: { extendedResourceName: { since: "1.34" } } },
    DeviceConstraint: { fields: { distinctAttribute: { since: "1.34" } } },
    DeviceRequestAllocationResult: {
      fields: {
        adminAccess: { before: { "1.34": { omitempty: undefined } } },
        bindingConditions: { since: "1.34" },
        bindingFailureConditions: { since: "1.34" },
        shareID: { since: "1.34" },
        consumedCapacity: { since: "1.34" },
      },
    },
    DeviceSubRequest: { fields: { capacity: { since: "1.34" } } },
    ExactDeviceRequest: { fields: { capacity: { since: "1.34" } } },
    ResourceClaimStatus: {
      fields: { devices: { before: { "1.34": { listMapKeys: ["driver", "device", "pool"] } } } },
    },
  },
  types: {
    DeviceTaintRule: {
      kind: "DeviceTaintRule",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "resource/v1beta2.DeviceTaintRuleSpec" },
        status: {
          number: 3,
          type: "resource/v1beta2.DeviceTaintRuleStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    DeviceTaintRuleList: listKind("resource/v1beta2.DeviceTaintRule"),
    DeviceTaintRuleSpec: {
      fields: {
        deviceSelector: {
          number: 1,
          type: "resource/v1beta2.DeviceTaintSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        taint: {
          number: 2,
          type: "resource/v1beta2.DeviceTaint",
          omitempty: true,
          required: true,
          before: { "1.36": { required: undefined } },
        },
      },
    },
    DeviceTaintRuleStatus: {
      fields: {
        conditions: {
          number: 1,
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
    DeviceTaintSelector: {
      fields: {
        driver: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
        pool: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
        device: { number: 4, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
  },
}));
