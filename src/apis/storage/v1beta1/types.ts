import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { listKind } from "../../../apimachinery/schema/list-kind.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { storageV1Types } from "../v1/types.js";

/** The same as v1, with storage capacities of its own. */
export const storageV1beta1Types: TypePackage = siblingVersion("storage/v1beta1", storageV1Types, () => ({
  changed: {
    StorageClass: { fields: { volumeBindingMode: { enum: undefined } } },
    CSIDriverSpec: {
      fields: {
        volumeLifecycleModes: { listType: "atomic", before: { "1.30": { listType: undefined } } },
        storageCapacity: {
          featureGate: undefined,
          before: { "1.24": { featureGate: "CSIStorageCapacity" } },
        },
      },
    },
  },
  types: {
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
        storageClassName: { number: 3, type: "string", rules: { immutable: true } },
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
          type: "storage/v1beta1.CSIStorageCapacity",
          list: true,
          before: { "1.30": { listType: "map", listMapKeys: ["name"] } },
        },
      },
    },

    VolumeAttributesClass: {
      kind: "VolumeAttributesClass",
      fields: {
        metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true, optional: true },
        driverName: { number: 2, type: "string" },
        parameters: { number: 3, type: "string", map: true, omitempty: true },
      },
    },
    VolumeAttributesClassList: listKind("storage/v1beta1.VolumeAttributesClass"),
  },
}));
