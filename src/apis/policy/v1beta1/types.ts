import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { policyV1Types } from "../v1/types.js";

/** The same as v1, and pod security policies. */
export const policyV1beta1Types: TypePackage = siblingVersion("policy/v1beta1", policyV1Types, () => ({
  changed: { PodDisruptionBudgetSpec: { fields: { selector: { patchStrategy: undefined } } } },
  types: {
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
          featureGate: "ProcMountType",
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
      fields: { driver: { number: 1, type: "string", rules: { required: "must specify a driver" } } },
    },
    AllowedCSIDriver: { fields: { name: { number: 1, type: "string" } } },
    HostPortRange: { fields: { min: { number: 1, type: "int32" }, max: { number: 2, type: "int32" } } },
    SELinuxStrategyOptions: {
      fields: {
        rule: {
          number: 1,
          type: "string",
          elementName: "v1beta1.SELinuxStrategy",
          rules: { supported: ["MustRunAs", "RunAsAny"] },
        },
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
        rule: {
          number: 1,
          type: "string",
          elementName: "v1beta1.RunAsUserStrategy",
          rules: { supported: ["MustRunAs", "MustRunAsNonRoot", "RunAsAny"] },
        },
        ranges: { number: 2, type: "policy/v1beta1.IDRange", list: true, omitempty: true, optional: true },
      },
    },
    RunAsGroupStrategyOptions: {
      fields: {
        rule: {
          number: 1,
          type: "string",
          elementName: "v1beta1.RunAsGroupStrategy",
          rules: { supported: ["MustRunAs", "RunAsAny", "MayRunAs"] },
        },
        ranges: { number: 2, type: "policy/v1beta1.IDRange", list: true, omitempty: true, optional: true },
      },
    },
    IDRange: {
      fields: {
        min: { number: 1, type: "int64", rules: { min: 0, range: "min cannot be negative" } },
        max: { number: 2, type: "int64", rules: { min: 0, range: "max cannot be negative" } },
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
          rules: { supported: ["MayRunAs", "MustRunAs", "RunAsAny"] },
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
          rules: { supported: ["MayRunAs", "MustRunAs", "RunAsAny"] },
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
          rules: { format: "dnsSubdomain" },
        },
      },
    },
    PodSecurityPolicyList: listKind("policy/v1beta1.PodSecurityPolicy"),
  },
}));
