import { expect, test } from "vitest";
import { toRevision } from "../kv.js";
import { createStoredObject } from "../stored-object.js";
import { createTestCodec, type TestObject, testObject } from "../testing/test-object.js";
import { CacheEvent } from "./cache-event.js";
import { EventWindow } from "./event-window.js";
import { SortedIndex } from "./sorted-index.js";

const codec = createTestCodec();

function stored(revision: number, value = String(revision)) {
  return createStoredObject(codec, "a/x", testObject("a/x", value), toRevision(revision));
}

function push(window: EventWindow<TestObject>, revision: number, recordedAt: number): void {
  const current = stored(revision);
  const snapshot = SortedIndex.fromSorted(["a/x"], [current]);
  const previous = stored(revision - 1);
  const change = { key: "a/x", revision: toRevision(revision), current, previous, recordedAt, receivedAt: 0 };
  window.push(new CacheEvent(codec, change), snapshot);
}

/** Of an object that had `bytes`. */
function pushDeletion(window: EventWindow<TestObject>, revision: number, bytes: number): void {
  const previous = stored(revision - 1, "x".repeat(bytes));
  const change = {
    key: "a/x",
    revision: toRevision(revision),
    current: undefined,
    previous,
    recordedAt: 0,
    receivedAt: 0,
  };
  window.push(new CacheEvent(codec, change), SortedIndex.empty());
}

function revisionsAfter(window: EventWindow<TestObject>, revision: number): number[] {
  return window.after(toRevision(revision)).map((held) => held.revision);
}

test("grows while events are fresh, loses the oldest when they are not, and shrinks again", () => {
  const window = new EventWindow<TestObject>(4);
  window.reset(toRevision(100), SortedIndex.empty());
  let now = 0;
  for (let revision = 101; revision <= 116; revision++) push(window, revision, now);
  expect(window.capacity).toBe(16);
  expect(window.low).toBe(100);
  now += 80_000;
  push(window, 117, now);
  expect(window.capacity).toBe(8);
  expect(window.low).toBe(109);
  expect(revisionsAfter(window, 109)).toEqual([110, 111, 112, 113, 114, 115, 116, 117]);
  for (let revision = 118; revision <= 120; revision++) push(window, revision, now);
  expect(window.capacity).toBe(4);
  expect(revisionsAfter(window, window.low)).toEqual([117, 118, 119, 120]);
  push(window, 121, now);
  expect(window.capacity).toBe(8);
});

test("knows the state at every revision it covers", () => {
  const window = new EventWindow<TestObject>(2);
  window.reset(toRevision(10), SortedIndex.empty());
  for (const revision of [12, 15, 20]) push(window, revision, revision * 100_000);
  expect(window.low).toBe(12);
  expect(window.covers(toRevision(11))).toBe(false);
  const valueAt = (revision: number): string | undefined =>
    window.snapshotAt(toRevision(revision)).get("a/x")?.decode().value;
  expect([12, 14, 15, 19, 20, 99].map(valueAt)).toEqual(["12", "12", "15", "15", "20", "20"]);
  expect(revisionsAfter(window, 14)).toEqual([15, 20]);
  expect(revisionsAfter(window, 20)).toEqual([]);
});

test("gives back what busy times took, without new events", () => {
  const window = new EventWindow<TestObject>(4);
  window.reset(toRevision(100), SortedIndex.empty());
  for (let revision = 101; revision <= 116; revision++) push(window, revision, revision * 1000);
  window.expire(180_000);
  expect([window.length, window.capacity, window.low]).toEqual([12, 16, 104]);
  window.expire(1_000_000);
  expect([window.length, window.capacity, window.low]).toEqual([4, 4, 112]);
  expect(window.isGrown).toBe(false);
  expect(window.snapshotAt(toRevision(112)).get("a/x")?.revision).toBe(112);
  expect(revisionsAfter(window, 112)).toEqual([113, 114, 115, 116]);
});

test("holds no more bytes than it may, whatever the capacity", () => {
  const window = new EventWindow<TestObject>(1000, 5000);
  window.reset(toRevision(0), SortedIndex.empty());
  for (let revision = 1; revision <= 100; revision++) push(window, revision, 0);
  expect(window.length).toBe(4);
  expect(window.low).toBe(96);
  expect(revisionsAfter(window, 96)).toEqual([97, 98, 99, 100]);
});

test("counts what was deleted: nothing else keeps it", () => {
  const window = new EventWindow<TestObject>(1000, 1_000_000);
  window.reset(toRevision(0), SortedIndex.empty());
  for (let revision = 1; revision <= 100; revision++) pushDeletion(window, revision, 100_000);
  // Watchers of a deletion take as much again.
  expect(revisionsAfter(window, window.low)).toEqual([97, 98, 99, 100]);
});

test("gives large objects back when their events are no longer recent, however few they are", () => {
  const window = new EventWindow<TestObject>(100);
  window.reset(toRevision(0), SortedIndex.empty());
  for (let revision = 1; revision <= 10; revision++) pushDeletion(window, revision, 200_000);
  expect(window.isGrown).toBe(true);
  window.expire(70_000);
  expect(window.length).toBe(10);
  window.expire(80_000);
  expect(revisionsAfter(window, window.low)).toEqual([9, 10]);
  expect(window.isGrown).toBe(false);
  expect(window.snapshotAt(toRevision(10)).size).toBe(0);
});

test("knows every state among hundreds of events, changes and deletions of many keys", () => {
  const window = new EventWindow<TestObject>(400);
  window.reset(toRevision(0), SortedIndex.empty());
  let index = SortedIndex.empty<ReturnType<typeof createStoredObject<TestObject>>>();
  const states = [index];
  for (let revision = 1; revision <= 600; revision++) {
    const key = `a/${(revision * 7) % 31}`;
    const previous = index.get(key);
    const isDeletion = revision % 5 === 0 && previous !== undefined;
    const current = isDeletion
      ? undefined
      : createStoredObject(codec, key, testObject(key, String(revision)), toRevision(revision));
    index = current === undefined ? index.delete(key) : index.set(key, current);
    states.push(index);
    const change = {
      key,
      revision: toRevision(revision),
      current,
      previous,
      recordedAt: revision * 200_000,
      receivedAt: 0,
    };
    window.push(new CacheEvent(codec, change), index);
  }
  for (let revision = window.low; revision <= 600; revision++) {
    const known = [...window.snapshotAt(toRevision(revision)).values("")].map((object) => object.revision);
    expect(known).toEqual([...(states[revision]?.values("") ?? [])].map((object) => object.revision));
  }
});
