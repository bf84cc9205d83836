import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";

// Sources of pods. Those of persistent volumes differ in the namespace of their secret or endpoints.

const rbd: MessageDeclaration = {
  fields: {
    monitors: {
      number: 1,
      type: "string",
      list: true,
      listType: "atomic",
      before: { "1.30": { listType: undefined } },
      rules: { required: true },
    },
    image: { number: 2, type: "string", rules: { required: true } },
    fsType: { number: 3, type: "string", omitempty: true, optional: true },
    pool: {
      number: 4,
      type: "string",
      omitempty: true,
      optional: true,
      default: "rbd",
      before: { "1.31": { default: undefined } },
    },
    user: {
      number: 5,
      type: "string",
      omitempty: true,
      optional: true,
      default: "admin",
      before: { "1.31": { default: undefined } },
    },
    keyring: {
      number: 6,
      type: "string",
      omitempty: true,
      optional: true,
      default: "/etc/ceph/keyring",
      before: { "1.31": { default: undefined } },
    },
    secretRef: {
      number: 7,
      type: "core/v1.LocalObjectReference",
      pointer: true,
      omitempty: true,
      optional: true,
    },
    readOnly: { number: 8, type: "bool", omitempty: true, optional: true },
  },
};

const cinder: MessageDeclaration = {
  fields: {
    volumeID: { number: 1, type: "string", rules: { required: true } },
    fsType: { number: 2, type: "string", omitempty: true, optional: true },
    readOnly: { number: 3, type: "bool", omitempty: true, optional: true },
    secretRef: {
      number: 4,
      type: "core/v1.LocalObjectReference",
      pointer: true,
      omitempty: true,
      optional: true,
    },
  },
};

const cephFs: MessageDeclaration = {
  fields: {
    monitors: {
      number: 1,
      type: "string",
      list: true,
      listType: "atomic",
      before: { "1.30": { listType: undefined } },
      rules: { required: true },
    },
    path: { number: 2, type: "string", omitempty: true, optional: true },
    user: { number: 3, type: "string", omitempty: true, optional: true },
    secretFile: { number: 4, type: "string", omitempty: true, optional: true },
    secretRef: {
      number: 5,
      type: "core/v1.LocalObjectReference",
      pointer: true,
      omitempty: true,
      optional: true,
    },
    readOnly: { number: 6, type: "bool", omitempty: true, optional: true },
  },
};

const flex: MessageDeclaration = {
  fields: {
    driver: { number: 1, type: "string", rules: { required: true } },
    fsType: { number: 2, type: "string", omitempty: true, optional: true },
    secretRef: {
      number: 3,
      type: "core/v1.LocalObjectReference",
      pointer: true,
      omitempty: true,
      optional: true,
    },
    readOnly: { number: 4, type: "bool", omitempty: true, optional: true },
    options: { number: 5, type: "string", map: true, omitempty: true, optional: true },
  },
};

const iscsi: MessageDeclaration = {
  fields: {
    targetPortal: { number: 1, type: "string", rules: { required: true } },
    iqn: { number: 2, type: "string", rules: { required: true } },
    lun: { number: 3, type: "int32", rules: { min: 0, max: 255 } },
    iscsiInterface: {
      number: 4,
      type: "string",
      omitempty: true,
      optional: true,
      default: "default",
      before: { "1.31": { default: undefined } },
    },
    fsType: { number: 5, type: "string", omitempty: true, optional: true },
    readOnly: { number: 6, type: "bool", omitempty: true, optional: true },
    portals: {
      number: 7,
      type: "string",
      list: true,
      omitempty: true,
      optional: true,
      listType: "atomic",
      before: { "1.30": { listType: undefined } },
    },
    chapAuthDiscovery: { number: 8, type: "bool", omitempty: true, optional: true },
    chapAuthSession: { number: 11, type: "bool", omitempty: true, optional: true },
    secretRef: {
      number: 10,
      type: "core/v1.LocalObjectReference",
      pointer: true,
      omitempty: true,
      optional: true,
    },
    initiatorName: { number: 12, type: "string", pointer: true, omitempty: true, optional: true },
  },
};

