import { expect, test } from "vitest";
import type { RequestInfo } from "../../apimachinery/requests/request-info.js";
import { estimateWork } from "./work-estimate.js";

function estimate(
  info: Partial<RequestInfo>,
  facts: {
    readonly query?: string;
    readonly objects?: number | undefined;
    readonly watchers?: number;
    readonly cached?: boolean;
    readonly watches?: "asked" | "all";
    /** Bytes of all objects, for lists by size. */
    readonly bytes?: number | "unknown";
    readonly levelSeats?: number;
  },
) {
  const { query = "", watchers = 0, cached = true } = facts;
  const request: RequestInfo = {
    isResourceRequest: true,
    path: "",
    verb: "list",
    apiPrefix: "api",
    apiGroup: "",
    apiVersion: "v1",
    namespace: "",
    resource: "pods",
    subresource: "",
    name: "",
    parts: [],
    ...info,
  };
  const { bytes } = facts;
  const known = {
    objectCount: () => facts.objects,
    objectBytes: () => (bytes === "unknown" ? undefined : bytes),
    listsBySize: bytes !== undefined,
    watcherCount: () => watchers,
    isCached: () => cached,
    watchesAsLists: facts.watches,
  };
  return estimateWork(request, new URLSearchParams(query), known, facts.levelSeats);
}

test.each([
  [{ objects: 0 }, 1],
  [{ objects: 100 }, 1],
  [{ objects: 101 }, 2],
  [{ objects: 100_000 }, 10],
  [{ objects: undefined }, 10],
  [{ objects: 100_000, query: "limit=100" }, 2],
  [{ objects: 100_000, query: "limit=500&labelSelector=a" }, 10],
  [{ objects: 100_000, query: "limit=100&labelSelector=a", cached: false }, 10],
])("a list with %o takes %i seats", (facts, seats) => {
  expect(estimate({}, facts)).toEqual({ seats, finalSeats: 0, finalMs: 0 });
});

test.each([
  [{ objects: 0, bytes: 0 }, 1],
  [{ objects: 100_000, bytes: 50_000 }, 1],
  [{ objects: 10, bytes: 250_000 }, 3],
  // Sent in pieces.
  [{ objects: 10, bytes: 250_000_000 }, 10],
  [{ objects: 10, bytes: 250_000, query: "limit=4" }, 1],
  [{ objects: 100, bytes: 2_500_000, query: "labelSelector=a&limit=4" }, 1],
  [{ objects: 100, bytes: 2_500_000, cached: false }, 25],
  [{ objects: 100, bytes: 2_500_000, cached: false, query: "labelSelector=a&limit=4" }, 13],
  [{ objects: 100, bytes: 2_500_000, cached: false, query: "labelSelector=a&limit=80" }, 20],
  [{ objects: 100, bytes: 250_000_000, cached: false }, 100],
  [{ objects: 100, bytes: 250_000_000, cached: false, levelSeats: 37 }, 37],
  [{ objects: 2, bytes: "unknown", cached: false }, 30],
  [{ objects: undefined, bytes: "unknown", cached: false }, 100],
] as const)("a list by size with %o takes %i seats", (facts, seats) => {
  expect(estimate({}, facts)).toEqual({ seats, finalSeats: 0, finalMs: 0 });
});

test("by size, a list of one name takes what an object does, and a watch what it begins with", () => {
  const facts = { objects: 10, bytes: 2_500_000, cached: false, watches: "all" } as const;
  expect(estimate({ name: "x" }, facts).seats).toBe(3);
  expect(estimate({ verb: "get", name: "x" }, facts).seats).toBe(1);
  expect(estimate({ verb: "watch" }, facts).seats).toBe(10);
});

test("a list takes no more seats than its level gives to one", () => {
  expect(estimate({}, { objects: 100_000, levelSeats: 8 }).seats).toBe(8);
  expect(estimate({}, { objects: 100_000, levelSeats: 40 }).seats).toBe(10);
});

test("a list of one name, a get and a path take one", () => {
  for (const info of [{ name: "x" }, { verb: "get" }, { isResourceRequest: false }]) {
    expect(estimate(info, { objects: 100_000 }).seats).toBe(1);
  }
});

test.each([
  [0, 0, 0],
  [9, 0, 0],
  [10, 1, 5],
  [95, 10, 5],
  // Twice as many seats as available, so it takes twice as long.
  [200, 10, 10],
])("a write that feeds %i watches holds %i seats afterwards, for %i ms", (watchers, finalSeats, finalMs) => {
  expect(estimate({ verb: "create" }, { watchers })).toMatchObject({ seats: 1, finalSeats, finalMs });
});

test.each([
  [undefined, "sendInitialEvents=true", 1],
  ["asked", "sendInitialEvents=true&labelSelector=a", 10],
  ["asked", "", 1],
  ["asked", "resourceVersion=0", 1],
  ["all", "", 10],
  ["all", "resourceVersion=0", 10],
  ["all", "resourceVersion=7", 1],
  ["all", "resourceVersion=7&sendInitialEvents=true", 10],
] as const)(
  "where %s watches cost as lists, one with %j takes %i seats while it starts",
  (watches, query, seats) => {
    const facts = { objects: 100_000, query, ...(watches !== undefined && { watches }) };
    expect(estimate({ verb: "watch" }, facts).seats).toBe(seats);
    expect(estimate({ verb: "watch", name: "x" }, facts).seats).toBe(1);
  },
);
