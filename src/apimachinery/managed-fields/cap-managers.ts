import { union } from "./field-set.js";
import { compareText, identityOf, Manager, type Managers, secondsOf } from "./managers.js";

/** Source: the original's limit. */
const updateManagersMax = 10;
const bucketName = "ancient-changes";

/**
 * Joins the oldest managers of updates into one bucket per version, until there are no more than the limit.
 * The first of a version stays as it is until a second one joins it. Changes `managers`.
 */
export function capUpdateManagers(managers: Managers): void {
  const updaters = [...managers.values()].filter((manager) => manager.operation === "Update");
  if (updaters.length <= updateManagersMax) return;
  updaters.sort((a, b) => secondsOf(a.time) - secondsOf(b.time) || compareText(a.identity, b.identity));
  const firstOfVersion = new Map<string, Manager>();
  let count = updaters.length;
  for (const manager of updaters) {
    if (count <= updateManagersMax) return;
    const first = firstOfVersion.get(manager.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(manager.apiVersion, manager);
      continue;
    }
    const identity = {
      name: bucketName,
      operation: "Update" as const,
      apiVersion: manager.apiVersion,
      subresource: "",
    };
    const bucket = identityOf(identity);
    let joined = managers.get(bucket);
    if (joined === undefined) {
      joined = first;
      managers.delete(first.identity);
    }
    managers.delete(manager.identity);
    managers.set(bucket, new Manager(identity, union(manager.set, joined.set), manager.time));
    count--;
  }
}
