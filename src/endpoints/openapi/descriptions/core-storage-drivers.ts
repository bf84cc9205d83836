import type { TypeDescriptions } from "./type-descriptions.js";

export const storageDriverTypes: TypeDescriptions = {
  AWSElasticBlockStoreVolumeSource: {
    about: "A disk of AWS Elastic Block Store.",
  },
  AzureDiskVolumeSource: {
    about: "A data disk of Azure.",
  },
  AzureFileVolumeSource: {
    about: "A file share of Azure.",
  },
  AzureFilePersistentVolumeSource: {
    about: "A file share of Azure, for persistent volumes.",
  },
  CephFSVolumeSource: {
    about: "A Ceph file system.",
  },
  CephFSPersistentVolumeSource: {
    about: "A Ceph file system, for persistent volumes.",
  },
  CinderVolumeSource: {
    about: "A Cinder volume of OpenStack.",
  },
  CinderPersistentVolumeSource: {
    about: "A Cinder volume of OpenStack, for persistent volumes.",
  },
  FCVolumeSource: {
    about: "A Fibre Channel volume.",
  },
  FlexVolumeSource: {
    about: "A volume of a Flexvolume driver.",
  },
  FlexPersistentVolumeSource: {
    about: "A volume of a Flexvolume driver, for persistent volumes.",
  },
  FlockerVolumeSource: {
    about: "A Flocker volume.",
  },
  GCEPersistentDiskVolumeSource: {
    about: "A persistent disk of Google Compute Engine.",
  },
  GlusterfsVolumeSource: {
    about: "A GlusterFS volume.",
  },
  GlusterfsPersistentVolumeSource: {
    about: "A GlusterFS volume, for persistent volumes.",
  },
  ISCSIVolumeSource: {
    about: "An iSCSI disk.",
  },
  ISCSIPersistentVolumeSource: {
    about: "An iSCSI disk, for persistent volumes.",
  },
  NFSVolumeSource: {
    about: "A directory of an NFS server.",
  },
  PhotonPersistentDiskVolumeSource: {
    about: "A disk of a Photon controller.",
  },
  PortworxVolumeSource: {
    about: "A Portworx volume.",
  },
  QuobyteVolumeSource: {
    about: "A Quobyte volume.",
  },
  RBDVolumeSource: {
    about: "A Ceph block device.",
  },
  RBDPersistentVolumeSource: {
    about: "A Ceph block device, for persistent volumes.",
  },
  ScaleIOVolumeSource: {
    about: "A ScaleIO volume.",
  },
  ScaleIOPersistentVolumeSource: {
    about: "A ScaleIO volume, for persistent volumes.",
  },
  StorageOSVolumeSource: {
    about: "A StorageOS volume.",
  },
  StorageOSPersistentVolumeSource: {
    about: "A StorageOS volume, for persistent volumes.",
  },
  VsphereVirtualDiskVolumeSource: {
    about: "A disk of vSphere.",
  },
  CSIPersistentVolumeSource: {
    about: "A persistent volume that a CSI driver provides.",
  },
  LocalVolumeSource: {
    about: "Storage that is attached to one node.",
  },
};
