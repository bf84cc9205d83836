import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";

export const policyV1beta1Types: TypePackage = { name: "policy/v1beta1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    PodDisruptionBudgetSpec: {
      fields: {
        minAvailable: { number: 1, type: "IntOrString", pointer: true, omitempty: true, optional: true },
        selector: {
          number: 2,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        maxUnavailable: { number: 3, type: "IntOrString", pointer: true, omitempty: true, optional: true },
      },
    },
    PodDisruptionBudgetStatus: {
      fields: {
        observedGeneration: { number: 1, type: "int64", omitempty: true, optional: true },
        disruptedPods: { number: 2, type: "Time", map: true, omitempty: true, optional: true },
        disruptionsAllowed: { number: 3, type: "int32" },
        currentHealthy: { number: 4, type: "int32" },
        desiredHealthy: { number: 5, type: "int32" },
        expectedPods: { number: 6, type: "int32" },
        conditions: {
          number: 7,
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
    PodDisruptionBudget: {
      kind: "PodDisruptionBudget",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "policy/v1beta1.PodDisruptionBudgetSpec", omitempty: true, optional: true },
        status: {
          number: 3,
          type: "policy/v1beta1.PodDisruptionBudgetStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    PodDisruptionBudgetList: {
      kind: "PodDisruptionBudgetList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "policy/v1beta1.PodDisruptionBudget", list: true },
      },
    },
    Eviction: {
      kind: "Eviction",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        deleteOptions: {
          number: 2,
          type: "meta/v1.DeleteOptions",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    PodSecurityPolicy: {
      kind: "PodSecurityPolicy",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "policy/v1beta1.PodSecurityPolicySpec", omitempty: true, optional: true },
      },
    },
    PodSecurityPolicySpec: {
      fields: {
        privileged: { number: 1, type: "bool", omitempty: true, optional: true },
        defaultAddCapabilities: {
          number: 2,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          elementName: "v1.Capability",
        },
        requiredDropCapabilities: {
          number: 3,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          elementName: "v1.Capability",
        },
        allowedCapabilities: {
          number: 4,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          elementName: "v1.Capability",
        },
        volumes: {
          number: 5,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          elementName: "v1beta1.FSType",
        },
        hostNetwork: { number: 6, type: "bool", omitempty: true, optional: true },
        hostPorts: {
          number: 7,
          type: "policy/v1beta1.HostPortRange",
          list: true,
          omitempty: true,
          optional: true,
        },
        hostPID: { number: 8, type: "bool", omitempty: true, optional: true },
        hostIPC: { number: 9, type: "bool", omitempty: true, optional: true },
        seLinux: { number: 10, type: "policy/v1beta1.SELinuxStrategyOptions" },
        runAsUser: { number: 11, type: "policy/v1beta1.RunAsUserStrategyOptions" },
        runAsGroup: {
          number: 22,
          type: "policy/v1beta1.RunAsGroupStrategyOptions",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        supplementalGroups: { number: 12, type: "policy/v1beta1.SupplementalGroupsStrategyOptions" },
        fsGroup: { number: 13, type: "policy/v1beta1.FSGroupStrategyOptions" },
        readOnlyRootFilesystem: { number: 14, type: "bool", omitempty: true, optional: true },
        defaultAllowPrivilegeEscalation: {
          number: 15,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        allowPrivilegeEscalation: {
          number: 16,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        allowedHostPaths: {
          number: 17,
          type: "policy/v1beta1.AllowedHostPath",
          list: true,
          omitempty: true,
          optional: true,
        },
        allowedFlexVolumes: {
          number: 18,
          type: "policy/v1beta1.AllowedFlexVolume",
          list: true,
          omitempty: true,
          optional: true,
        },
        allowedCSIDrivers: {
          number: 23,
          type: "policy/v1beta1.AllowedCSIDriver",
          list: true,
          omitempty: true,
          optional: true,
        },
        allowedUnsafeSysctls: { number: 19, type: "string", list: true, omitempty: true, optional: true },
        forbiddenSysctls: { number: 20, type: "string", list: true, omitempty: true, optional: true },
        allowedProcMountTypes: {
          number: 21,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          enum: ["Default", "Unmasked"],
          elementName: "v1.ProcMountType",
        },
        runtimeClass: {
          number: 24,
          type: "policy/v1beta1.RuntimeClassStrategyOptions",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    AllowedHostPath: {
      fields: {
        pathPrefix: { number: 1, type: "string", omitempty: true },
        readOnly: { number: 2, type: "bool", omitempty: true, optional: true },
      },
    },
    AllowedFlexVolume: {
      fields: {
        driver: { number: 1, type: "string" },
      },
    },
    AllowedCSIDriver: {
      fields: {
        name: { number: 1, type: "string" },
      },
    },
    HostPortRange: {
      fields: {
        min: { number: 1, type: "int32" },
        max: { number: 2, type: "int32" },
      },
    },
    SELinuxStrategyOptions: {
      fields: {
        rule: { number: 1, type: "string", elementName: "v1beta1.SELinuxStrategy" },
        seLinuxOptions: {
          number: 2,
          type: "core/v1.SELinuxOptions",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    RunAsUserStrategyOptions: {
      fields: {
        rule: { number: 1, type: "string", elementName: "v1beta1.RunAsUserStrategy" },
        ranges: { number: 2, type: "policy/v1beta1.IDRange", list: true, omitempty: true, optional: true },
      },
    },
    RunAsGroupStrategyOptions: {
      fields: {
        rule: { number: 1, type: "string", elementName: "v1beta1.RunAsGroupStrategy" },
        ranges: { number: 2, type: "policy/v1beta1.IDRange", list: true, omitempty: true, optional: true },
      },
    },
    IDRange: {
      fields: {
        min: { number: 1, type: "int64" },
        max: { number: 2, type: "int64" },
      },
    },
    FSGroupStrategyOptions: {
      fields: {
        rule: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          elementName: "v1beta1.FSGroupStrategyType",
        },
        ranges: { number: 2, type: "policy/v1beta1.IDRange", list: true, omitempty: true, optional: true },
      },
    },
    SupplementalGroupsStrategyOptions: {
      fields: {
        rule: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          elementName: "v1beta1.SupplementalGroupsStrategyType",
        },
        ranges: { number: 2, type: "policy/v1beta1.IDRange", list: true, omitempty: true, optional: true },
      },
    },
    RuntimeClassStrategyOptions: {
      fields: {
        allowedRuntimeClassNames: { number: 1, type: "string", list: true },
        defaultRuntimeClassName: {
          number: 2,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    PodSecurityPolicyList: {
      kind: "PodSecurityPolicyList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "policy/v1beta1.PodSecurityPolicy", list: true },
      },
    },
  };
}
