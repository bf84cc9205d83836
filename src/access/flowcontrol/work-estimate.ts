import type { RequestInfo } from "../../apimachinery/request-info.js";
import type { Work } from "./fair-queues.js";

/** What is known of the cost of requests; the registries answer from memory. */
export interface LoadFacts {
  /** Objects of a resource, undefined when unknown. */
  objectCount(group: string, resource: string): number | undefined;
  /** Watches that an event of this write is sent to. */
  watcherCount(info: RequestInfo): number;
  /** Whether reads of the resource are answered from memory. */
  isCached(group: string, resource: string): boolean;
}

export const oneSeat: Work = { seats: 1, finalSeats: 0, finalMs: 0 };

const seatsMax = 10;
const objectsPerSeat = 100;
const watchersPerSeat = 10;
/** What an event costs for each seat of watchers. */
const eventMs = 5;

const writes = new Set(["create", "update", "patch", "delete"]);

/**
 * A list takes a seat for each hundred objects that have to be looked at, at most ten; a write takes one, and after its answer one
 * for each ten watches it feeds. Source: kube-apiserver 1.23, flow control's work estimator.
 */
export function estimateWork(info: RequestInfo, query: URLSearchParams, facts: LoadFacts): Work {
  if (!info.isResourceRequest) return oneSeat;
  if (info.verb === "list") return listWork(info, query, facts);
  if (writes.has(info.verb)) return writeWork(info, facts);
  return oneSeat;
}

function listWork(info: RequestInfo, query: URLSearchParams, facts: LoadFacts): Work {
  // With a name it is a lookup.
  if (info.name !== "") return oneSeat;
  const count = facts.objectCount(info.apiGroup, info.resource);
  // Nothing is known of a resource that cannot be counted: take it to be large.
  if (count === undefined) return { ...oneSeat, seats: seatsMax };
  const limit = Number(query.get("limit") ?? 0);
  const isFiltered = query.has("fieldSelector") || query.has("labelSelector");
  const isCached = facts.isCached(info.apiGroup, info.resource);
  // A chunk from memory costs its objects; one from the store, or behind a selector, what is read to fill it.
  const objects = limit > 0 ? Math.min(count, isFiltered && !isCached ? count : 2 * limit) : count;
  return { ...oneSeat, seats: clampSeats(objects / objectsPerSeat) };
}

function writeWork(info: RequestInfo, facts: LoadFacts): Work {
  const watchers = facts.watcherCount(info);
  if (watchers < watchersPerSeat) return oneSeat;
  const seats = Math.ceil(watchers / watchersPerSeat);
  return {
    seats: 1,
    finalSeats: Math.min(seats, seatsMax),
    finalMs: (seats * eventMs) / Math.min(seats, seatsMax),
  };
}

function clampSeats(seats: number): number {
  return Math.min(seatsMax, Math.max(1, Math.ceil(seats)));
}
