import type { MessageDeclaration, TypePackage } from "../../../apimachinery/schema/declaration.js";

export const storageV1alpha1Types: TypePackage = { name: "storage/v1alpha1", declare };

function declare(): { readonly [typeName: string]: MessageDeclaration } {
  return {
    VolumeAttachment: {
      kind: "VolumeAttachment",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        spec: { number: 2, type: "storage/v1alpha1.VolumeAttachmentSpec" },
        status: {
          number: 3,
          type: "storage/v1alpha1.VolumeAttachmentStatus",
          omitempty: true,
          optional: true,
        },
      },
    },
    VolumeAttachmentList: {
      kind: "VolumeAttachmentList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: { number: 2, type: "storage/v1alpha1.VolumeAttachment", list: true },
      },
    },
    VolumeAttachmentSpec: {
      fields: {
        attacher: { number: 1, type: "string" },
        source: { number: 2, type: "storage/v1alpha1.VolumeAttachmentSource" },
        nodeName: { number: 3, type: "string" },
      },
    },
    VolumeAttachmentSource: {
      fields: {
        persistentVolumeName: { number: 1, type: "string", pointer: true, omitempty: true, optional: true },
        inlineVolumeSpec: {
          number: 2,
          type: "core/v1.PersistentVolumeSpec",
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
          type: "storage/v1alpha1.VolumeError",
          pointer: true,
          omitempty: true,
          optional: true,
        },
        detachError: {
          number: 4,
          type: "storage/v1alpha1.VolumeError",
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
      },
    },
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
        },
        storageClassName: { number: 3, type: "string" },
        capacity: { number: 4, type: "Quantity", pointer: true, omitempty: true, optional: true },
        maximumVolumeSize: { number: 5, type: "Quantity", pointer: true, omitempty: true, optional: true },
      },
    },
    CSIStorageCapacityList: {
      kind: "CSIStorageCapacityList",
      fields: {
        metadata: { number: 1, type: "meta/v1.ListMeta", omitempty: true, optional: true },
        items: {
          number: 2,
          type: "storage/v1alpha1.CSIStorageCapacity",
          list: true,
          listType: "map",
          listMapKeys: ["name"],
        },
      },
    },
  };
}
