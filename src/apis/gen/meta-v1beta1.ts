// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { ListMeta, PartialObjectMetadata } from "./meta-v1.js";

export interface PartialObjectMetadataList {
  metadata: ListMeta;
  items?: PartialObjectMetadata[] | undefined;
}
