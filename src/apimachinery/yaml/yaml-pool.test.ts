import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { smallBytesMax, YamlPool } from "./yaml-pool.js";
import type { YamlOutcome, YamlTask } from "./yaml-task.js";
import type { YamlThread } from "./yaml-thread.js";

/** A thread that finishes when the test says so. */
class HeldThread {
  readonly begun: string[] = [];
  #finish: (() => void) | undefined;

  run(task: YamlTask): Promise<YamlOutcome> {
    const text = task.kind === "parse" ? Buffer.from(task.yaml).toString().trim() : "";
    this.begun.push(text);
    return new Promise((resolve) => {
      this.#finish = () => resolve({ kind: "parsed", json: new TextEncoder().encode(text), duplicates: [] });
    });
  }

  async finish(): Promise<void> {
    this.#finish?.();
    // Waiting tasks start in the reactions to this.
    await setImmediate();
  }
}

function newPool() {
  const any = new HeldThread();
  const small = new HeldThread();
  // The pool uses nothing else of a thread.
  const threads = { any, small } as unknown as { any: YamlThread; small: YamlThread };
  const pool = new YamlPool(threads);
  const parse = (client: string, text: string, bytes: number, signal?: AbortSignal) => {
    const yaml = Buffer.from(text.padEnd(bytes, " "));
    return pool.run({ kind: "parse", yaml, reportsDuplicates: false }, signal, client);
  };
  return { any, small, parse };
}

const long = smallBytesMax + 1;

test("a short text does not wait for long ones", async () => {
  const { any, small, parse } = newPool();
  for (let i = 0; i < 8; i++) void parse("many", `long ${i}`, long);
  void parse("honest", "short", 1000);
  expect(any.begun).toEqual(["long 0"]);
  expect(small.begun).toEqual(["short"]);
});

test("the client with the least text read is next, and of its texts the shortest", async () => {
  const { any, parse } = newPool();
  for (let i = 0; i < 3; i++) void parse("many", `long ${i}`, long);
  void parse("other", "other long", long + 2);
  void parse("other", "other shorter", long + 1);
  for (let i = 0; i < 4; i++) await any.finish();
  expect(any.begun).toEqual(["long 0", "other shorter", "long 1", "other long", "long 2"]);
});

test("a new client starts level with the client that had the least read", async () => {
  const { any, parse } = newPool();
  for (let i = 0; i < 4; i++) void parse("early", `early ${i}`, long);
  await any.finish();
  await any.finish();
  for (let i = 0; i < 2; i++) void parse("late", `late ${i}`, long);
  for (let i = 0; i < 3; i++) await any.finish();
  expect(any.begun).toEqual(["early 0", "early 1", "early 2", "late 0", "early 3", "late 1"]);
});

test("a client that is gone is not waited for", async () => {
  const { any, parse } = newPool();
  const gone = new AbortController();
  void parse("a", "first", long);
  const second = parse("b", "second", long, gone.signal);
  const third = parse("c", "third", long);
  gone.abort(new Error("gone"));
  await expect(second).rejects.toThrow("gone");
  await any.finish();
  await any.finish();
  expect(await third).toMatchObject({ json: new TextEncoder().encode("third") });
  expect(any.begun).toEqual(["first", "third"]);
});

test("more than a pool holds is 429", async () => {
  const { parse } = newPool();
  for (let i = 0; i < 201; i++) void parse("a", "x", long);
  await expect(parse("b", "x", long)).rejects.toMatchObject({ status: { code: 429 } });
});