const scaleIo: MessageDeclaration = {
  fields: {
    gateway: { number: 1, type: "string", rules: { required: true } },
    system: { number: 2, type: "string", rules: { required: true } },
    secretRef: { number: 3, type: "core/v1.LocalObjectReference", pointer: true },
    sslEnabled: { number: 4, type: "bool", omitempty: true, optional: true },
    protectionDomain: { number: 5, type: "string", omitempty: true, optional: true },
    storagePool: { number: 6, type: "string", omitempty: true, optional: true },
    storageMode: {
      number: 7,
      type: "string",
      omitempty: true,
      optional: true,
      default: "ThinProvisioned",
      before: { "1.31": { default: undefined } },
    },
    volumeName: { number: 8, type: "string", omitempty: true, rules: { required: true } },
    fsType: {
      number: 9,
      type: "string",
      omitempty: true,
      optional: true,
      default: "xfs",
      before: { "1.31": { default: undefined } },
    },
    readOnly: { number: 10, type: "bool", omitempty: true, optional: true },
  },
};

const storageOs: MessageDeclaration = {
  fields: {
    volumeName: { number: 1, type: "string", omitempty: true, rules: { required: true, format: "dnsLabel" } },
    volumeNamespace: {
      number: 2,
      type: "string",
      omitempty: true,
      optional: true,
      rules: { format: "dnsLabel" },
    },
    fsType: { number: 3, type: "string", omitempty: true, optional: true },
    readOnly: { number: 4, type: "bool", omitempty: true, optional: true },
    secretRef: {
      number: 5,
      type: "core/v1.LocalObjectReference",
      pointer: true,
      omitempty: true,
      optional: true,
    },
  },
};

const glusterfs: MessageDeclaration = {
  fields: {
    endpoints: { number: 1, type: "string", rules: { required: true } },
    path: { number: 2, type: "string", rules: { required: true } },
    readOnly: { number: 3, type: "bool", omitempty: true, optional: true },
  },
};

const azureFile: MessageDeclaration = {
  fields: {
    secretName: { number: 1, type: "string", rules: { required: true } },
    shareName: { number: 2, type: "string", rules: { required: true } },
    readOnly: { number: 3, type: "bool", omitempty: true, optional: true },
  },
};

