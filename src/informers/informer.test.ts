import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { StoredObject, WatchSink } from "../storage/object-store.js";
import { MemoryStore } from "../storage/testing/memory-store.js";
import { ObjectGround } from "../storage/testing/object-ground.js";
import { openCachedSubject } from "../storage/testing/object-store-subjects.js";
import type { TestObject } from "../storage/testing/test-object.js";
import { ManualClock } from "../time/manual-clock.js";
import type { Followable } from "./follow.js";
import { type Change, Informer } from "./informer.js";
import { namespaceOfKey } from "./informer-index.js";
import { Informers } from "./informers.js";

let ground: ObjectGround;
let informers: Informers;

beforeEach(async () => {
  ground = new ObjectGround(
    await openCachedSubject(async () => {
      const clock = new ManualClock();
      const kv = new MemoryStore({ now: () => clock.now() });
      return { kv, clock, close: () => kv.close() };
    }),
  );
  informers = new Informers();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await informers.stop();
  await ground.close();
});

function addInformer(source: () => Followable<TestObject> = () => ground.store) {
  return informers.add({
    source,
    view: (stored) => stored.decode().value,
    indexes: {
      namespace: (_value, key) => [namespaceOfKey(key)],
      value: (value: string) => value.split(","),
    },
  });
}

test("knows what is there when it has started, and what changes later", async () => {
  await ground.create("a/x", "1");
  await ground.create("b/y", "2");
  const informer = addInformer();
  expect(informer.hasSynced).toBe(false);
  expect(informers.notSynced).toBe(1);
  await informers.start();
  expect(informers.notSynced).toBe(0);
  expect([...informer.values()]).toEqual(["1", "2"]);
  await ground.set("a/x", "3");
  await ground.delete("b/y");
  await ground.create("c", "4");
  await expect.poll(() => [...informer.values()]).toEqual(["3", "4"]);
  expect(informer.get("a/x")).toBe("3");
  expect(informer.get("b/y")).toBeUndefined();
  expect(informer.size).toBe(2);
});

test("an immediate one has seen a change when its writer is answered", async () => {
  const informer = informers.add({
    source: () => ground.store,
    view: (stored) => stored.decode().value,
    immediate: true,
  });
  await informers.start();
  for (let number = 0; number < 20; number += 1) {
    await ground.create(`a/${number}`, "1");
    expect(informer.get(`a/${number}`)).toBe("1");
    await ground.set(`a/${number}`, "2");
    expect(informer.get(`a/${number}`)).toBe("2");
    if (number % 2 === 0) await ground.delete(`a/${number}`);
    expect(informer.get(`a/${number}`)).toBe(number % 2 === 0 ? undefined : "2");
  }
});

test("an immediate one that has synced sees changes at once, even when the fan-out has used up its time", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 10));
  const view = (stored: StoredObject<TestObject>): string => stored.decode().value;
  const informer = informers.add({ source: () => ground.store, view, immediate: true });
  await informers.start();
  await ground.create("a/x", "1");
  expect(informer.get("a/x")).toBe("1");
});

test("finds values by each text of an index, and no longer by those they have lost", async () => {
  await ground.create("a/x", "red,blue");
  await ground.create("a/y", "blue");
  const informer = addInformer();
  await informers.start();
  expect([...informer.find("value", "blue")]).toEqual(["red,blue", "blue"]);
  expect([...informer.find("namespace", "a")]).toHaveLength(2);
  await ground.set("a/x", "green");
  await expect.poll(() => [...informer.find("value", "green")]).toEqual(["green"]);
  expect([...informer.find("value", "red")]).toEqual([]);
  expect([...informer.find("value", "blue")]).toEqual(["blue"]);
  await ground.delete("a/y");
  await expect.poll(() => [...informer.find("value", "blue")]).toEqual([]);
});

test("tells a listener what is there as new, then each change, until it leaves", async () => {
  await ground.create("a/x", "1");
  const informer = addInformer();
  await informers.start();
  const changes: Change<string>[] = [];
  const leave = informer.onChange((change) => changes.push(change));
  await ground.set("a/x", "2");
  await ground.delete("a/x");
  await expect
    .poll(() => changes)
    .toEqual([
      { key: "a/x", value: "1", previous: undefined },
      { key: "a/x", value: "2", previous: "1" },
      { key: "a/x", value: undefined, previous: "2" },
    ]);
  leave();
  await ground.create("a/z", "3");
  await expect.poll(() => informer.get("a/z")).toBe("3");
  expect(changes).toHaveLength(3);
});

test("tells only the differences when its watch was lost", async () => {
  await ground.create("a/kept", "1");
  await ground.create("a/changed", "1");
  await ground.create("a/gone", "1");
  const source = new LosableSource(ground.store);
  const informer = addInformer(() => source);
  await informers.start();
  const changes: Change<string>[] = [];
  informer.onChange((change) => changes.push(change));
  changes.length = 0;
  source.lose();
  await ground.set("a/changed", "2");
  await ground.delete("a/gone");
  await ground.create("a/new", "3");
  await expect.poll(() => changes).toHaveLength(3);
  expect(changes).toEqual(
    expect.arrayContaining([
      { key: "a/changed", value: "2", previous: "1" },
      { key: "a/new", value: "3", previous: undefined },
      { key: "a/gone", value: undefined, previous: "1" },
    ]),
  );
  expect([...informer.find("namespace", "a")].sort()).toEqual(["1", "2", "3"]);
});

test("one that is added to started informers starts at once; a removed one knows nothing new", async () => {
  await informers.start();
  await ground.create("a/x", "1");
  const informer = addInformer();
  await informer.synced;
  expect(informer.get("a/x")).toBe("1");
  await informers.remove(informer);
  const other = addInformer();
  await ground.set("a/x", "2");
  await expect.poll(() => other.get("a/x")).toBe("2");
  expect(informer.get("a/x")).toBe("1");
});

test("one that was never started can be stopped", async () => {
  const informer = new Informer({ source: () => ground.store, view: () => 1 });
  await informer.stop();
  expect(informer.hasSynced).toBe(false);
});

/** A store whose watches a test ends. */
class LosableSource implements Followable<TestObject> {
  readonly #source: Followable<TestObject>;
  #lose: () => void = () => undefined;

  constructor(source: Followable<TestObject>) {
    this.#source = source;
  }

  lose(): void {
    this.#lose();
  }

  async watch(
    request: Parameters<Followable<TestObject>["watch"]>[0],
    sink: WatchSink<TestObject>,
  ): ReturnType<Followable<TestObject>["watch"]> {
    const handle = await this.#source.watch(request, sink);
    this.#lose = () => {
      handle.stop();
      sink.end(undefined);
    };
    return handle;
  }
}
