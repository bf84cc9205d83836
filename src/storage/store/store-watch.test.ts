import { expect, test } from "vitest";
import { MemoryStore } from "../testing/memory-store.js";
import { RecordedSink } from "../testing/recorded-sink.js";
import { createTestCodec, type TestObject, testObject } from "../testing/test-object.js";
import { UnreadableDeletion, UnreadableObject, UnreadableObjects } from "../unreadable-object.js";
import { createObjectStore } from "./object-store.js";

const prefix = "/registry/things/";

async function withGarbage(namesUnreadable: boolean) {
  const kv = new MemoryStore();
  const store = createObjectStore<TestObject>({ kv, prefix, codec: createTestCodec(), namesUnreadable });
  await store.create("a/x", testObject("a/x", "1"));
  const put = (key: string) =>
    kv.transact({
      compare: [],
      success: [{ kind: "put", key: prefix + key, value: Buffer.from("garbage"), lease: undefined }],
      failure: [],
    });
  return { kv, store, put };
}

/** Why a watch ends if an unreadable value is written or deleted meanwhile. */
async function endOfWatch(namesUnreadable: boolean, change: "put" | "delete") {
  const { kv, store, put } = await withGarbage(namesUnreadable);
  if (change === "delete") await put("a/y");
  const sink = new RecordedSink();
  const revision = await kv.currentRevision();
  const start = { kind: "exact", revision } as const;
  await store.watch({ prefix: "", bookmarks: false, start }, sink);
  if (change === "put") await put("a/y");
  else expect(await store.removeUnreadable("a/y")).toBe(true);
  return await sink.untilEnded();
}

test.each([true, false])("an event of what is no object ends the watch with why", async (names) => {
  const error = await endOfWatch(names, "put");
  expect(error).toBeInstanceOf(UnreadableObject);
  expect(error).toMatchObject({ code: "Corrupt" });
});

test("the deletion of what is no object ends it too, and is told as such where such objects are named", async () => {
  expect(await endOfWatch(false, "delete")).toBeInstanceOf(UnreadableObject);
  const error = await endOfWatch(true, "delete");
  expect(error).toBeInstanceOf(UnreadableDeletion);
  expect(error?.message).toMatch(
    /^saw a DELETED event, but object data is corrupt - object not decodable revision=\d+: /,
  );
});

test("a list names a hundred objects that cannot be read, and says when there are more", async () => {
  const { store, put } = await withGarbage(true);
  const listed = () =>
    store.list({ prefix: "", at: { kind: "mostRecent" }, limit: 0 }).catch((error: unknown) => error);
  for (let n = 0; n < 100; n++) await put(`a/y${n}`);
  const all = await listed();
  expect(all).toBeInstanceOf(UnreadableObjects);
  expect(all).toMatchObject({ isCut: false, objects: { length: 100 } });
  await put("a/z");
  expect(await listed()).toMatchObject({ isCut: true, objects: { length: 100 } });
});

test("an object that can be read, or does not exist, is not removed", async () => {
  const { store } = await withGarbage(true);
  expect(await store.removeUnreadable("a/x")).toBe(false);
  expect((await store.get("a/x", { kind: "mostRecent" })).key).toBe("a/x");
  await expect(store.removeUnreadable("a/y")).rejects.toMatchObject({ code: "KeyNotFound" });
});
