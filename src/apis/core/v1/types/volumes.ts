import type { MessageDeclaration } from "../../../../apimachinery/schema/declaration.js";

/** Volumes of pods. */
export function declareVolumesTypes(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    PersistentVolumeClaimTemplate: {
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "core/v1.PersistentVolumeClaimSpec" },
      },
    },
    Volume: {
      fields: {
        name: { number: 1, type: "string", rules: { required: true } },
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
        image: {
          number: 30,
          type: "core/v1.ImageVolumeSource",
          pointer: true,
          omitempty: true,
          optional: true,
          since: "1.31",
        },
      },
    },
    PersistentVolumeClaimVolumeSource: {
      fields: {
        claimName: { number: 1, type: "string", rules: { required: true } },
        readOnly: { number: 2, type: "bool", omitempty: true, optional: true },
      },
    },
    HostPathVolumeSource: {
      fields: {
        path: { number: 1, type: "string", rules: { required: true } },
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
    GitRepoVolumeSource: {
      fields: {
        repository: { number: 1, type: "string", rules: { required: true } },
        revision: { number: 2, type: "string", omitempty: true, optional: true },
        directory: { number: 3, type: "string", omitempty: true, optional: true },
      },
    },
    SecretVolumeSource: {
      fields: {
        secretName: { number: 1, type: "string", omitempty: true, optional: true, rules: { required: true } },
        items: {
          number: 2,
          type: "core/v1.KeyToPath",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        defaultMode: { number: 3, type: "int32", pointer: true, omitempty: true, optional: true },
        optional: { number: 4, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    SecretProjection: {
      fields: {
        localObjectReference: { number: 1, type: "core/v1.LocalObjectReference", inline: true },
        items: {
          number: 2,
          type: "core/v1.KeyToPath",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        optional: { number: 4, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    ConfigMapVolumeSource: {
      fields: {
        localObjectReference: { number: 1, type: "core/v1.LocalObjectReference", inline: true },
        items: {
          number: 2,
          type: "core/v1.KeyToPath",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
        defaultMode: { number: 3, type: "int32", pointer: true, omitempty: true, optional: true },
        optional: { number: 4, type: "bool", pointer: true, omitempty: true, optional: true },
      },
    },
    ConfigMapProjection: {
      fields: {
        localObjectReference: { number: 1, type: "core/v1.LocalObjectReference", inline: true },
        items: {
          number: 2,
          type: "core/v1.KeyToPath",
          list: true,
          omitempty: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
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
        sources: {
          number: 1,
          type: "core/v1.VolumeProjection",
          list: true,
          optional: true,
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
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
        clusterTrustBundle: {
          number: 5,
          type: "core/v1.ClusterTrustBundleProjection",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "ClusterTrustBundleProjection",
          since: "1.29",
        },
        podCertificate: {
          number: 6,
          type: "core/v1.PodCertificateProjection",
          pointer: true,
          omitempty: true,
          optional: true,
          featureGate: "PodCertificateRequest",
          since: "1.34",
        },
      },
    },
    KeyToPath: {
      fields: {
        key: { number: 1, type: "string", rules: { required: true } },
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
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
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
          listType: "atomic",
          before: { "1.30": { listType: undefined } },
        },
      },
    },

    ClusterTrustBundleProjection: {
      fields: {
        name: { number: 1, type: "string", pointer: true, omitempty: true, optional: true },
        signerName: { number: 2, type: "string", pointer: true, omitempty: true, optional: true },
        labelSelector: {
          number: 3,
          type: "meta/v1.LabelSelector",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        optional: { number: 5, type: "bool", pointer: true, omitempty: true, optional: true },
        path: { number: 4, type: "string" },
      },
    },
    ImageVolumeSource: {
      fields: {
        reference: { number: 1, type: "string", omitempty: true, optional: true },
        pullPolicy: {
          number: 2,
          type: "string",
          omitempty: true,
          optional: true,
          enum: ["Always", "Never", "IfNotPresent"],
          elementName: "v1.PullPolicy",
        },
      },
    },
    ImageVolumeStatus: {
      fields: { imageRef: { number: 1, type: "string", omitempty: true, required: true } },
    },
    PodCertificateProjection: {
      fields: {
        signerName: { number: 1, type: "string", omitempty: true, required: true },
        keyType: { number: 2, type: "string", omitempty: true, required: true },
        maxExpirationSeconds: { number: 3, type: "int32", pointer: true, omitempty: true, optional: true },
        credentialBundlePath: { number: 4, type: "string", omitempty: true, optional: true },
        keyPath: { number: 5, type: "string", omitempty: true, optional: true },
        certificateChainPath: { number: 6, type: "string", omitempty: true, optional: true },
        userAnnotations: { number: 7, type: "string", map: true, omitempty: true, since: "1.35" },
      },
    },
  };
}
