import type { TypeDescriptions } from "../../../apimachinery/schema/type-descriptions.js";

const device = {
  attributes: "What the device is like, by qualified name; at most 32 with capacity.",
  capacity: "How much the device has, by qualified name.",
  consumesCounters: "What the device takes from counters that devices share.",
  nodeName: "Node that reaches the device, if each device says so itself.",
  nodeSelector: "Nodes that reach the device, if each device says so itself.",
  allNodes: "Whether all nodes reach the device, if each device says so itself.",
  taints: "Taints that the driver puts on the device.",
  bindsToNode: "Whether a claim with the device stays with the node that it was allocated for.",
  bindingConditions: "Conditions that have to be true before pods with the device are bound, at most 4.",
  bindingFailureConditions: "Conditions that say that the device cannot be had, at most 4.",
  allowMultipleAllocations: "Whether several claims may share the device.",
  nodeAllocatableResourceMappings: "What the device takes of the resources that nodes can allocate.",
};

const deviceRequest = {
  deviceClassName: "Name of the device class.",
  selectors: "Expressions, all of which have to hold for a device, besides those of the class.",
  allocationMode:
    "ExactCount for as many devices as count says, All for every device that fits. Default: ExactCount.",
  count: "How many devices, if the mode is ExactCount. Default: 1.",
  adminAccess:
    "Access for monitoring, to devices that others use too. Allowed in namespaces with the label for it.",
  tolerations: "Taints that the devices may have.",
  capacity: "How much of each device's capacity is asked for.",
};

