import { otherNamespace } from "../../apimachinery/errors/status.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ObjectMeta } from "../../apimachinery/objects/meta.js";
import type { RequestInfo } from "../../apimachinery/requests/request-info.js";

/**
 * Prepares the metadata of what is created, stored or not, before admission sees it: the namespace comes from the path (empty if
 * cluster-scoped), and fields that only servers set are cleared. `keepsSystemFields` is for kinds whose uid refers to another object.
 * Nothing changes at levels before 1.24. Throws 400.
 */
export function settleCreatedMetadata(
  metadata: ObjectMeta,
  { namespace }: Pick<RequestInfo, "namespace">,
  level: ApiLevel,
  { keepsSystemFields = false }: { readonly keepsSystemFields?: boolean } = {},
): void {
  if (!isAtLeast(level, "1.24")) return;
  if (!keepsSystemFields) {
    metadata.uid = undefined;
    metadata.creationTimestamp = undefined;
    metadata.deletionTimestamp = undefined;
    metadata.deletionGracePeriodSeconds = undefined;
    metadata.selfLink = undefined;
  }
  const { namespace: sent = "" } = metadata;
  if (namespace !== "" && sent !== "" && sent !== namespace) throw otherNamespace();
  metadata.namespace = namespace === "" ? undefined : namespace;
}
