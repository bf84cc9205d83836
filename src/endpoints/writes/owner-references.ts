import type { ApiObject } from "../../apimachinery/objects/meta.js";

const advice =
  "API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed:";

/**
 * Removes duplicate owner references in place, and warns. `after` says which step found them. Source: Kubernetes' handlers of create,
 * update and patch.
 */
export function dropRepeatedOwners(
  object: ApiObject,
  request: { warn(text: string): void },
  after = "",
): void {
  const owners = object.metadata.ownerReferences;
  if (owners === undefined || owners.length < 2) return;
  const seen = new Set<string>();
  const repeated = new Set<string>();
  const kept = owners.filter((owner) => {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner;
    const identity = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (!seen.has(identity)) return seen.add(identity);
    repeated.add(uid);
    return false;
  });
  if (repeated.size === 0) return;
  object.metadata.ownerReferences = kept;
  request.warn(
    `.metadata.ownerReferences contains duplicate entries${after}; ${advice} ${[...repeated].join(",")}`,
  );
}

export const afterAdmission = " after mutating admission happens";
