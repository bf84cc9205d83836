import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";

/** Security contexts of pods and containers. */
export function declareSecurityContextsTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    PodSecurityContext: {
      fields: {
        seLinuxOptions: {
          number: 1,
          type: "core/v1.SELinuxOptions",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        windowsOptions: {
          number: 8,
          type: "core/v1.WindowsSecurityContextOptions",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        runAsUser: { number: 2, type: "int64", pointer: true, omitempty: true, optional: true },
        runAsGroup: { number: 6, type: "int64", pointer: true, omitempty: true, optional: true },
        runAsNonRoot: { number: 3, type: "bool", pointer: true, omitempty: true, optional: true },
        supplementalGroups: {
          number: 4,
          type: "int64",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        supplementalGroupsPolicy: {
          number: 12,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Merge", "Strict"],
          featureGate: "SupplementalGroupsPolicy",
          since: "1.31",
        },
        fsGroup: { number: 5, type: "int64", pointer: true, omitempty: true, optional: true },
        sysctls: {
          number: 7,
          type: "core/v1.Sysctl",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        fsGroupChangePolicy: {
          number: 9,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["OnRootMismatch", "Always"],
          elementName: "v1.PodFSGroupChangePolicy",
        },
        seccompProfile: {
          number: 10,
          type: "core/v1.SeccompProfile",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        appArmorProfile: {
          number: 11,
          type: "core/v1.AppArmorProfile",
          pointer: true,
          omitempty: true,
          optional: true,
          since: "1.30",
        },
        seLinuxChangePolicy: {
          number: 13,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "SELinuxChangePolicy",
          since: "1.32",
        },
      },
    },
    SeccompProfile: {
      union: true,
      fields: {
        type: {
          number: 1,
          type: "string",
          enum: ["Unconfined", "RuntimeDefault", "Localhost"],
          unionDiscriminator: true,
          elementName: "v1.SeccompProfileType",
          rules: { required: "type is required when seccompProfile is set" },
        },
        localhostProfile: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
    Sysctl: {
      fields: {
        name: { number: 1, type: "string" },
        value: { number: 2, type: "string" },
      },
    },
    Capabilities: {
      fields: {
        add: {
          number: 1,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          elementName: "v1.Capability",
          before: { "1.30": { listType: undefined } },
        },
        drop: {
          number: 2,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          elementName: "v1.Capability",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    SecurityContext: {
      fields: {
        capabilities: {
          number: 1,
          type: "core/v1.Capabilities",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        privileged: { number: 2, type: "bool", pointer: true, omitempty: true, optional: true },
        seLinuxOptions: {
          number: 3,
          type: "core/v1.SELinuxOptions",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        windowsOptions: {
          number: 10,
          type: "core/v1.WindowsSecurityContextOptions",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        runAsUser: { number: 4, type: "int64", pointer: true, omitempty: true, optional: true },
        runAsGroup: { number: 8, type: "int64", pointer: true, omitempty: true, optional: true },
        runAsNonRoot: { number: 5, type: "bool", pointer: true, omitempty: true, optional: true },
        readOnlyRootFilesystem: { number: 6, type: "bool", pointer: true, omitempty: true, optional: true },
        allowPrivilegeEscalation: { number: 7, type: "bool", pointer: true, omitempty: true, optional: true },
        procMount: {
          number: 9,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Default", "Unmasked"],
          elementName: "v1.ProcMountType",
        },
        seccompProfile: {
          number: 11,
          type: "core/v1.SeccompProfile",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        appArmorProfile: {
          number: 12,
          type: "core/v1.AppArmorProfile",
          pointer: true,
          omitempty: true,
          optional: true,
          since: "1.30",
        },
      },
    },
    SELinuxOptions: {
      fields: {
        user: { number: 1, type: "string", omitempty: true, optional: true },
        role: { number: 2, type: "string", omitempty: true, optional: true },
        type: { number: 3, type: "string", omitempty: true, optional: true },
        level: { number: 4, type: "string", omitempty: true, optional: true },
      },
    },
    WindowsSecurityContextOptions: {
      fields: {
        gmsaCredentialSpecName: { number: 1, type: "string", pointer: true, omitempty: true, optional: true },
        gmsaCredentialSpec: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
        runAsUserName: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
        hostProcess: { number: 4, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },

    AppArmorProfile: {
      union: true,
      fields: {
        type: {
          number: 1,
          type: "string",
          enum: ["Unconfined", "RuntimeDefault", "Localhost"],
          unionDiscriminator: true,
        },
        localhostProfile: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
  };
}
