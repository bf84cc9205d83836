import type { RequestInfo } from "../../apimachinery/requests/request-info.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import type { Work } from "./seat.js";

/** Statistics about the cost of requests. The registries answer from memory. */
export interface LoadFacts {
  /** Objects of a resource, undefined when unknown. */
  objectCount(group: string, resource: string): number | undefined;
  /** Bytes of all of them, undefined when unknown. */
  objectBytes(group: string, resource: string): number | undefined;
  /** Whether the cost of a list depends on the size of its objects instead of their number. */
  readonly listsBySize?: boolean | undefined;
  /** Watches that receive the event of this write. */
  watcherCount(info: RequestInfo): number;
  /** Whether the resource is read from memory. */
  isCached(group: string, resource: string): boolean;
  /** Which watches cost as much as a list, because they begin with the state; default none. */
  readonly watchesAsLists?: "asked" | "all" | undefined;
}

export const oneSeat: Work = { seats: 1, finalSeats: 0, finalMs: 0 };

const seatsMax = 10;
const objectsPerSeat = 100;
const seatsMaxBySize = 100;
const bytesPerSeat = 100_000;
/** What a list keeps in memory at most, because it is sent in pieces. */
const cachedBytesMax = 1_000_000;
/** Assumed when sizes are unknown. */
const objectBytesMax = 1_500_000;
const watchersPerSeat = 10;
/** Time per event and seat of watchers. */
const eventMs = 5;

const writes = new Set(["create", "update", "patch", "delete"]);

/**
 * A list takes one seat per hundred objects to examine, or per 100 kB to hold in memory; a write takes one, and after its answer one per
 * ten watches it feeds. `levelSeatsMax`: the most seats that a list may take of its priority level. Source: kube-apiserver, flow control's
 * work estimator.
 */
export function estimateWork(
  info: RequestInfo,
  query: QueryParameters,
  facts: LoadFacts,
  levelSeatsMax = Number.POSITIVE_INFINITY,
): Work {
  if (!info.isResourceRequest) return oneSeat;
  if (writes.has(info.verb)) return writeWork(info, facts);
  const isList = info.verb === "list" || (info.verb === "watch" && beginsWithState(query, facts));
  // With a name it is a lookup.
  if (!isList || (info.name !== "" && facts.listsBySize !== true)) return oneSeat;
  const most = Math.min(levelSeatsMax, facts.listsBySize === true ? seatsMaxBySize : seatsMax);
  const seats =
    facts.listsBySize === true ? seatsBySize(info, query, facts) : seatsByNumber(info, query, facts);
  return { ...oneSeat, seats: Math.min(most, Math.max(1, Math.ceil(seats))) };
}

/** Infinite when the resource cannot be counted, which is assumed to be large. */
function seatsByNumber(info: RequestInfo, query: QueryParameters, facts: LoadFacts): number {
  const count = facts.objectCount(info.apiGroup, info.resource);
  if (count === undefined) return Number.POSITIVE_INFINITY;
  // A watch reads everything from memory, whatever the selectors.
  const limit = info.verb === "list" ? limitOf(query) : 0;
  // A page from memory costs as many objects as it has; from the store, or with a selector, everything read to fill it.
  const examinesAll = isFiltered(query) && !facts.isCached(info.apiGroup, info.resource);
  return (limit > 0 ? Math.min(count, examinesAll ? count : 2 * limit) : count) / objectsPerSeat;
}

function seatsBySize(info: RequestInfo, query: QueryParameters, facts: LoadFacts): number {
  const { apiGroup, resource, name } = info;
  const count = facts.objectCount(apiGroup, resource) ?? Number.POSITIVE_INFINITY;
  if (count === 0) return 1;
  const bytes = facts.objectBytes(apiGroup, resource);
  const average = bytes === undefined ? objectBytesMax : bytes / count;
  const isCached = info.verb === "watch" || facts.isCached(apiGroup, resource);
  const limit = limitOf(query);
  const asked = limit > 0 ? Math.min(limit, count) : count;
  const held = isFiltered(query) && !isCached ? Math.max(asked, count / 2) : asked;
  const bytesAtOnce = average * (name === "" ? held : 1);
  return (isCached ? Math.min(bytesAtOnce, cachedBytesMax) : bytesAtOnce) / bytesPerSeat;
}

function limitOf(query: QueryParameters): number {
  return Number(query.get("limit") ?? 0);
}

function isFiltered(query: QueryParameters): boolean {
  return query.has("fieldSelector") || query.has("labelSelector");
}

/** `asked`: with `sendInitialEvents`; `all`: also those without a revision, which begin with the state as well. */
function beginsWithState(query: QueryParameters, { watchesAsLists }: LoadFacts): boolean {
  if (watchesAsLists === undefined) return false;
  if (query.get("sendInitialEvents") === "true") return true;
  const revision = query.get("resourceVersion") ?? "";
  return watchesAsLists === "all" && (revision === "" || revision === "0");
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
