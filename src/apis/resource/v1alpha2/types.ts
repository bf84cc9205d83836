import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const resourceV1alpha2Types = typePackage("resource/v1alpha2", declare);

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    AllocationResult: {
      fields: {
        resourceHandles: {
          number: 1,
          type: "resource/v1alpha2.ResourceHandle",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
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
    AllocationResultModel: {
      fields: {
        namedResources: {
          number: 1,
          type: "resource/v1alpha2.NamedResourcesAllocationResult",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    DriverAllocationResult: {
      fields: {
        vendorRequestParameters: { number: 1, type: "RawExtension", omitempty: true, optional: true },
        allocationResultModel: { number: 2, type: "resource/v1alpha2.AllocationResultModel", inline: true },
      },
    },
    DriverRequests: {
      fields: {
        driverName: { number: 1, type: "string", omitempty: true },
        vendorParameters: { number: 2, type: "RawExtension", omitempty: true, optional: true },
        requests: {
          number: 3,
          type: "resource/v1alpha2.ResourceRequest",
          list: true,
          omitempty: true,
          listType: "atomic",
        },
      },
    },
    NamedResourcesAllocationResult: {
      fields: { name: { number: 1, type: "string", rules: { format: "dnsSubdomain" } } },
    },
    NamedResourcesAttribute: {
      fields: {
        name: { number: 1, type: "string", rules: { format: "dnsSubdomain" } },
        attributeValue: { number: 2, type: "resource/v1alpha2.NamedResourcesAttributeValue", inline: true },
      },
    },
    NamedResourcesAttributeValue: {
      fields: {
        quantity: { number: 6, type: "Quantity", pointer: true, omitempty: true, optional: true },
        bool: { number: 2, type: "bool", pointer: true, omitempty: true, optional: true },
        int: { number: 7, type: "int64", pointer: true, omitempty: true, optional: true },
        intSlice: {
          number: 8,
          type: "resource/v1alpha2.NamedResourcesIntSlice",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        string: { number: 5, type: "string", pointer: true, omitempty: true, optional: true },
        stringSlice: {
          number: 9,
          type: "resource/v1alpha2.NamedResourcesStringSlice",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        version: { number: 10, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
    NamedResourcesFilter: { fields: { selector: { number: 1, type: "string" } } },
    NamedResourcesInstance: {
      fields: {
        name: { number: 1, type: "string", rules: { format: "dnsSubdomain" } },
        attributes: {
          number: 2,
          type: "resource/v1alpha2.NamedResourcesAttribute",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
      },
    },
    NamedResourcesIntSlice: {
      fields: { ints: { number: 1, type: "int64", list: true, listType: "atomic" } },
    },
    NamedResourcesRequest: { fields: { selector: { number: 1, type: "string" } } },
    NamedResourcesResources: {
      fields: {
        instances: {
          number: 1,
          type: "resource/v1alpha2.NamedResourcesInstance",
          list: true,
          listType: "atomic",
        },
      },
    },
    NamedResourcesStringSlice: {
      fields: { strings: { number: 1, type: "string", list: true, listType: "atomic" } },
    },
    PodSchedulingContext: {
      kind: "PodSchedulingContext",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "resource/v1alpha2.PodSchedulingContextSpec" },
        status: {
          number: 3,
          type: "resource/v1alpha2.PodSchedulingContextStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    PodSchedulingContextList: listKind("resource/v1alpha2.PodSchedulingContext"),
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
          before: { "1.29": { listType: "set" } },
        },
      },
    },
    PodSchedulingContextStatus: {
      fields: {
        resourceClaims: {
          number: 1,
          type: "resource/v1alpha2.ResourceClaimSchedulingStatus",
          list: true,
          omitempty: true,
          optional: true,
          listType: "map",
          listMapKeys: ["name"],
        },
      },
    },
    ResourceClaim: {
      kind: "ResourceClaim",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "resource/v1alpha2.ResourceClaimSpec", rules: { immutable: true } },
        status: { number: 3, type: "resource/v1alpha2.ResourceClaimStatus", omitempty: true, optional: true },
      },
    },
    ResourceClaimConsumerReference: {
      fields: {
        apiGroup: { number: 1, type: "string", omitempty: true, optional: true },
        resource: { number: 3, type: "string", rules: { required: true } },
        name: { number: 4, type: "string", rules: { required: true } },
        uid: { number: 5, type: "string", rules: { required: true } },
      },
    },
    ResourceClaimList: listKind("resource/v1alpha2.ResourceClaim"),
    ResourceClaimParameters: {
      kind: "ResourceClaimParameters",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true },
        generatedFrom: {
          number: 2,
          type: "resource/v1alpha2.ResourceClaimParametersReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        shareable: { number: 3, type: "bool", omitempty: true, optional: true },
        driverRequests: {
          number: 4,
          type: "resource/v1alpha2.DriverRequests",
          list: true,
          omitempty: true,
          listType: "atomic",
        },
      },
    },
    ResourceClaimParametersList: listKind("resource/v1alpha2.ResourceClaimParameters"),
    ResourceClaimParametersReference: {
      fields: {
        apiGroup: { number: 1, type: "string", omitempty: true, optional: true },
        kind: { number: 2, type: "string", rules: { required: true } },
        name: { number: 3, type: "string", rules: { required: true } },
      },
    },
    ResourceClaimSchedulingStatus: {
      fields: {
        name: { number: 1, type: "string", omitempty: true, optional: true },
        unsuitableNodes: {
          number: 2,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.29": { listType: "set" } },
        },
      },
    },
    ResourceClaimSpec: {
      fields: {
        resourceClassName: { number: 1, type: "string", rules: { format: "dnsSubdomain" } },
        parametersRef: {
          number: 2,
          type: "resource/v1alpha2.ResourceClaimParametersReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        allocationMode: { number: 3, type: "string", omitempty: true, optional: true },
      },
    },
    ResourceClaimStatus: {
      fields: {
        driverName: { number: 1, type: "string", omitempty: true, optional: true },
        allocation: {
          number: 2,
          type: "resource/v1alpha2.AllocationResult",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { immutable: true },
        },
        reservedFor: {
          number: 3,
          type: "resource/v1alpha2.ResourceClaimConsumerReference",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "uid",
          listType: "map",
          listMapKeys: ["uid"],
          before: { "1.30": { patchStrategy: undefined, patchMergeKey: undefined } },
        },
        deallocationRequested: { number: 4, type: "bool", omitempty: true, optional: true },
      },
    },
    ResourceClaimTemplate: {
      kind: "ResourceClaimTemplate",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "resource/v1alpha2.ResourceClaimTemplateSpec", rules: { immutable: true } },
      },
    },
    ResourceClaimTemplateList: listKind("resource/v1alpha2.ResourceClaimTemplate"),
    ResourceClaimTemplateSpec: {
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "resource/v1alpha2.ResourceClaimSpec" },
      },
    },
    ResourceClass: {
      kind: "ResourceClass",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        driverName: { number: 2, type: "string" },
        parametersRef: {
          number: 3,
          type: "resource/v1alpha2.ResourceClassParametersReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        suitableNodes: {
          number: 4,
          type: "core/v1.NodeSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        structuredParameters: {
          number: 5,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
          since: "1.30",
        },
      },
    },
    ResourceClassList: listKind("resource/v1alpha2.ResourceClass"),
    ResourceClassParameters: {
      kind: "ResourceClassParameters",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true },
        generatedFrom: {
          number: 2,
          type: "resource/v1alpha2.ResourceClassParametersReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        vendorParameters: {
          number: 3,
          type: "resource/v1alpha2.VendorParameters",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
        filters: {
          number: 4,
          type: "resource/v1alpha2.ResourceFilter",
          list: true,
          omitempty: true,
          listType: "atomic",
        },
      },
    },
    ResourceClassParametersList: listKind("resource/v1alpha2.ResourceClassParameters"),
    ResourceClassParametersReference: {
      fields: {
        apiGroup: { number: 1, type: "string", omitempty: true, optional: true },
        kind: { number: 2, type: "string", rules: { required: true } },
        name: { number: 3, type: "string", rules: { required: true } },
        namespace: {
          number: 4,
          type: "string",
          omitempty: true,
          optional: true,
          rules: { format: "dnsLabel" },
        },
      },
    },
    ResourceFilter: {
      fields: {
        driverName: { number: 1, type: "string", omitempty: true },
        resourceFilterModel: { number: 2, type: "resource/v1alpha2.ResourceFilterModel", inline: true },
      },
    },
    ResourceFilterModel: {
      fields: {
        namedResources: {
          number: 1,
          type: "resource/v1alpha2.NamedResourcesFilter",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ResourceHandle: {
      fields: {
        driverName: { number: 1, type: "string", omitempty: true },
        data: { number: 2, type: "string", omitempty: true, optional: true, rules: { maxBytes: 16 * 1024 } },
        structuredData: {
          number: 5,
          type: "resource/v1alpha2.StructuredResourceHandle",
          pointer: true,
          omitempty: true,
          optional: true,
          since: "1.30",
        },
      },
    },
    ResourceModel: {
      fields: {
        namedResources: {
          number: 1,
          type: "resource/v1alpha2.NamedResourcesResources",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ResourceRequest: {
      fields: {
        vendorParameters: { number: 1, type: "RawExtension", omitempty: true, optional: true },
        resourceRequestModel: { number: 2, type: "resource/v1alpha2.ResourceRequestModel", inline: true },
      },
    },
    ResourceRequestModel: {
      fields: {
        namedResources: {
          number: 1,
          type: "resource/v1alpha2.NamedResourcesRequest",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ResourceSlice: {
      kind: "ResourceSlice",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        nodeName: {
          number: 2,
          type: "string",
          omitempty: true,
          optional: true,
          rules: { format: "dnsSubdomain", immutable: true },
        },
        driverName: { number: 3, type: "string", rules: { immutable: true } },
        resourceModel: { number: 4, type: "resource/v1alpha2.ResourceModel", inline: true },
      },
    },
    ResourceSliceList: listKind("resource/v1alpha2.ResourceSlice"),
    StructuredResourceHandle: {
      fields: {
        vendorClassParameters: { number: 1, type: "RawExtension", omitempty: true, optional: true },
        vendorClaimParameters: { number: 2, type: "RawExtension", omitempty: true, optional: true },
        nodeName: {
          number: 4,
          type: "string",
          omitempty: true,
          optional: true,
          rules: { format: "dnsSubdomain" },
        },
        results: {
          number: 5,
          type: "resource/v1alpha2.DriverAllocationResult",
          list: true,
          listType: "atomic",
        },
      },
    },
    VendorParameters: {
      fields: {
        driverName: { number: 1, type: "string", omitempty: true },
        parameters: { number: 2, type: "RawExtension", omitempty: true, optional: true },
      },
    },
  };
}
