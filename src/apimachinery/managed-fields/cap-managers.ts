import { compareText } from "../collections/compare-text.js";
import { type FieldSet, unionOf } from "./field-set.js";
import { identityOf, Manager, type ManagerIdentity, type Managers, secondsOf } from "./managers.js";

/** The limit of kube-apiserver. */
const updateManagersMax = 10;
const bucketName = "ancient-changes";

/**
 * Joins the oldest update managers into one bucket per version until at most the limit remain. The first manager of a version stays as
 * it is until a second one joins it. Changes `managers`.
 */
export function capUpdateManagers(managers: Managers): void {
  const updaters = [...managers.values()].filter((manager) => manager.operation === "Update");
  if (updaters.length <= updateManagersMax) return;
  updaters.sort((a, b) => secondsOf(a.time) - secondsOf(b.time) || compareText(a.identity, b.identity));
  const firstOfVersion = new Map<string, Manager>();
  const buckets = new Map<string, Bucket>();
  let count = updaters.length;
  for (const manager of updaters) {
    if (count <= updateManagersMax) break;
    const { apiVersion } = manager;
    const first = firstOfVersion.get(apiVersion);
    if (first === undefined) {
      firstOfVersion.set(apiVersion, manager);
      continue;
    }
    let bucket = buckets.get(apiVersion);
    if (bucket === undefined) {
      bucket = openBucket(managers, apiVersion, first);
      buckets.set(apiVersion, bucket);
    }
    managers.delete(manager.identity);
    bucket.sets.push(manager.set);
    bucket.time = manager.time;
    count--;
  }
  for (const { identity, sets, time } of buckets.values()) {
    managers.set(identityOf(identity), new Manager(identity, unionOf(sets), time));
  }
}

interface Bucket {
  readonly identity: ManagerIdentity;
  readonly sets: FieldSet[];
  time: Manager["time"];
}

/** The bucket's current content; if it is empty, the version's first manager, which moves into it. */
function openBucket(managers: Managers, apiVersion: string, first: Manager): Bucket {
  const identity: ManagerIdentity = { name: bucketName, operation: "Update", apiVersion, subresource: "" };
  const present = managers.get(identityOf(identity));
  if (present === undefined) managers.delete(first.identity);
  const { set, time } = present ?? first;
  return { identity, sets: [set], time };
}
