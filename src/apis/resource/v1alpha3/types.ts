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
            rules: { maxItems: 8 },
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
            rules: { format: "dnsSubdomain" },
          },
          driver: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
          pool: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
          device: {
            number: 4,
            type: "string",
            pointer: true,
            omitempty: true,
            optional: true,
            rules: { format: "dnsLabel" },
          },
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
          generation: { number: 9, type: "int64", rules: { min: 0 } },
          resourceSliceCount: {
            number: 8,
            type: "int32",
            pointer: true,
            omitempty: true,
            optional: true,
            rules: { min: 1, range: "must be greater than or equal to 1" },
          },
          totalDevices: {
            number: 4,
            type: "int32",
            pointer: true,
            omitempty: true,
            optional: true,
            rules: { min: 0 },
          },
          allocatedDevices: {
            number: 5,
            type: "int32",
            pointer: true,
            omitempty: true,
            optional: true,
            rules: { min: 0 },
          },
          availableDevices: {
            number: 6,
            type: "int32",
            pointer: true,
            omitempty: true,
            optional: true,
            rules: { min: 0 },
          },
          unavailableDevices: {
            number: 7,
            type: "int32",
            pointer: true,
            omitempty: true,
            optional: true,
            rules: { min: 0 },
          },
          nodeName: {
            number: 3,
            type: "string",
            pointer: true,
            omitempty: true,
            optional: true,
            rules: { format: "dnsSubdomain" },
          },
          validationError: {
            number: 10,
            type: "string",
            pointer: true,
            omitempty: true,
            optional: true,
            rules: { maxBytes: 256 },
          },
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
          spec: {
            number: 2,
            type: "resource/v1alpha3.ResourcePoolStatusRequestSpec",
            rules: { immutable: true },
          },
          status: {
            number: 3,
            type: "resource/v1alpha3.ResourcePoolStatusRequestStatus",
            pointer: true,
            omitempty: true,
            optional: true,
            rules: { immutable: true },
          },
        },
      },
      ResourcePoolStatusRequestList: listKind("resource/v1alpha3.ResourcePoolStatusRequest"),
      ResourcePoolStatusRequestSpec: {
        fields: {
          driver: { number: 1, type: "string" },
          poolName: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
          limit: {
            number: 3,
            type: "int32",
            pointer: true,
            omitempty: true,
            optional: true,
            default: 100,
            rules: {
              min: 1,
              max: 1000,
              range: {
                below: "must be greater than or equal to 1",
                above: "must be less than or equal to 1000",
              },
            },
          },
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
            rules: { required: true, min: 0 },
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
