import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";

/** Volumes of a pod. */
export function declareVolumesTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    Volume: {
      fields: {
        name: { number: 1, type: "string" },
        volumeSource: { number: 2, type: "core/v1.VolumeSource", inline: true },
      },
    },
    VolumeSource: {
      fields: {
        hostPath: {
          number: 1,
          type: "core/v1.HostPathVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        emptyDir: {
          number: 2,
          type: "core/v1.EmptyDirVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        gcePersistentDisk: {
          number: 3,
          type: "core/v1.GCEPersistentDiskVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        awsElasticBlockStore: {
          number: 4,
          type: "core/v1.AWSElasticBlockStoreVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        gitRepo: {
          number: 5,
          type: "core/v1.GitRepoVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        secret: {
          number: 6,
          type: "core/v1.SecretVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        nfs: { number: 7, type: "core/v1.NFSVolumeSource", pointer: true, omitempty: true, optional: true },
        iscsi: {
          number: 8,
          type: "core/v1.ISCSIVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        glusterfs: {
          number: 9,
          type: "core/v1.GlusterfsVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        persistentVolumeClaim: {
          number: 10,
          type: "core/v1.PersistentVolumeClaimVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        rbd: { number: 11, type: "core/v1.RBDVolumeSource", pointer: true, omitempty: true, optional: true },
        flexVolume: {
          number: 12,
          type: "core/v1.FlexVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        cinder: {
          number: 13,
          type: "core/v1.CinderVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        cephfs: {
          number: 14,
          type: "core/v1.CephFSVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        flocker: {
          number: 15,
          type: "core/v1.FlockerVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        downwardAPI: {
          number: 16,
          type: "core/v1.DownwardAPIVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        fc: { number: 17, type: "core/v1.FCVolumeSource", pointer: true, omitempty: true, optional: true },
        azureFile: {
          number: 18,
          type: "core/v1.AzureFileVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        configMap: {
          number: 19,
          type: "core/v1.ConfigMapVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        vsphereVolume: {
          number: 20,
          type: "core/v1.VsphereVirtualDiskVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        quobyte: {
          number: 21,
          type: "core/v1.QuobyteVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        azureDisk: {
          number: 22,
          type: "core/v1.AzureDiskVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        photonPersistentDisk: {
          number: 23,
          type: "core/v1.PhotonPersistentDiskVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        projected: {
          number: 26,
          type: "core/v1.ProjectedVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        portworxVolume: {
          number: 24,
          type: "core/v1.PortworxVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        scaleIO: {
          number: 25,
          type: "core/v1.ScaleIOVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        storageos: {
          number: 27,
          type: "core/v1.StorageOSVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        csi: { number: 28, type: "core/v1.CSIVolumeSource", pointer: true, omitempty: true, optional: true },
        ephemeral: {
          number: 29,
          type: "core/v1.EphemeralVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    PersistentVolumeClaimVolumeSource: {
      fields: {
        claimName: { number: 1, type: "string" },
        readOnly: { number: 2, type: "bool", omitempty: true, optional: true },
      },
    },
    HostPathVolumeSource: {
      fields: {
        path: { number: 1, type: "string" },
        type: {
          number: 2,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: [
            "",
            "DirectoryOrCreate",
            "Directory",
            "FileOrCreate",
            "File",
            "Socket",
            "CharDevice",
            "BlockDevice",
          ],
          elementName: "v1.HostPathType",
        },
      },
    },
    EmptyDirVolumeSource: {
      fields: {
        medium: {
          number: 1,
          type: "string",
          omitempty: true,
          optional: true,
          elementName: "v1.StorageMedium",
        },
        sizeLimit: { number: 2, type: "Quantity", pointer: true, omitempty: true, optional: true },
      },
    },
    GlusterfsVolumeSource: {
      fields: {
        endpoints: { number: 1, type: "string" },
        path: { number: 2, type: "string" },
        readOnly: { number: 3, type: "bool", omitempty: true, optional: true },
      },
    },
    RBDVolumeSource: {
      fields: {
        monitors: { number: 1, type: "string", list: true },
        image: { number: 2, type: "string" },
        fsType: { number: 3, type: "string", omitempty: true, optional: true },
        pool: { number: 4, type: "string", omitempty: true, optional: true },
        user: { number: 5, type: "string", omitempty: true, optional: true },
        keyring: { number: 6, type: "string", omitempty: true, optional: true },
        secretRef: {
          number: 7,
          type: "core/v1.LocalObjectReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        readOnly: { number: 8, type: "bool", omitempty: true, optional: true },
      },
    },
    CinderVolumeSource: {
      fields: {
        volumeID: { number: 1, type: "string" },
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
    },
    CephFSVolumeSource: {
      fields: {
        monitors: { number: 1, type: "string", list: true },
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
    },
    FlockerVolumeSource: {
      fields: {
        datasetName: { number: 1, type: "string", omitempty: true, optional: true },
        datasetUUID: { number: 2, type: "string", omitempty: true, optional: true },
      },
    },
    GCEPersistentDiskVolumeSource: {
      fields: {
        pdName: { number: 1, type: "string" },
        fsType: { number: 2, type: "string", omitempty: true, optional: true },
        partition: { number: 3, type: "int32", omitempty: true, optional: true },
        readOnly: { number: 4, type: "bool", omitempty: true, optional: true },
      },
    },
    QuobyteVolumeSource: {
      fields: {
        registry: { number: 1, type: "string" },
        volume: { number: 2, type: "string" },
        readOnly: { number: 3, type: "bool", omitempty: true, optional: true },
        user: { number: 4, type: "string", omitempty: true, optional: true },
        group: { number: 5, type: "string", omitempty: true, optional: true },
        tenant: { number: 6, type: "string", omitempty: true, optional: true },
      },
    },
    FlexVolumeSource: {
      fields: {
        driver: { number: 1, type: "string" },
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
    },
    AWSElasticBlockStoreVolumeSource: {
      fields: {
        volumeID: { number: 1, type: "string" },
        fsType: { number: 2, type: "string", omitempty: true, optional: true },
        partition: { number: 3, type: "int32", omitempty: true, optional: true },
        readOnly: { number: 4, type: "bool", omitempty: true, optional: true },
      },
    },
    GitRepoVolumeSource: {
      fields: {
        repository: { number: 1, type: "string" },
        revision: { number: 2, type: "string", omitempty: true, optional: true },
        directory: { number: 3, type: "string", omitempty: true, optional: true },
      },
    },
    SecretVolumeSource: {
      fields: {
        secretName: { number: 1, type: "string", omitempty: true, optional: true },
        items: { number: 2, type: "core/v1.KeyToPath", list: true, omitempty: true, optional: true },
        defaultMode: { number: 3, type: "int32", pointer: true, omitempty: true, optional: true },
        optional: { number: 4, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    SecretProjection: {
      fields: {
        localObjectReference: { number: 1, type: "core/v1.LocalObjectReference", inline: true },
        items: { number: 2, type: "core/v1.KeyToPath", list: true, omitempty: true, optional: true },
        optional: { number: 4, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    NFSVolumeSource: {
      fields: {
        server: { number: 1, type: "string" },
        path: { number: 2, type: "string" },
        readOnly: { number: 3, type: "bool", omitempty: true, optional: true },
      },
    },
    ISCSIVolumeSource: {
      fields: {
        targetPortal: { number: 1, type: "string" },
        iqn: { number: 2, type: "string" },
        lun: { number: 3, type: "int32" },
        iscsiInterface: { number: 4, type: "string", omitempty: true, optional: true },
        fsType: { number: 5, type: "string", omitempty: true, optional: true },
        readOnly: { number: 6, type: "bool", omitempty: true, optional: true },
        portals: { number: 7, type: "string", list: true, omitempty: true, optional: true },
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
    },
    FCVolumeSource: {
      fields: {
        targetWWNs: { number: 1, type: "string", list: true, omitempty: true, optional: true },
        lun: { number: 2, type: "int32", pointer: true, omitempty: true, optional: true },
        fsType: { number: 3, type: "string", omitempty: true, optional: true },
        readOnly: { number: 4, type: "bool", omitempty: true, optional: true },
        wwids: { number: 5, type: "string", list: true, omitempty: true, optional: true },
      },
    },
    AzureFileVolumeSource: {
      fields: {
        secretName: { number: 1, type: "string" },
        shareName: { number: 2, type: "string" },
        readOnly: { number: 3, type: "bool", omitempty: true, optional: true },
      },
    },
    VsphereVirtualDiskVolumeSource: {
      fields: {
        volumePath: { number: 1, type: "string" },
        fsType: { number: 2, type: "string", omitempty: true, optional: true },
        storagePolicyName: { number: 3, type: "string", omitempty: true, optional: true },
        storagePolicyID: { number: 4, type: "string", omitempty: true, optional: true },
      },
    },
    PhotonPersistentDiskVolumeSource: {
      fields: {
        pdID: { number: 1, type: "string" },
        fsType: { number: 2, type: "string", omitempty: true },
      },
    },
    AzureDiskVolumeSource: {
      fields: {
        diskName: { number: 1, type: "string" },
        diskURI: { number: 2, type: "string" },
        cachingMode: {
          number: 3,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["None", "ReadOnly", "ReadWrite"],
          elementName: "v1.AzureDataDiskCachingMode",
        },
        fsType: { number: 4, type: "string", pointer: true, omitempty: true, optional: true },
        readOnly: { number: 5, type: "bool", pointer: true, omitempty: true, optional: true },
        kind: {
          number: 6,
          type: "string",
          pointer: true,
          omitempty: true,
          optional: true,
          enum: ["Shared", "Dedicated", "Managed"],
          elementName: "v1.AzureDataDiskKind",
        },
      },
    },
    PortworxVolumeSource: {
      fields: {
        volumeID: { number: 1, type: "string" },
        fsType: { number: 2, type: "string", omitempty: true },
        readOnly: { number: 3, type: "bool", omitempty: true, optional: true },
      },
    },
    ScaleIOVolumeSource: {
      fields: {
        gateway: { number: 1, type: "string" },
        system: { number: 2, type: "string" },
        secretRef: { number: 3, type: "core/v1.LocalObjectReference", pointer: true, optional: true },
        sslEnabled: { number: 4, type: "bool", omitempty: true, optional: true },
        protectionDomain: { number: 5, type: "string", omitempty: true, optional: true },
        storagePool: { number: 6, type: "string", omitempty: true, optional: true },
        storageMode: { number: 7, type: "string", omitempty: true, optional: true },
        volumeName: { number: 8, type: "string", omitempty: true },
        fsType: { number: 9, type: "string", omitempty: true, optional: true },
        readOnly: { number: 10, type: "bool", omitempty: true, optional: true },
      },
    },
    StorageOSVolumeSource: {
      fields: {
        volumeName: { number: 1, type: "string", omitempty: true },
        volumeNamespace: { number: 2, type: "string", omitempty: true, optional: true },
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
    },
    ConfigMapVolumeSource: {
      fields: {
        localObjectReference: { number: 1, type: "core/v1.LocalObjectReference", inline: true },
        items: { number: 2, type: "core/v1.KeyToPath", list: true, omitempty: true, optional: true },
        defaultMode: { number: 3, type: "int32", pointer: true, omitempty: true, optional: true },
        optional: { number: 4, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    ConfigMapProjection: {
      fields: {
        localObjectReference: { number: 1, type: "core/v1.LocalObjectReference", inline: true },
        items: { number: 2, type: "core/v1.KeyToPath", list: true, omitempty: true, optional: true },
        optional: { number: 4, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    ServiceAccountTokenProjection: {
      fields: {
        audience: { number: 1, type: "string", omitempty: true, optional: true },
        expirationSeconds: { number: 2, type: "int64", pointer: true, omitempty: true, optional: true },
        path: { number: 3, type: "string" },
      },
    },
    ProjectedVolumeSource: {
      fields: {
        sources: { number: 1, type: "core/v1.VolumeProjection", list: true, optional: true },
        defaultMode: { number: 2, type: "int32", pointer: true, omitempty: true, optional: true },
      },
    },
    VolumeProjection: {
      fields: {
        secret: {
          number: 1,
          type: "core/v1.SecretProjection",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        downwardAPI: {
          number: 2,
          type: "core/v1.DownwardAPIProjection",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        configMap: {
          number: 3,
          type: "core/v1.ConfigMapProjection",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        serviceAccountToken: {
          number: 4,
          type: "core/v1.ServiceAccountTokenProjection",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    KeyToPath: {
      fields: {
        key: { number: 1, type: "string" },
        path: { number: 2, type: "string" },
        mode: { number: 3, type: "int32", pointer: true, omitempty: true, optional: true },
      },
    },
    CSIVolumeSource: {
      fields: {
        driver: { number: 1, type: "string" },
        readOnly: { number: 2, type: "bool", pointer: true, omitempty: true, optional: true },
        fsType: { number: 3, type: "string", pointer: true, omitempty: true, optional: true },
        volumeAttributes: { number: 4, type: "string", map: true, omitempty: true, optional: true },
        nodePublishSecretRef: {
          number: 5,
          type: "core/v1.LocalObjectReference",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    EphemeralVolumeSource: {
      fields: {
        volumeClaimTemplate: {
          number: 1,
          type: "core/v1.PersistentVolumeClaimTemplate",
          pointer: true,
          omitempty: true,
          optional: true,
        },
      },
    },
    DownwardAPIVolumeSource: {
      fields: {
        items: {
          number: 1,
          type: "core/v1.DownwardAPIVolumeFile",
          list: true,
          omitempty: true,
          optional: true,
        },
        defaultMode: { number: 2, type: "int32", pointer: true, omitempty: true, optional: true },
      },
    },
    DownwardAPIVolumeFile: {
      fields: {
        path: { number: 1, type: "string" },
        fieldRef: {
          number: 2,
          type: "core/v1.ObjectFieldSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        resourceFieldRef: {
          number: 3,
          type: "core/v1.ResourceFieldSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        mode: { number: 4, type: "int32", pointer: true, omitempty: true, optional: true },
      },
    },
    DownwardAPIProjection: {
      fields: {
        items: {
          number: 1,
          type: "core/v1.DownwardAPIVolumeFile",
          list: true,
          omitempty: true,
          optional: true,
        },
      },
    },
  };
}
