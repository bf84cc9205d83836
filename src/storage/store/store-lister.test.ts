import { expect, test, vi } from "vitest";
import { loopTurns } from "../../event-loop/loop-turns.js";
import type { ListRequest } from "../object-store.js";
import { MemoryStore } from "../testing/memory-store.js";
import { createTestCodec, testObject } from "../testing/test-object.js";
import { createObjectStore } from "./object-store.js";

const all: ListRequest = { prefix: "", at: { kind: "mostRecent" }, limit: 1 };

test("what reading needs is made ready once, with turns in between, where there is something to read", async () => {
  const notes: string[] = [];
  const take = vi.spyOn(loopTurns.work, "take");
  const turnsBefore: number[] = [];
  const step = (name: string) => () => {
    notes.push(name);
    turnsBefore.push(take.mock.calls.length);
  };
  const plain = createTestCodec();
  const codec = {
    ...plain,
    fromStorage(bytes: Uint8Array) {
      notes.push("read");
      return plain.fromStorage(bytes);
    },
    preparation: () => [step("first"), step("second")],
  };
  const store = createObjectStore({ kv: new MemoryStore(), prefix: "/things/", codec });
  await store.list(all);
  expect(notes).toEqual([]);
  await store.create("a", testObject("a", "1"));
  await store.create("b", testObject("b", "2"));
  notes.length = 0;
  const turns = take.mock.calls.length;
  expect((await store.list({ ...all, limit: 0 })).items).toHaveLength(2);
  expect(notes).toEqual(["first", "second", "read", "read"]);
  const [first = 0, second = 0] = turnsBefore;
  expect([first > turns, second > first]).toEqual([true, true]);
  take.mockRestore();
});
