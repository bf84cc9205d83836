import { type TypeDescriptions, withDescriptions } from "../../../apimachinery/schema/type-descriptions.js";
import { storageV1Descriptions } from "../v1/descriptions.js";

export const storageV1beta1Descriptions: TypeDescriptions = withDescriptions(storageV1Descriptions, {
  CSIStorageCapacity: {
    about: "How much storage of a class is left in a part of the cluster.",
    fields: {
      capacity: "How much storage is left. Unset: unknown, which counts as none.",
      maximumVolumeSize: "The largest volume that can be made. Unset: capacity is the limit known.",
      nodeTopology:
        "Labels of the nodes that reach the storage. Empty: all nodes; unset: none. Cannot be changed.",
      storageClassName: "The storage class that the numbers are for. Cannot be changed.",
    },
  },
});
