import { expect, test } from "vitest";
import { hasLocalCommits, toRevision } from "../kv.js";
import { MemoryStore } from "../testing/memory-store.js";
import { createTestCodec, type TestObject, testObject } from "../testing/test-object.js";
import { changeObject, removeObject } from "./change-object.js";
import { createObjectStore } from "./object-store.js";
import { observeStore, type StoreOperation } from "./observed-store.js";

test("what an object store asks for is told by its name, also what fails", async () => {
  const asked: StoreOperation[] = [];
  const kv = observeStore(new MemoryStore(), (operation, milliseconds) => {
    expect(milliseconds).toBeGreaterThanOrEqual(0);
    asked.push(operation);
  });
  const store = createObjectStore<TestObject>({ kv, prefix: "/registry/things/", codec: createTestCodec() });
  await store.create("a/x", testObject("a/x", "1"));
  await expect(store.create("a/x", testObject("a/x", "1"))).rejects.toMatchObject({ code: "KeyExists" });
  await changeObject(store, "a/x", () => ({ object: testObject("a/x", "2") }));
  await store.list({ at: { kind: "mostRecent" }, prefix: "", limit: 0 });
  await store.count();
  await removeObject(store, "a/x");
  await expect(store.get("a/x", { kind: "mostRecent" })).rejects.toMatchObject({ code: "KeyNotFound" });
  await expect(kv.range({ start: "/a", revision: toRevision(999) })).rejects.toThrow();
  expect(asked).toEqual([
    "create",
    "create",
    "get",
    "update",
    "list",
    "listWithCount",
    "get",
    "delete",
    "get",
    "get",
  ]);
});

test("commits can be seen through it where they could before", () => {
  const store = new MemoryStore();
  expect(hasLocalCommits(observeStore(store, () => {}))).toBe(hasLocalCommits(store));
});
