import { expect, test } from "vitest";
import { toRevision } from "../kv.js";
import { createStoredObject } from "../stored-object.js";
import { createTestCodec, testObject } from "../testing/test-object.js";
import { CacheEvent } from "./cache-event.js";
import { FanOut } from "./fan-out.js";
import { WatcherGroup } from "./watcher-group.js";

const codec = createTestCodec();

function eventAt(revision: number) {
  const key = `a/${revision}`;
  const current = createStoredObject(codec, key, testObject(key, "1"), toRevision(revision));
  const change = {
    key,
    revision: toRevision(revision),
    current,
    previous: undefined,
    recordedAt: 0,
    receivedAt: 0,
  };
  return new CacheEvent(codec, change);
}

test("a reader at the tail holds no event", () => {
  const group = new WatcherGroup(new FanOut());
  const before = group.tail;
  group.append(eventAt(1));
  const between = group.tail;
  group.append(eventAt(2));
  const revisionsFrom = (place: typeof before) =>
    group.unfilteredFrom(place).events.map(({ revision }) => revision);
  expect(revisionsFrom(before)).toEqual([1, 2]);
  expect(revisionsFrom(between)).toEqual([2]);
  expect(revisionsFrom(group.tail)).toEqual([]);
  expect(group.unfilteredFrom(before).end).toBe(group.tail);
  expect(group.tail).toMatchObject({ sequence: 2, event: undefined, next: undefined });
});
