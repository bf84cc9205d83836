import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { storageV1beta1Types } from "../v1beta1/types.js";

/** Volume attachments and storage capacities only. */
export const storageV1alpha1Types: TypePackage = siblingVersion(
  "storage/v1alpha1",
  storageV1beta1Types,
  () => ({
    without: [
      "StorageClass",
      "StorageClassList",
      "CSIDriver",
      "CSIDriverList",
      "CSIDriverSpec",
      "TokenRequest",
      "CSINode",
      "CSINodeSpec",
      "CSINodeDriver",
      "VolumeNodeResources",
      "CSINodeList",
    ],
  }),
);
