import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { resourceV1alpha2Types } from "../v1alpha2/types.js";

/** The first form of claims: what v1alpha2 has, without parameters that the scheduler knows. */
export const resourceV1alpha1Types: TypePackage = siblingVersion(
  "resource/v1alpha1",
  resourceV1alpha2Types,
  () => ({
    without: [
      "AllocationResultModel",
      "DriverAllocationResult",
      "DriverRequests",
      "NamedResourcesAllocationResult",
      "NamedResourcesAttribute",
      "NamedResourcesAttributeValue",
      "NamedResourcesFilter",
      "NamedResourcesInstance",
      "NamedResourcesIntSlice",
      "NamedResourcesRequest",
      "NamedResourcesResources",
      "NamedResourcesStringSlice",
      "PodSchedulingContext",
      "PodSchedulingContextList",
      "PodSchedulingContextSpec",
      "PodSchedulingContextStatus",
      "ResourceClaimParameters",
      "ResourceClaimParametersList",
      "ResourceClassParameters",
      "ResourceClassParametersList",
      "ResourceFilter",
      "ResourceFilterModel",
      "ResourceHandle",
      "ResourceModel",
      "ResourceRequest",
      "ResourceRequestModel",
      "ResourceSlice",
      "ResourceSliceList",
      "StructuredResourceHandle",
      "VendorParameters",
    ],
    types: {
      AllocationResult: {
        fields: {
          resourceHandle: { number: 1, type: "string", omitempty: true, optional: true },
          availableOnNodes: {
            number: 2,
            type: "core/v1.NodeSelector",
            pointer: true,
            omitempty: true,
            optional: true,
          },
          shareable: { number: 3, type: "bool", omitempty: true, optional: true },
        },
      },
      PodScheduling: {
        kind: "PodScheduling",
        fields: {
          metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
          spec: { number: 2, type: "resource/v1alpha1.PodSchedulingSpec" },
          status: {
            number: 3,
            type: "resource/v1alpha1.PodSchedulingStatus",
            omitempty: true,
            optional: true,
          },
        },
      },
      PodSchedulingList: listKind("resource/v1alpha1.PodScheduling"),
      PodSchedulingSpec: {
        fields: {
          selectedNode: { number: 1, type: "string", omitempty: true, optional: true },
          potentialNodes: {
            number: 2,
            type: "string",
            list: true,
            omitempty: true,
            optional: true,
            listType: "set",
          },
        },
      },
      PodSchedulingStatus: {
        fields: {
          resourceClaims: {
            number: 1,
            type: "resource/v1alpha1.ResourceClaimSchedulingStatus",
            list: true,
            omitempty: true,
            optional: true,
            listType: "map",
            listMapKeys: ["name"],
          },
        },
      },
    },
  }),
);
