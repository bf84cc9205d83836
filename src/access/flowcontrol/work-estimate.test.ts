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
  return estimateWork(request, new URLSearchParams(query), {
    objectCount: () => facts.objects,
    watcherCount: () => watchers,
    isCached: () => cached,
    watchesAsLists: facts.watches,
  });
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
