import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../../apimachinery/schema/list-kind.js";

export function declareNodesTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    NodeSpec: {
      fields: {
        podCIDR: { number: 1, type: "string", omitempty: true, optional: true },
        podCIDRs: {
          number: 7,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          listType: "set",
          before: { "1.30": { listType: undefined } },
        },
        providerID: { number: 3, type: "string", omitempty: true, optional: true },
        unschedulable: { number: 4, type: "bool", omitempty: true, optional: true },
        taints: {
          number: 5,
          type: "core/v1.Taint",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        configSource: {
          number: 6,
          type: "core/v1.NodeConfigSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        externalID: {
          number: 2,
          type: "string",
          omitempty: true,
          optional: true,
          rules: { immutable: "may not be updated" },
        },
      },
    },
    NodeConfigSource: {
      fields: {
        configMap: {
          number: 2,
          type: "core/v1.ConfigMapNodeConfigSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ConfigMapNodeConfigSource: {
      fields: {
        namespace: {
          number: 1,
          type: "string",
          rules: { required: "namespace must be set", format: "dnsLabel" },
        },
        name: { number: 2, type: "string", rules: { required: "name must be set", format: "dnsSubdomain" } },
        uid: { number: 3, type: "string", omitempty: true, optional: true, elementName: "types.UID" },
        resourceVersion: { number: 4, type: "string", omitempty: true, optional: true },
        nodeagentConfigKey: { number: 5, type: "string", profileNamed: true },
      },
    },
    DaemonEndpoint: {
      fields: {
        Port: { number: 1, type: "int32" },
      },
    },
    NodeDaemonEndpoints: {
      fields: {
        nodeagentEndpoint: {
          number: 1,
          type: "core/v1.DaemonEndpoint",
          omitempty: true,
          optional: true,
          profileNamed: true,
        },
      },
    },
    NodeSystemInfo: {
      fields: {
        machineID: { number: 1, type: "string" },
        systemUUID: { number: 2, type: "string" },
        bootID: { number: 3, type: "string" },
        kernelVersion: { number: 4, type: "string" },
        osImage: { number: 5, type: "string" },
        containerRuntimeVersion: { number: 6, type: "string" },
        nodeagentVersion: { number: 7, type: "string", profileNamed: true },
        orchProxyVersion: { number: 8, type: "string", profileNamed: true },
        operatingSystem: { number: 9, type: "string" },
        architecture: { number: 10, type: "string" },
        swap: {
          number: 11,
          type: "core/v1.NodeSwapStatus",
          pointer: true,
          omitempty: true,
          optional: true,
          since: "1.33",
        },
      },
    },
    NodeConfigStatus: {
      fields: {
        assigned: {
          number: 1,
          type: "core/v1.NodeConfigSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        active: {
          number: 2,
          type: "core/v1.NodeConfigSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        lastKnownGood: {
          number: 3,
          type: "core/v1.NodeConfigSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        error: { number: 4, type: "string", omitempty: true, optional: true },
      },
    },
    NodeStatus: {
      fields: {
        capacity: {
          number: 1,
          type: "Quantity",
          map: true,
          omitempty: true,
          optional: true,
          collectionName: "v1.ResourceList",
        },
        allocatable: {
          number: 2,
          type: "Quantity",
          map: true,
          omitempty: true,
          optional: true,
          collectionName: "v1.ResourceList",
        },
        phase: {
          number: 3,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["Pending", "Running", "Terminated"],
          elementName: "v1.NodePhase",
        },
        conditions: {
          number: 4,
          type: "core/v1.NodeCondition",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
          before: { "1.30": { listType: undefined, listMapKeys: undefined } },
        },
        addresses: {
          number: 5,
          type: "core/v1.NodeAddress",
          list: true,
          omitempty: true,
          optional: true,
          patchStrategy: "merge",
          patchMergeKey: "type",
          listType: "map",
          listMapKeys: ["type"],
          before: { "1.30": { listType: undefined, listMapKeys: undefined } },
        },
        daemonEndpoints: { number: 6, type: "core/v1.NodeDaemonEndpoints", omitempty: true, optional: true },
        nodeInfo: { number: 7, type: "core/v1.NodeSystemInfo", omitempty: true, optional: true },
        images: {
          number: 8,
          type: "core/v1.ContainerImage",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        volumesInUse: {
          number: 9,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          elementName: "v1.UniqueVolumeName",
          before: { "1.30": { listType: undefined } },
        },
        volumesAttached: {
          number: 10,
          type: "core/v1.AttachedVolume",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        config: {
          number: 11,
          type: "core/v1.NodeConfigStatus",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        runtimeHandlers: {
          number: 12,
          type: "core/v1.NodeRuntimeHandler",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          since: "1.30",
          before: {
            "1.36": { featureGate: "UserNamespacesSupport" },
            "1.35": { featureGate: "RecursiveReadOnlyMounts" },
          },
        },
        features: {
          number: 13,
          type: "core/v1.NodeFeatures",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "SupplementalGroupsPolicy",
          since: "1.31",
        },
        declaredFeatures: {
          number: 14,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          featureGate: "NodeDeclaredFeatures",
          since: "1.35",
        },
      },
    },
    AttachedVolume: {
      fields: {
        name: { number: 1, type: "string", elementName: "v1.UniqueVolumeName" },
        devicePath: { number: 2, type: "string" },
      },
    },
    AvoidPods: {
      fields: {
        preferAvoidPods: {
          number: 1,
          type: "core/v1.PreferAvoidPodsEntry",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    PreferAvoidPodsEntry: {
      fields: {
        podSignature: { number: 1, type: "core/v1.PodSignature" },
        evictionTime: { number: 2, type: "Time", omitempty: true, optional: true },
        reason: { number: 3, type: "string", omitempty: true, optional: true },
        message: { number: 4, type: "string", omitempty: true, optional: true },
      },
    },
    PodSignature: {
      fields: {
        podController: {
          number: 1,
          type: "meta/v1.OwnerReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    ContainerImage: {
      fields: {
        names: {
          number: 1,
          type: "string",
          list: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        sizeBytes: { number: 2, type: "int64", omitempty: true, optional: true },
      },
    },
    NodeCondition: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.NodeConditionType" },
        status: { number: 2, type: "string", elementName: "v1.ConditionStatus" },
        lastHeartbeatTime: { number: 3, type: "Time", omitempty: true, optional: true },
        lastTransitionTime: { number: 4, type: "Time", omitempty: true, optional: true },
        reason: { number: 5, type: "string", omitempty: true, optional: true },
        message: { number: 6, type: "string", omitempty: true, optional: true },
      },
    },
    NodeAddress: {
      fields: {
        type: { number: 1, type: "string", elementName: "v1.NodeAddressType" },
        address: { number: 2, type: "string" },
      },
    },
    Node: {
      kind: "Node",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "core/v1.NodeSpec", omitempty: true, optional: true },
        status: { number: 3, type: "core/v1.NodeStatus", omitempty: true, optional: true },
      },
    },
    NodeList: listKind("core/v1.Node"),
    NodeResources: {
      fields: {
        Capacity: { number: 1, type: "Quantity", map: true },
      },
    },

    NodeFeatures: {
      fields: {
        supplementalGroupsPolicy: { number: 1, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    NodeRuntimeHandler: {
      fields: {
        name: { number: 1, type: "string", optional: true },
        features: {
          number: 2,
          type: "core/v1.NodeRuntimeHandlerFeatures",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    NodeRuntimeHandlerFeatures: {
      fields: {
        recursiveReadOnlyMounts: {
          number: 1,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
          before: { "1.35": { featureGate: "RecursiveReadOnlyMounts" } },
        },
        userNamespaces: {
          number: 2,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
          since: "1.31",
          before: { "1.36": { featureGate: "UserNamespacesSupport" } },
        },
      },
    },
    NodeSwapStatus: {
      fields: {
        capacity: {
          number: 1,
          type: "int64",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 1, range: "must be greater than zero" },
        },
      },
    },
  };
}
