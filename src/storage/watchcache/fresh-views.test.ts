import { expect, test } from "vitest";
import { ManualClock } from "../../time/manual-clock.js";
import { type Revision, toRevision } from "../kv.js";
import { FreshViews } from "./fresh-views.js";
import type { ReflectorState } from "./reflector.js";
import { SortedIndex } from "./sorted-index.js";

/** Views of an empty collection at a revision that the test moves. */
function viewsAt(
  first: number,
  given: { state?: ReflectorState; newest?: () => Revision | Promise<Revision> } = {},
) {
  const clock = new ManualClock();
  const awaited: boolean[] = [];
  let progress = toRevision(first);
  let state = given.state ?? "live";
  const views = new FreshViews<object>({
    reflector: {
      get state() {
        return state;
      },
      get isLive() {
        return state === "live";
      },
      ready: () => {
        state = "loading";
        return Promise.resolve();
      },
      progress: () => progress,
      setAwaited: (isAwaited) => awaited.push(isAwaited),
    },
    cache: {
      index: SortedIndex.empty(),
      recent: {
        covers: (revision) => revision >= first,
        low: toRevision(first),
        snapshotAt: () => SortedIndex.empty(),
        after: () => [],
      },
    },
    feed: { newestRevision: given.newest ?? (() => progress) },
    clock,
    waitMs: 3000,
  });
  const reach = (revision: number): void => {
    progress = toRevision(revision);
    views.progressed();
  };
  return { views, clock, awaited, reach, stateNow: () => state };
}

const notOlderThan = (revision: number) =>
  ({ kind: "notOlderThan", revision: toRevision(revision) }) as const;

test("a recent enough state is returned at once, without a promise", () => {
  const { views } = viewsAt(5);
  for (const view of [
    views.at({ kind: "any" }),
    views.at({ kind: "mostRecent" }),
    views.at(notOlderThan(5)),
    views.exactly(toRevision(5)),
  ]) {
    expect(view).toMatchObject({ revision: 5 });
  }
});

test.each([
  ["not older than it", (views: FreshViews<object>) => views.at(notOlderThan(7))],
  ["at it", (views: FreshViews<object>) => views.exactly(toRevision(7))],
])("a read %s waits for a revision to come, and asks for progress meanwhile", async (_, read) => {
  const { views, awaited, reach } = viewsAt(5);
  const seen = read(views);
  reach(6);
  expect(awaited).toEqual([true]);
  reach(7);
  expect(await seen).toMatchObject({ revision: 7 });
  expect(awaited).toEqual([true, false]);
});

test("a revision that does not come in time is in the future; the most recent one is read from the store instead", async () => {
  const { views, clock } = viewsAt(5, { newest: () => toRevision(9) });
  const asked = [
    Promise.resolve(views.at(notOlderThan(7))),
    Promise.resolve(views.exactly(toRevision(8))),
    Promise.resolve(views.at({ kind: "mostRecent" })),
  ];
  const settled = Promise.allSettled(asked);
  await clock.advance(3000);
  expect(await settled).toMatchObject([
    {
      status: "rejected",
      reason: { code: "FutureRevision", message: "Too large resource version: 7, current: 5" },
    },
    {
      status: "rejected",
      reason: { code: "FutureRevision", message: "Too large resource version: 8, current: 5" },
    },
    { status: "fulfilled", value: undefined },
  ]);
});

test("a state before the recent events is the store's", () => {
  expect(viewsAt(5).views.exactly(toRevision(4))).toBeUndefined();
});

test("the first read of an idle cache begins it", () => {
  const { views, stateNow } = viewsAt(0, { state: "idle" });
  expect(views.at({ kind: "any" })).toBeUndefined();
  expect(stateNow()).toBe("loading");
});
