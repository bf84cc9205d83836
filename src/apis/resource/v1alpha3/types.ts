import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { resourceV1beta1Types } from "../v1beta1/types.js";

/** The same as v1beta1, scheduling by drivers as in v1alpha2, and rules that taint devices. */
export const resourceV1alpha3Types: TypePackage = siblingVersion(
  "resource/v1alpha3",
  resourceV1beta1Types,
  () => ({
    without: [
      "CapacityRequestPolicy",
      "CapacityRequestPolicyRange",
      "CapacityRequirements",
      "DeviceCapacity",
      "NodeAllocatableResourceMapping",
    ],
    changed: {
      BasicDevice: {
        fields: { capacity: { type: "Quantity" }, nodeSelector: { featureGate: "DRAPartitionableDevices" } },
      },
      DeviceRequest: {
        fields: {
          adminAccess: { before: { "1.32": { pointer: undefined, featureGate: undefined, default: false } } },
        },
      },
      DeviceRequestAllocationResult: {
        fields: { adminAccess: { omitempty: undefined, since: "1.32", before: undefined } },
      },
      ResourceClaimStatus: {
        fields: {
          devices: { listMapKeys: ["driver", "device", "pool"], since: "1.32", before: undefined },
        },
      },
    },
    types: {
      DeviceTaintRule: {
        kind: "DeviceTaintRule",
        fields: {
          metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
          spec: { number: 2, type: "resource/v1alpha3.DeviceTaintRuleSpec" },
          status: {
            number: 3,
            type: "resource/v1alpha3.DeviceTaintRuleStatus",
            omitempty: true,
            optional: true,
            since: "1.35",
          },
        },
      },
      DeviceTaintRuleList: listKind("resource/v1alpha3.DeviceTaintRule"),
      DeviceTaintRuleSpec: {
        fields: {
          deviceSelector: {
            number: 1,
            type: "resource/v1alpha3.DeviceTaintSelector",
            pointer: true,
            omitempty: true,
            optional: true,
          },
          taint: { number: 2, type: "resource/v1alpha3.DeviceTaint", omitempty: true, required: true },
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
          deviceClassName: {
            number: 1,
            type: "string",
            pointer: true,
            omitempty: true,
            optional: true,
            until: "1.35",
          },
          driver: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
          pool: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
          device: { number: 4, type: "string", pointer: true, omitempty: true, optional: true },
          selectors: {
            number: 5,
            type: "resource/v1alpha3.DeviceSelector",
            list: true,
            omitempty: true,
            optional: true,
            listType: "atomic",
            until: "1.35",
          },
        },
      },
      PodSchedulingContext: {
        kind: "PodSchedulingContext",
        fields: {
          metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
          spec: { number: 2, type: "resource/v1alpha3.PodSchedulingContextSpec" },
          status: {
            number: 3,
            type: "resource/v1alpha3.PodSchedulingContextStatus",
            omitempty: true,
            optional: true,
          },
        },
      },
      PodSchedulingContextList: listKind("resource/v1alpha3.PodSchedulingContext"),
      PodSchedulingContextSpec: {
        fields: {
          selectedNode: { number: 1, type: "string", omitempty: true, optional: true },
          potentialNodes: {
            number: 2,
            type: "string",
            list: true,
            omitempty: true,
            optional: true,
            listType: "atomic",
          },
        },
      },
      PodSchedulingContextStatus: {
        fields: {
          resourceClaims: {
            number: 1,
            type: "resource/v1alpha3.ResourceClaimSchedulingStatus",
            list: true,
            omitempty: true,
            optional: true,
            listType: "map",
            listMapKeys: ["name"],
          },
        },
      },
      PoolStatus: {
        fields: {
          driver: {
            number: 1,
            type: "string",
            omitempty: true,
            required: true,
          },
          poolName: {
            number: 2,
            type: "string",
            omitempty: true,
            required: true,
          },
          generation: { number: 9, type: "int64" },
          resourceSliceCount: { number: 8, type: "int32", pointer: true, omitempty: true, optional: true },
          totalDevices: { number: 4, type: "int32", pointer: true, omitempty: true, optional: true },
          allocatedDevices: { number: 5, type: "int32", pointer: true, omitempty: true, optional: true },
          availableDevices: { number: 6, type: "int32", pointer: true, omitempty: true, optional: true },
          unavailableDevices: { number: 7, type: "int32", pointer: true, omitempty: true, optional: true },
          nodeName: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
          validationError: { number: 10, type: "string", pointer: true, omitempty: true, optional: true },
        },
      },
      ResourceClaimSchedulingStatus: {
        fields: {
          name: { number: 1, type: "string" },
          unsuitableNodes: {
            number: 2,
            type: "string",
            list: true,
            omitempty: true,
            optional: true,
            listType: "atomic",
          },
        },
      },
      ResourcePoolStatusRequest: {
        kind: "ResourcePoolStatusRequest",
        fields: {
          metadata: {
            number: 1,
            type: "meta/v1.ObjectMeta",
            omitempty: true,
            required: true,
          },
          spec: { number: 2, type: "resource/v1alpha3.ResourcePoolStatusRequestSpec" },
          status: {
            number: 3,
            type: "resource/v1alpha3.ResourcePoolStatusRequestStatus",
            pointer: true,
            omitempty: true,
            optional: true,
          },
        },
      },
      ResourcePoolStatusRequestList: listKind("resource/v1alpha3.ResourcePoolStatusRequest"),
      ResourcePoolStatusRequestSpec: {
        fields: {
          driver: { number: 1, type: "string" },
          poolName: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
          limit: { number: 3, type: "int32", pointer: true, omitempty: true, optional: true, default: 100 },
        },
      },
      ResourcePoolStatusRequestStatus: {
        fields: {
          poolCount: {
            number: 6,
            type: "int32",
            pointer: true,
            omitempty: true,
            optional: true,
            required: true,
          },
          pools: {
            number: 2,
            type: "resource/v1alpha3.PoolStatus",
            list: true,
            omitempty: true,
            optional: true,
            listType: "atomic",
          },
          conditions: {
            number: 3,
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
    },
  }),
);
