import type { RequestInfo } from "../../apimachinery/requests/request-info.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import type { Work } from "./fair-queues.js";

/** Statistics on the cost of requests; the registries answer from memory. */
export interface LoadFacts {
  /** Objects of a resource, undefined when unknown. */
  objectCount(group: string, resource: string): number | undefined;
  /** Watches that receive the event of this write. */
  watcherCount(info: RequestInfo): number;
  /** Whether the resource is read from memory. */
  isCached(group: string, resource: string): boolean;
  /** Which watches cost what a list costs, because they begin with the state; default none. */
  readonly watchesAsLists?: "asked" | "all" | undefined;
}

export const oneSeat: Work = { seats: 1, finalSeats: 0, finalMs: 0 };

const seatsMax = 10;
const objectsPerSeat = 100;
const watchersPerSeat = 10;
/** Time per event and seat of watchers. */
const eventMs = 5;

const writes = new Set(["create", "update", "patch", "delete"]);

/**
 * A list takes one seat per hundred objects to examine, at most ten; a write takes one, and after its answer one per ten watches it
 * feeds. Source: kube-apiserver 1.23, flow control's work estimator.
 */
export function estimateWork(info: RequestInfo, query: QueryParameters, facts: LoadFacts): Work {
  if (!info.isResourceRequest) return oneSeat;
  if (info.verb === "list") return listWork(info, query, facts);
  if (writes.has(info.verb)) return writeWork(info, facts);
  if (info.verb === "watch" && beginsWithState(query, facts)) return watchWork(info, facts);
  return oneSeat;
}

function listWork(info: RequestInfo, query: QueryParameters, facts: LoadFacts): Work {
  // With a name it is a lookup.
  if (info.name !== "") return oneSeat;
  const count = facts.objectCount(info.apiGroup, info.resource);
  // An uncountable resource is assumed to be large.
  if (count === undefined) return { ...oneSeat, seats: seatsMax };
  const limit = Number(query.get("limit") ?? 0);
  const isFiltered = query.has("fieldSelector") || query.has("labelSelector");
  const isCached = facts.isCached(info.apiGroup, info.resource);
  // A page from memory costs its objects; one from the store, or with a selector, costs everything read to fill it.
  const objects = limit > 0 ? Math.min(count, isFiltered && !isCached ? count : 2 * limit) : count;
  return { ...oneSeat, seats: clampSeats(objects / objectsPerSeat) };
}

/** `asked`: with `sendInitialEvents`; `all`: also those from no revision, which begin with the state as well. */
function beginsWithState(query: QueryParameters, { watchesAsLists }: LoadFacts): boolean {
  if (watchesAsLists === undefined) return false;
  if (query.get("sendInitialEvents") === "true") return true;
  const revision = query.get("resourceVersion") ?? "";
  return watchesAsLists === "all" && (revision === "" || revision === "0");
}

/** Everything is read from memory, whatever the selectors. */
function watchWork(info: RequestInfo, facts: LoadFacts): Work {
  if (info.name !== "") return oneSeat;
  const count = facts.objectCount(info.apiGroup, info.resource);
  return { ...oneSeat, seats: count === undefined ? seatsMax : clampSeats(count / objectsPerSeat) };
}

function writeWork(info: RequestInfo, facts: LoadFacts): Work {
  const watchers = facts.watcherCount(info);
  if (watchers < watchersPerSeat) return { ...oneSeat, watchers };
  const seats = Math.ceil(watchers / watchersPerSeat);
  return {
    seats: 1,
    finalSeats: Math.min(seats, seatsMax),
    finalMs: (seats * eventMs) / Math.min(seats, seatsMax),
    watchers,
  };
}

function clampSeats(seats: number): number {
  return Math.min(seatsMax, Math.max(1, Math.ceil(seats)));
}