/** Types of storage for volumes. */
export function declareStorageDriversTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    GlusterfsPersistentVolumeSource: {
      fields: {
        ...glusterfs.fields,
        endpointsNamespace: { number: 4, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
    RBDPersistentVolumeSource: withSecretRef(rbd, "core/v1.SecretReference"),
    CinderPersistentVolumeSource: withSecretRef(cinder, "core/v1.SecretReference"),
    CephFSPersistentVolumeSource: withSecretRef(cephFs, "core/v1.SecretReference"),
    FlexPersistentVolumeSource: withSecretRef(flex, "core/v1.SecretReference"),
    ISCSIPersistentVolumeSource: withSecretRef(iscsi, "core/v1.SecretReference"),
    AzureFilePersistentVolumeSource: {
      fields: {
        ...azureFile.fields,
        secretNamespace: {
          number: 4,
          type: "string",
          pointer: true,
          optional: true,
          rules: { nonEmpty: true },
        },
      },
    },
    ScaleIOPersistentVolumeSource: withSecretRef(scaleIo, "core/v1.SecretReference"),
    StorageOSPersistentVolumeSource: withSecretRef(storageOs, "core/v1.ObjectReference"),
    LocalVolumeSource: {
      fields: {
        path: { number: 1, type: "string", rules: { required: true, format: "pathWithoutBacksteps" } },
        fsType: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
      },
    },
    CSIPersistentVolumeSource: {
      fields: {
        driver: { number: 1, type: "string" },
        volumeHandle: { number: 2, type: "string", rules: { required: true } },
        readOnly: { number: 3, type: "bool", omitempty: true, optional: true },
        fsType: { number: 4, type: "string", omitempty: true, optional: true },
        volumeAttributes: { number: 5, type: "string", map: true, omitempty: true, optional: true },
        controllerPublishSecretRef: {
          number: 6,
          type: "core/v1.SecretReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        nodeStageSecretRef: {
          number: 7,
          type: "core/v1.SecretReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        nodePublishSecretRef: {
          number: 8,
          type: "core/v1.SecretReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        controllerExpandSecretRef: {
          number: 9,
          type: "core/v1.SecretReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        nodeExpandSecretRef: {
          number: 10,
          type: "core/v1.SecretReference",
          pointer: true,
          omitempty: true,
          optional: true,
          since: "1.25",
          before: { "1.29": { featureGate: "CSINodeExpandSecret" } },
        },
      },
    },
    GlusterfsVolumeSource: glusterfs,
    RBDVolumeSource: rbd,
    CinderVolumeSource: cinder,
    CephFSVolumeSource: cephFs,
    FlockerVolumeSource: {
      fields: {
        datasetName: { number: 1, type: "string", omitempty: true, optional: true },
        datasetUUID: { number: 2, type: "string", omitempty: true, optional: true },
      },
    },
    GCEPersistentDiskVolumeSource: {
      fields: {
        pdName: { number: 1, type: "string", rules: { required: true } },
        fsType: { number: 2, type: "string", omitempty: true, optional: true },
        partition: {
          number: 3,
          type: "int32",
          omitempty: true,
          optional: true,
          rules: { min: 0, max: 255, range: "must be between 1 and 255, inclusive" },
        },
        readOnly: { number: 4, type: "bool", omitempty: true, optional: true },
      },
    },
    QuobyteVolumeSource: {
      fields: {
        registry: {
          number: 1,
          type: "string",
          rules: { required: "must be a host:port pair or multiple pairs separated by commas" },
        },
        volume: { number: 2, type: "string", rules: { required: true } },
        readOnly: { number: 3, type: "bool", omitempty: true, optional: true },
        user: { number: 4, type: "string", omitempty: true, optional: true },
        group: { number: 5, type: "string", omitempty: true, optional: true },
        tenant: { number: 6, type: "string", omitempty: true, optional: true },
      },
    },
    FlexVolumeSource: flex,
    AWSElasticBlockStoreVolumeSource: {
      fields: {
        volumeID: { number: 1, type: "string", rules: { required: true } },
        fsType: { number: 2, type: "string", omitempty: true, optional: true },
        partition: {
          number: 3,
          type: "int32",
          omitempty: true,
          optional: true,
          rules: { min: 0, max: 255, range: "must be between 1 and 255, inclusive" },
        },
        readOnly: { number: 4, type: "bool", omitempty: true, optional: true },
      },
    },
    NFSVolumeSource: {
      fields: {
        server: { number: 1, type: "string", rules: { required: true } },
        path: { number: 2, type: "string", rules: { required: true } },
        readOnly: { number: 3, type: "bool", omitempty: true, optional: true },
      },
    },
    ISCSIVolumeSource: iscsi,
    FCVolumeSource: {
      fields: {
        targetWWNs: {
          number: 1,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        lun: {
          number: 2,
          type: "int32",
          pointer: true,
          omitempty: true,
          optional: true,
          rules: { min: 0, max: 255 },
        },
        fsType: { number: 3, type: "string", omitempty: true, optional: true },
        readOnly: { number: 4, type: "bool", omitempty: true, optional: true },
        wwids: {
          number: 5,
          type: "string",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },
    AzureFileVolumeSource: azureFile,
    VsphereVirtualDiskVolumeSource: {
      fields: {
        volumePath: { number: 1, type: "string", rules: { required: true } },
        fsType: { number: 2, type: "string", omitempty: true, optional: true },
        storagePolicyName: { number: 3, type: "string", omitempty: true, optional: true },
        storagePolicyID: { number: 4, type: "string", omitempty: true, optional: true },
      },
    },
    PhotonPersistentDiskVolumeSource: {
      fields: {
        pdID: { number: 1, type: "string", rules: { required: true } },
        fsType: { number: 2, type: "string", omitempty: true },
      },
    },
    AzureDiskVolumeSource: {
      fields: {
        diskName: { number: 1, type: "string", rules: { required: true } },
        diskURI: { number: 2, type: "string", rules: { required: true } },
        cachingMode: {
          number: 3,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          default: "ReadWrite",
          enum: ["None", "ReadOnly", "ReadWrite"],
          elementName: "v1.AzureDataDiskCachingMode",
          before: { "1.31": { default: undefined } },
        },
        fsType: {
          number: 4,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          default: "ext4",
          before: { "1.31": { default: undefined } },
        },
        readOnly: {
          number: 5,
          type: "bool",
          pointer: true,
          omitempty: true,
          optional: true,
          default: false,
          before: { "1.31": { default: undefined } },
        },
        kind: {
          number: 6,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          default: "Shared",
          enum: ["Shared", "Dedicated", "Managed"],
          elementName: "v1.AzureDataDiskKind",
          before: { "1.31": { default: undefined } },
        },
      },
    },
    PortworxVolumeSource: {
      fields: {
        volumeID: { number: 1, type: "string", rules: { required: true } },
        fsType: { number: 2, type: "string", omitempty: true },
        readOnly: { number: 3, type: "bool", omitempty: true, optional: true },
      },
    },
    ScaleIOVolumeSource: scaleIo,
    StorageOSVolumeSource: storageOs,
  };
}

/** Pods refer to secrets of their own namespace, persistent volumes to those of any. */
function withSecretRef(source: MessageDeclaration, type: string): MessageDeclaration {
  const { secretRef } = source.fields;
  if (secretRef === undefined) throw new Error("the source has no secretRef");
  return { ...source, fields: { ...source.fields, secretRef: { ...secretRef, type } } };
}
