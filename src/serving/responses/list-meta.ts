import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ListMeta } from "../../apimachinery/objects/meta.js";

/** `continue` is left out only where it is undefined. */
export function listMetaJson(metadata: ListMeta): JsonObject {
  const { resourceVersion, remainingItemCount, selfLink, shardInfo } = metadata;
  return {
    ...(selfLink !== undefined && { selfLink }),
    ...(resourceVersion !== undefined && resourceVersion !== "" && { resourceVersion }),
    ...(metadata.continue !== undefined && { continue: metadata.continue }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
    ...(shardInfo !== undefined && { shardInfo }),
  };
}