export const resourceV1Descriptions: TypeDescriptions = {
  AllocatedDeviceStatus: {
    fields: {
      driver: "Name of the driver.",
      pool: "Pool of the device.",
      device: "Name of the device in the pool.",
      shareID: "Which share of the device it is, if claims share it.",
      conditions: "What the driver knows of the device, at most 8.",
      data: "Whatever the driver tells, at most 10 KiB.",
      networkData: "What the driver tells of a network device.",
    },
  },
  AllocationResult: {
    about: "What was allocated for a claim.",
    fields: {
      devices: "The devices, and how they are set up.",
      nodeSelector: "Nodes that reach the devices. Unset: all.",
      allocationTimestamp: "When the devices were allocated.",
      controller: "Name of the driver whose controller allocated them.",
    },
  },
  CELDeviceSelector: {
    about: "Selects devices by an expression.",
    fields: {
      expression: "CEL expression that is true for devices that fit; it sees the device as `device`.",
    },
  },
  CapacityRequestPolicy: {
    about: "How much of a capacity a request may take.",
    fields: {
      default: "What a request takes that does not say.",
      validValues: "The amounts that a request may take; others are rounded up. Excludes validRange.",
      validRange: "Bounds of the amounts that a request may take. Excludes validValues.",
    },
  },
  CapacityRequestPolicyRange: {
    about: "Bounds of amounts.",
    fields: {
      min: "The least.",
      max: "The most. Unset: all that the device has.",
      step: "Amounts are the least and whole steps.",
    },
  },
  CapacityRequirements: {
    about: "How much of a device is asked for.",
    fields: {
      requests: "Amounts, by name of the capacity.",
    },
  },
  Counter: {
    about: "An amount that devices share.",
    fields: {
      value: "How much there is.",
    },
  },
  CounterSet: {
    about: "Counters that devices of a pool share.",
    fields: {
      name: "Name of the set, unique in the pool.",
      counters: "The counters, by name.",
    },
  },
  Device: {
    about: "A device of a pool.",
    fields: {
      name: "Name of the device as a DNS label, unique in the pool.",
      basic: "What the device is like.",
      ...device,
    },
  },
  BasicDevice: {
    about: "What a device is like.",
    fields: device,
  },
  DeviceAllocationConfiguration: {
    about: "How allocated devices are set up.",
    fields: {
      opaque: "Settings that only the driver knows.",
      source: "Who asked for it: FromClass or FromClaim.",
      requests: "The requests whose devices are set up so. Empty: all.",
    },
  },
  DeviceAllocationResult: {
    about: "Allocated devices.",
    fields: {
      results: "The devices, each with its request.",
      config: "How they are set up; what comes later counts more.",
    },
  },
  DeviceAttribute: {
    about: "A value that tells what a device is like; one is set.",
    fields: {
      int: "A number.",
      bool: "True or false.",
      string: "A text of at most 64 characters.",
      version: "A semantic version.",
      ints: "Numbers.",
      bools: "Truth values.",
      strings: "Texts of at most 64 characters.",
      versions: "Semantic versions.",
    },
  },
  DeviceCapacity: {
    about: "How much a device has of something.",
    fields: {
      value: "The amount.",
      requestPolicy: "How much of it a request may take, if claims share the device.",
    },
  },
  DeviceClaim: {
    about: "Which devices a claim asks for.",
    fields: {
      requests: "Requests, all of which have to be met; at most 32.",
      constraints: "What has to hold for devices of several requests; at most 32.",
      config: "How the devices are to be set up; at most 32.",
    },
  },
  DeviceClaimConfiguration: {
    about: "How claimed devices are to be set up.",
    fields: {
      opaque: "Settings that only the driver knows.",
      requests: "The requests that it is for. Empty: all.",
    },
  },
  DeviceClass: {
    about: "Devices that claims can ask for by a name.",
    fields: {
      spec: "Which devices, and how they are set up.",
    },
  },
  DeviceClassConfiguration: {
    about: "How devices of a class are set up.",
    fields: {
      opaque: "Settings that only the driver knows.",
    },
  },
  DeviceClassSpec: {
    fields: {
      selectors: "Expressions, all of which have to hold for a device.",
      config: "How the devices are set up.",
      extendedResourceName: "Extended resource that pods may request instead of a claim.",
      suitableNodes: "Nodes where claims of the class can be allocated.",
    },
  },
  DeviceConfiguration: {
    about: "How devices are set up.",
    fields: {
      opaque: "Settings that only the driver knows.",
    },
  },
  DeviceConstraint: {
    about: "What has to hold for devices together.",
    fields: {
      requests: "The requests that it is for. Empty: all.",
      matchAttribute: "Attribute that has to be the same for all of the devices.",
      distinctAttribute: "Attribute that has to be another for each of the devices.",
    },
  },
  DeviceCounterConsumption: {
    about: "What a device takes of shared counters.",
    fields: {
      counterSet: "Name of the set.",
      counters: "Amounts, by name of the counter.",
    },
  },
  DeviceRequest: {
    about: "Asks for devices.",
    fields: {
      name: "Name of the request as a DNS label, unique in the claim.",
      exactly: "What is asked for. Excludes firstAvailable.",
      firstAvailable: "Alternatives, at most 8, the best first. Excludes all else.",
      ...deviceRequest,
    },
  },
  ExactDeviceRequest: {
    about: "Asks for devices of one class.",
    fields: deviceRequest,
  },
  DeviceSubRequest: {
    about: "One alternative of a request.",
    fields: {
      name: "Name of the alternative as a DNS label, unique in the request.",
      deviceClassName: "Name of the device class.",
      selectors: "Expressions, all of which have to hold for a device, besides those of the class.",
      allocationMode:
        "ExactCount for as many devices as count says, All for every device that fits. Default: ExactCount.",
      count: "How many devices, if the mode is ExactCount. Default: 1.",
      tolerations: "Taints that the devices may have.",
      capacity: "How much of each device's capacity is asked for.",
    },
  },
  DeviceRequestAllocationResult: {
    about: "A device that was allocated for a request.",
    fields: {
      request: "Name of the request, or REQUEST/ALTERNATIVE.",
      driver: "Name of the driver.",
      pool: "Pool of the device.",
      device: "Name of the device in the pool.",
      adminAccess: "Whether it is access for monitoring.",
      tolerations: "Taints that the request tolerates, as it was allocated.",
      bindingConditions: "Conditions that have to be true before pods are bound.",
      bindingFailureConditions: "Conditions that say that the device cannot be had.",
      shareID: "Which share of the device it is, if claims share it.",
      consumedCapacity: "How much of the device's capacity is taken.",
    },
  },
  DeviceSelector: {
    about: "Selects devices.",
    fields: {
      cel: "Selects them by an expression.",
    },
  },
  DeviceTaint: {
    about: "Keeps claims from using a device that do not tolerate it.",
    fields: {
      key: "Key of the taint, as a label's.",
      value: "Value of the taint, as a label's.",
      effect: "NoSchedule for new pods, NoExecute for those that run as well, None for nobody.",
      timeAdded: "When the taint was added. Default: when it was first seen.",
    },
  },
  DeviceToleration: {
    about: "A taint that a request accepts.",
    fields: {
      key: "Key of the taint. Empty: any, with the operator Exists.",
      operator: "Equal compares the value, Exists takes any. Default: Equal.",
      value: "Value of the taint, for Equal.",
      effect: "Effect of the taint. Empty: any.",
      tolerationSeconds: "How long NoExecute is tolerated. Unset: forever.",
    },
  },
  DeviceTaintRule: {
    about: "Puts a taint on devices.",
    fields: {
      spec: "Which taint, on which devices.",
      status: "What the taint has done.",
    },
  },
  DeviceTaintRuleSpec: {
    fields: {
      deviceSelector: "The devices. Unset: all; empty: all.",
      taint: "The taint.",
    },
  },
  DeviceTaintRuleStatus: {
    fields: {
      conditions: "How far evicting pods has come.",
    },
  },
  DeviceTaintSelector: {
    about: "Selects devices to taint; all that is set has to match.",
    fields: {
      deviceClassName: "Class of the devices.",
      driver: "Driver of the devices.",
      pool: "Pool of the devices.",
      device: "Name of the device.",
      selectors: "Expressions, all of which have to hold for a device.",
    },
  },
  NetworkDeviceData: {
    about: "What is known of a network device.",
    fields: {
      interfaceName: "Name of the interface in the pod.",
      ips: "Its addresses, with the size of their networks; at most 16.",
      hardwareAddress: "Its hardware address.",
    },
  },
  NodeAllocatableResourceMapping: {
    about: "What a device takes of a resource of the node.",
    fields: {
      capacityKey: "Capacity of the device that says how much.",
      allocationMultiplier: "How much for each device, or for each unit of the capacity.",
    },
  },
  OpaqueDeviceConfiguration: {
    about: "Settings that only a driver knows.",
    fields: {
      driver: "Name of the driver.",
      parameters: "The settings, at most 10 KiB.",
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
  PoolStatus: {
    fields: {
      driver: "Name of the driver.",
      poolName: "Name of the pool.",
      generation: "Newest generation of the pool.",
      resourceSliceCount: "How many slices the pool has.",
      totalDevices: "How many devices the pool has.",
      allocatedDevices: "How many of them are allocated.",
      availableDevices: "How many of them can be allocated.",
      unavailableDevices: "How many of them cannot be used.",
      nodeName: "Node that the pool belongs to, if it is one.",
      validationError: "Why the pool cannot be counted.",
    },
  },
  ResourceClaim: {
    about: "Asks for devices, and tells which ones were allocated.",
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
  ResourceClaimSchedulingStatus: {
    fields: {
      name: "Name of the claim in the pod's list.",
      unsuitableNodes: "Nodes that the claim cannot be allocated for, at most 128.",
    },
  },
  ResourceClaimSpec: {
    fields: {
      devices: "Which devices are asked for.",
      controller: "Name of the driver whose controller allocates them.",
    },
  },
  ResourceClaimStatus: {
    fields: {
      allocation: "What was allocated; unset until then.",
      reservedFor: "Who may use the claim now, at most 256.",
      devices: "What drivers know of the allocated devices.",
      deallocationRequested: "Whether the devices are to be given back.",
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
  ResourcePool: {
    about: "A pool that slices belong to.",
    fields: {
      name: "Name of the pool, often that of the node.",
      generation: "Grows with each change; only the slices of the highest count.",
      resourceSliceCount: "How many slices the pool has at this generation.",
    },
  },
  ResourcePoolStatusRequest: {
    about: "Asks how many devices pools have left.",
    fields: {
      spec: "Which pools. Cannot be changed.",
      status: "The answer.",
    },
  },
  ResourcePoolStatusRequestSpec: {
    fields: {
      driver: "Name of the driver.",
      poolName: "Name of the pool. Unset: all of the driver.",
      limit: "How many pools are answered at most.",
    },
  },
  ResourcePoolStatusRequestStatus: {
    fields: {
      poolCount: "How many pools match.",
      pools: "The pools.",
      conditions: "Whether the answer is complete.",
    },
  },
  ResourceSlice: {
    about: "Devices of a driver, in one pool.",
    fields: {
      spec: "The pool, who reaches it, and its devices.",
    },
  },
  ResourceSliceSpec: {
    fields: {
      driver: "Name of the driver. Cannot be changed.",
      pool: "The pool that the slice belongs to.",
      nodeName: "Node that reaches the devices. Cannot be changed.",
      nodeSelector: "Nodes that reach the devices.",
      allNodes: "Whether all nodes reach the devices.",
      devices: "The devices, at most 128.",
      perDeviceNodeSelection: "Whether each device says which nodes reach it.",
      sharedCounters: "Counters that the devices share; a slice with them has no devices.",
    },
  },
};
