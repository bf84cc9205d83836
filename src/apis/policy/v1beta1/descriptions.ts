import { type TypeDescriptions, withDescriptions } from "../../../apimachinery/schema/type-descriptions.js";
import { policyV1Descriptions } from "../v1/descriptions.js";

const groupRule = "MustRunAs demands an id in ranges, MayRunAs does so if one is given; RunAsAny allows any.";
const idRanges = "Ranges that an id must be in. With MustRunAs, their first id is the default.";

export const policyV1beta1Descriptions: TypeDescriptions = withDescriptions(policyV1Descriptions, {
  PodSecurityPolicy: {
    about: "What pods may ask for, and defaults for what they leave open. Deprecated.",
    fields: {
      spec: "What pods must be like to be admitted, and what is filled in.",
    },
  },
  PodSecurityPolicySpec: {
    about: "What pods must be like to be admitted, and what is filled in.",
    fields: {
      allowPrivilegeEscalation: "Whether a process may gain more rights than its parent. Default: true.",
      allowedCSIDrivers: "CSI drivers whose inline volumes pods may use. Empty: all.",
      allowedCapabilities: "Capabilities that containers may add beside the default ones; '*' is all.",
      allowedFlexVolumes: "Flexvolume drivers that pods may use, if volumes has flexVolume. Empty: all.",
      allowedHostPaths: "Paths of the node that pods may mount, if volumes has hostPath. Empty: all.",
      allowedProcMountTypes: "Ways in which /proc may be mounted: Default or Unmasked. Empty: Default only.",
      allowedUnsafeSysctls:
        "Kernel parameters beyond the safe ones that pods may set; a '*' at the end stands for any rest.",
      defaultAddCapabilities: "Capabilities that every container gets unless it drops them.",
      defaultAllowPrivilegeEscalation:
        "What containers get that do not say whether privileges may escalate; true needs allowPrivilegeEscalation.",
      forbiddenSysctls:
        "Kernel parameters that pods may not set; a '*' at the end stands for any rest, '*' alone for all.",
      fsGroup: "Which groups may own a pod's volumes.",
      hostIPC: "Whether pods may share the node's inter-process communication. Default: false.",
      hostNetwork: "Whether pods may use the node's network. Default: false.",
      hostPID: "Whether pods may see the node's processes. Default: false.",
      hostPorts: "Ports of the node that containers may take. Empty: none.",
      privileged: "Whether containers may run with nearly all rights of the node. Default: false.",
      readOnlyRootFilesystem:
        "Whether containers must run with a root file system that cannot be written. Default: false.",
      requiredDropCapabilities: "Capabilities that every container must drop; they are dropped for it.",
      runAsGroup: "Which primary groups containers may run as. Unset: any.",
      runAsUser: "Which users containers may run as.",
      runtimeClass: "Which runtime classes pods may have. Unset: any.",
      seLinux: "Which SELinux labels pods may have.",
      supplementalGroups: "Which further groups pods may be in.",
      volumes: "Kinds of volumes that pods may use, by the name of their field; '*' is all. Empty: none.",
    },
  },
  AllowedHostPath: {
    about: "A path prefix of the host that pods may mount.",
    fields: {
      pathPrefix: "The path; what is below it is allowed too. Must not contain '..'.",
      readOnly: "Whether it may be mounted for reading only. Default: false.",
    },
  },
  AllowedFlexVolume: {
    about: "A Flexvolume driver that pods may use.",
    fields: { driver: "Name of the driver." },
  },
  AllowedCSIDriver: {
    about: "A CSI driver that inline volumes may use.",
    fields: { name: "Name under which the driver is registered." },
  },
  HostPortRange: {
    about: "A range of ports of the host.",
    fields: {
      max: "The last port, included.",
      min: "The first port, included.",
    },
  },
  SELinuxStrategyOptions: {
    about: "Which SELinux labels pods may have.",
    fields: {
      rule: "MustRunAs demands the labels of seLinuxOptions; RunAsAny allows any.",
      seLinuxOptions: "The labels demanded by MustRunAs, and the default for pods without any.",
    },
  },
  RunAsUserStrategyOptions: {
    about: "Which users containers may run as.",
    fields: {
      ranges: idRanges,
      rule: "MustRunAs demands an id in ranges, MustRunAsNonRoot any but 0; RunAsAny allows any.",
    },
  },
  RunAsGroupStrategyOptions: {
    about: "Which groups containers may run as.",
    fields: {
      ranges: "Ranges that an id must be in; empty for RunAsAny, else at least one.",
      rule: groupRule,
    },
  },
  IDRange: {
    about: "A range of ids.",
    fields: {
      max: "The last id, included; not less than min.",
      min: "The first id, included; not negative.",
    },
  },
  FSGroupStrategyOptions: {
    about: "Which file system groups pods may have.",
    fields: {
      ranges: idRanges,
      rule: groupRule,
    },
  },
  SupplementalGroupsStrategyOptions: {
    about: "Which further groups pods may have.",
    fields: {
      ranges: idRanges,
      rule: "MustRunAs demands ids in ranges, MayRunAs does so if any are given; RunAsAny allows any.",
    },
  },
  RuntimeClassStrategyOptions: {
    about: "Which runtime classes pods may have.",
    fields: {
      allowedRuntimeClassNames: "Names of classes that pods may ask for; '*' alone is all. Empty: none.",
      defaultRuntimeClassName: "Class of pods that do not name one; must be among the allowed ones.",
    },
  },
});
