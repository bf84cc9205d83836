import type { MessageDeclaration } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { typePackage } from "../../../apimachinery/schema/type-package.js";

export const storageV1Types = typePackage("storage/v1", declare);

const reclaimPolicyRules = { zeroIsAbsent: true, supported: ["Delete", "Retain"] };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    StorageClass: {
      kind: "StorageClass",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        provisioner: {
          number: 2,
          type: "string",
          rules: { immutable: true },
          before: { "1.36": { rules: { immutable: "updates to provisioner are forbidden." } } },
        },
        parameters: {
          number: 3,
          type: "string",
          map: true,
          omitempty: true,
          optional: true,
          rules: { immutable: true },
          before: { "1.36": { rules: { immutable: "updates to parameters are forbidden." } } },
        },
        reclaimPolicy: {
          number: 4,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Recycle", "Delete", "Retain"],
          elementName: "core/v1.PersistentVolumeReclaimPolicy",
          rules: { ...reclaimPolicyRules, immutable: true },
          before: {
            "1.36": {
              rules: { ...reclaimPolicyRules, immutable: "updates to reclaimPolicy are forbidden." },
            },
          },
        },
        mountOptions: {
          number: 5,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        allowVolumeExpansion: { number: 6, type: "bool", pointer: true, omitempty: true, optional: true },
        volumeBindingMode: {
          number: 7,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Immediate", "WaitForFirstConsumer"],
          elementName: "v1.VolumeBindingMode",
          rules: { required: true, immutable: true },
        },
        allowedTopologies: {
          number: 8,
          type: "core/v1.TopologySelectorTerm",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
      },
    },
    StorageClassList: listKind("storage/v1.StorageClass"),
    VolumeAttachment: {
      kind: "VolumeAttachment",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "storage/v1.VolumeAttachmentSpec", rules: { immutable: true } },
        status: { number: 3, type: "storage/v1.VolumeAttachmentStatus", omitempty: true, optional: true },
      },
    },
    VolumeAttachmentList: listKind("storage/v1.VolumeAttachment"),
    VolumeAttachmentSpec: {
      fields: {
        attacher: { number: 1, type: "string", rules: { required: true } },
        source: { number: 2, type: "storage/v1.VolumeAttachmentSource" },
        nodeName: { number: 3, type: "string", rules: { format: "dnsSubdomain" } },
      },
    },
    VolumeAttachmentSource: {
      fields: {
        persistentVolumeName: {
          number: 1,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { nonEmpty: "must specify non empty persistentVolumeName" },
        },
        inlineVolumeSpec: {
          number: 2,
          type: "core/v1.PersistentVolumeSpec",
          // Kubernetes drops gated fields from volumes, not from this copy of their spec.
          keepsGatedFields: true,
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    VolumeAttachmentStatus: {
      fields: {
        attached: { number: 1, type: "bool" },
        attachmentMetadata: { number: 2, type: "string", map: true, omitempty: true, optional: true },
        attachError: {
          number: 3,
          type: "storage/v1.VolumeError",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        detachError: {
          number: 4,
          type: "storage/v1.VolumeError",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    VolumeError: {
      fields: {
        time: { number: 1, type: "Time", omitempty: true, optional: true },
        message: { number: 2, type: "string", omitempty: true, optional: true },
        errorCode: {
          number: 3,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "MutableCSINodeAllocatableCount",
          since: "1.33",
        },
      },
    },
    CSIDriver: {
      kind: "CSIDriver",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true },
        spec: { number: 2, type: "storage/v1.CSIDriverSpec" },
      },
    },
    CSIDriverList: listKind("storage/v1.CSIDriver"),
    CSIDriverSpec: {
      fields: {
        attachRequired: {
          number: 1,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { required: true, immutable: true },
        },
        podInfoOnMount: {
          number: 2,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { required: true, immutable: true },
        },
        volumeLifecycleModes: {
          number: 3,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "set",
          elementName: "v1.VolumeLifecycleMode",
          rules: { supported: ["Persistent", "Ephemeral"], immutable: true },
        },
        storageCapacity: {
          number: 4,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "CSIStorageCapacity",
          rules: { required: true },
        },
        fsGroupPolicy: {
          number: 5,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          elementName: "v1.FSGroupPolicy",
          rules: { supported: ["File", "None", "ReadWriteOnceWithFSType"], immutable: true },
        },
        tokenRequests: {
          number: 6,
          type: "storage/v1.TokenRequest",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
        },
        requiresRepublish: { number: 7, type: "bool", pointer: true, omitempty: true, optional: true },
        seLinuxMount: {
          number: 8,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "SELinuxMountReadWriteOncePod",
          since: "1.25",
          rules: { required: true },
        },
        nodeAllocatableUpdatePeriodSeconds: {
          number: 9,
          type: "int64",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "MutableCSINodeAllocatableCount",
          since: "1.33",
          rules: { min: 10, range: "must be greater than or equal to 10 seconds" },
        },
        serviceAccountTokenInSecrets: {
          number: 10,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "CSIServiceAccountTokenSecrets",
          since: "1.35",
        },
        preventPodSchedulingIfMissing: {
          number: 11,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "VolumeLimitScaling",
          since: "1.36",
        },
      },
    },
    TokenRequest: {
      fields: {
        audience: { number: 1, type: "string" },
        expirationSeconds: {
          number: 2,
          type: "int64",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: {
            min: 600,
            max: 2 ** 32,
            range: {
              below: "may not specify a duration less than 10 minutes",
              above: "may not specify a duration larger than 2^32 seconds",
            },
          },
        },
      },
    },
    CSINode: {
      kind: "CSINode",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true },
        spec: { number: 2, type: "storage/v1.CSINodeSpec" },
      },
    },
    CSINodeSpec: {
      fields: {
        drivers: {
          number: 1,
          type: "storage/v1.CSINodeDriver",
          list: true,
          patchStrategy: "merge",
          patchMergeKey: "name",
          listType: "map",
          listMapKeys: ["name"],
          before: { "1.30": { listType: undefined, listMapKeys: undefined } },
        },
      },
    },
    CSINodeDriver: {
      fields: {
        name: { number: 1, type: "string" },
        nodeID: { number: 2, type: "string", rules: { required: true } },
        topologyKeys: {
          number: 3,
          type: "string",
          list: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        allocatable: {
          number: 4,
          type: "storage/v1.VolumeNodeResources",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    VolumeNodeResources: {
      fields: {
        count: {
          number: 1,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
      },
    },
    CSINodeList: listKind("storage/v1.CSINode"),

    CSIStorageCapacity: {
      kind: "CSIStorageCapacity",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        nodeTopology: {
          number: 2,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { immutable: true },
        },
        storageClassName: { number: 3, type: "string", rules: { format: "dnsSubdomain", immutable: true } },
        capacity: {
          number: 4,
          type: "Quantity",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0 },
        },
        maximumVolumeSize: { number: 5, type: "Quantity", pointer: true, omitempty: true, optional: true },
      },
    },
    CSIStorageCapacityList: {
      kind: "CSIStorageCapacityList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: {
          number: 2,
          type: "storage/v1.CSIStorageCapacity",
          list: true,
          before: { "1.30": { listType: "map", listMapKeys: ["name"] } },
        },
      },
    },
    VolumeAttributesClass: {
      kind: "VolumeAttributesClass",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        driverName: {
          number: 2,
          type: "string",
          rules: { immutable: "updates to driverName are forbidden." },
        },
        parameters: {
          number: 3,
          type: "string",
          map: true,
          omitempty: true,
          rules: {
            required: "must contain at least one key/value pair",
            immutable: "updates to parameters are forbidden.",
          },
        },
      },
    },
    VolumeAttributesClassList: listKind("storage/v1.VolumeAttributesClass"),
  };
}
