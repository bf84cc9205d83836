import { withCondition } from "../../apimachinery/objects/conditions.js";
import { timestamp } from "../../apimachinery/values/time.js";
import type {
  ServerStorageVersion,
  StorageVersionStatus,
} from "../../apis/gen/apiserverinternal-v1alpha1.js";

const conditionType = "AllEncodingVersionsEqual";

/** Adds or replaces the entry of a server. */
export function withServer(
  status: StorageVersionStatus,
  server: ServerStorageVersion,
  now: Date,
): StorageVersionStatus {
  const known = status.storageVersions ?? [];
  const isKnown = known.some(({ apiServerID }) => apiServerID === server.apiServerID);
  const servers = isKnown
    ? known.map((each) => (each.apiServerID === server.apiServerID ? server : each))
    : [...known, server];
  return withServers(status, servers, now);
}

/**
 * The status with these servers: the version that all of them write, if they agree, and the condition that says so. Source: kube-apiserver
 * 1.23, `pkg/storageversion`.
 */
export function withServers(
  status: StorageVersionStatus,
  storageVersions: ServerStorageVersion[],
  now: Date,
): StorageVersionStatus {
  const [first, ...others] = storageVersions.map(({ encodingVersion }) => encodingVersion);
  const isCommon = first !== undefined && others.every((version) => version === first);
  const condition = {
    type: conditionType,
    status: isCommon ? "True" : "False",
    reason: isCommon ? "CommonEncodingVersionSet" : "CommonEncodingVersionUnset",
    message: isCommon ? "Common encoding version set" : "Common encoding version unset",
  };
  return {
    storageVersions,
    commonEncodingVersion: isCommon ? first : undefined,
    conditions: withCondition(status.conditions, condition, timestamp(now)),
  };
}
