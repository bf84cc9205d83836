import { expect, test } from "vitest";
import { UserQueue } from "./user-queue.js";

function queueOf(...items: readonly string[]): UserQueue<string> {
  const queue = new UserQueue<string>();
  for (const item of items) queue.add(item.slice(0, 1), item);
  return queue;
}

function taken(queue: UserQueue<string>): string[] {
  const items: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) items.push(item);
  return items;
}

test("users take turns, and each one's items come in order", () => {
  const queue = queueOf("a1", "a2", "a3", "b1", "c1", "b2");
  expect(queue.size).toBe(6);
  expect(taken(queue)).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  expect(queue.size).toBe(0);
});

test("a user that comes back waits behind those that wait already", () => {
  const queue = queueOf("a1", "a2", "b1");
  expect(queue.take()).toBe("a1");
  queue.add("c", "c1");
  expect(taken(queue)).toEqual(["b1", "a2", "c1"]);
});

test("users that may not have a turn keep their places in the line", () => {
  const queue = queueOf("a1", "b1", "c1");
  expect(queue.take((user) => user !== "a")).toBe("b1");
  expect(queue.take(() => false)).toBeUndefined();
  expect(taken(queue)).toEqual(["a1", "c1"]);
});

test("what is removed is not taken, and removing what is not there changes nothing", () => {
  const queue = queueOf("a1", "a2", "b1");
  queue.remove("a", "a1");
  queue.remove("a", "a1");
  queue.remove("x", "a2");
  queue.remove("b", "b1");
  expect(queue.size).toBe(1);
  expect(taken(queue)).toEqual(["a2"]);
});

test("drained, it is empty", () => {
  const queue = queueOf("a1", "b1", "a2");
  expect(queue.drain().toSorted()).toEqual(["a1", "a2", "b1"]);
  expect([queue.size, queue.take()]).toEqual([0, undefined]);
});
