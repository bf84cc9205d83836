import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

const attributeValue = {
  quantity: "An amount.",
  bool: "True or false.",
  int: "A number.",
  intSlice: "Numbers.",
  string: "A text.",
  stringSlice: "Texts.",
  version: "A semantic version.",
};

export const resourceV1alpha2Descriptions: TypeDescriptions = {
  AllocationResult: {
    about: "What was allocated for a claim.",
    fields: {
      resourceHandle: "What the driver needs to know of the allocation.",
      resourceHandles: "What drivers need to know of the allocation, at most 32.",
      availableOnNodes: "Nodes that reach the resource. Unset: all.",
      shareable: "Whether several pods may use it at a time.",
    },
  },
  AllocationResultModel: {
    about: "What was allocated, by the model of the resource.",
    fields: {
      namedResources: "An instance by its name.",
    },
  },
  DriverAllocationResult: {
    about: "What was allocated for a request.",
    fields: {
      namedResources: "The allocated instance, if instances have names.",
      vendorRequestParameters: "Parameters of the request that only the driver knows.",
    },
  },
  DriverRequests: {
    about: "Requests to one driver.",
    fields: {
      driverName: "Name of the driver.",
      vendorParameters: "Parameters that only the driver knows.",
      requests: "The requests.",
    },
  },
  NamedResourcesAllocationResult: {
    about: "An allocated instance.",
    fields: {
      name: "Name of the instance.",
    },
  },
  NamedResourcesAttribute: {
    about: "An attribute of an instance.",
    fields: {
      ...attributeValue,
      name: "Name of the attribute.",
    },
  },
  NamedResourcesAttributeValue: {
    about: "The value of an attribute; one is set.",
    fields: attributeValue,
  },
  NamedResourcesFilter: {
    about: "Selects instances.",
    fields: {
      selector: "CEL expression that is true for instances that fit.",
    },
  },
  NamedResourcesInstance: {
    about: "One instance of a resource.",
    fields: {
      name: "Name of the instance, unique on the node.",
      attributes: "What the instance is like.",
    },
  },
  NamedResourcesIntSlice: {
    about: "A list of numbers.",
    fields: {
      ints: "The numbers.",
    },
  },
  NamedResourcesRequest: {
    about: "Asks for an instance.",
    fields: {
      selector: "CEL expression that is true for instances that fit.",
    },
  },
  NamedResourcesResources: {
    about: "Instances of a resource.",
    fields: {
      instances: "The instances.",
    },
  },
  NamedResourcesStringSlice: {
    about: "A list of texts.",
    fields: {
      strings: "The texts.",
    },
  },
  PodScheduling: {
    about: "What the scheduler and drivers agree on for a pod of the same name.",
    fields: {
      spec: "What the scheduler asks.",
      status: "What drivers answer.",
    },
  },
  PodSchedulingSpec: {
    fields: {
      selectedNode: "Node that the driver is to allocate claims for.",
      potentialNodes: "Nodes that would do for the pod otherwise, at most 128.",
    },
  },
  PodSchedulingStatus: {
    fields: {
      resourceClaims: "What drivers say of each claim of the pod.",
    },
  },
  PodSchedulingContext: {
    about: "What the scheduler and drivers agree on for a pod of the same name.",
    fields: {
      spec: "What the scheduler asks.",
      status: "What drivers answer.",
    },
  },
  PodSchedulingContextSpec: {
    fields: {
      selectedNode: "Node that the driver is to allocate claims for.",
      potentialNodes: "Nodes that would do for the pod otherwise, at most 128.",
    },
  },
  PodSchedulingContextStatus: {
    fields: {
      resourceClaims: "What drivers say of each claim of the pod.",
    },
  },
  ResourceClaim: {
    about: "Asks for a resource, and tells what was allocated.",
    fields: {
      spec: "What is asked for. Cannot be changed.",
      status: "What was allocated, and who uses it.",
    },
  },
  ResourceClaimConsumerReference: {
    about: "Somebody who uses a claim.",
    fields: {
      apiGroup: "Group of the resource; empty for the core.",
      resource: "Resource of the object, such as pods.",
      name: "Name of the object, in the same namespace.",
      uid: "Identity of the object.",
    },
  },
  ResourceClaimParameters: {
    about: "What a claim asks for.",
    fields: {
      generatedFrom: "The object that these parameters were made of.",
      shareable: "Whether several pods may use the claim at a time.",
      driverRequests: "The requests, by driver.",
    },
  },
  ResourceClaimParametersReference: {
    about: "The parameters of a claim.",
    fields: {
      apiGroup: "Group of the kind; empty for the core.",
      kind: "Kind of the object.",
      name: "Name of the object, in the same namespace.",
    },
  },
  ResourceClaimSchedulingStatus: {
    fields: {
      name: "Name of the claim in the pod's list.",
      unsuitableNodes: "Nodes that the claim cannot be allocated for.",
    },
  },
  ResourceClaimSpec: {
    fields: {
      resourceClassName: "Name of the resource class.",
      parametersRef: "What the driver is asked for.",
      allocationMode:
        "When it is allocated: WaitForFirstConsumer or Immediate. Default: WaitForFirstConsumer.",
    },
  },
  ResourceClaimStatus: {
    fields: {
      driverName: "Name of the driver that allocated it.",
      allocation: "What was allocated; unset until then.",
      reservedFor: "Who may use the claim now, at most 256.",
      deallocationRequested: "Whether the resource is to be given back.",
    },
  },
  ResourceClaimTemplate: {
    about: "What claims for pods are made of.",
    fields: {
      spec: "The claim. Cannot be changed.",
    },
  },
  ResourceClaimTemplateSpec: {
    fields: {
      spec: "What is asked for.",
    },
  },
  ResourceClass: {
    about: "Resources that claims can ask for by a name.",
    fields: {
      driverName: "Name of the driver.",
      parametersRef: "Settings for the driver.",
      suitableNodes: "Nodes that the resource can be had on. Unset: any.",
      structuredParameters: "Whether the scheduler allocates, by parameters that it understands.",
    },
  },
  ResourceClassParameters: {
    about: "Settings of a class.",
    fields: {
      generatedFrom: "The object that these parameters were made of.",
      vendorParameters: "Parameters that only the driver knows.",
      filters: "Which resources the class has.",
    },
  },
  ResourceClassParametersReference: {
    about: "The parameters of a class.",
    fields: {
      apiGroup: "Group of the kind; empty for the core.",
      kind: "Kind of the object.",
      name: "Name of the object.",
      namespace: "Namespace of the object, if it is in one.",
    },
  },
  ResourceFilter: {
    about: "Selects resources of a driver.",
    fields: {
      namedResources: "Selects instances that have names.",
      driverName: "Name of the driver.",
    },
  },
  ResourceFilterModel: {
    about: "Selects resources, by their model.",
    fields: {
      namedResources: "Selects instances that have names.",
    },
  },
  ResourceHandle: {
    about: "What a driver needs to know of an allocation.",
    fields: {
      driverName: "Name of the driver.",
      data: "Text that only the driver knows, at most 16 KiB.",
      structuredData: "What the scheduler allocated.",
    },
  },
  ResourceModel: {
    about: "Resources, by their model.",
    fields: {
      namedResources: "Instances that have names.",
    },
  },
  ResourceRequest: {
    about: "Asks for one resource.",
    fields: {
      namedResources: "An instance that has a name.",
      vendorParameters: "Parameters that only the driver knows.",
    },
  },
  ResourceRequestModel: {
    about: "Asks for a resource, by its model.",
    fields: {
      namedResources: "An instance that has a name.",
    },
  },
  ResourceSlice: {
    about: "Resources of a driver on a node.",
    fields: {
      namedResources: "Instances that have names.",
      nodeName: "Name of the node.",
      driverName: "Name of the driver.",
    },
  },
  StructuredResourceHandle: {
    about: "What the scheduler allocated.",
    fields: {
      vendorClassParameters: "Parameters of the class that only the driver knows.",
      vendorClaimParameters: "Parameters of the claim that only the driver knows.",
      nodeName: "Node that the resource is on.",
      results: "What was allocated for each request.",
    },
  },
  VendorParameters: {
    about: "Parameters of one driver.",
    fields: {
      driverName: "Name of the driver.",
      parameters: "Parameters that only the driver knows.",
    },
  },
};
