import { afterEach, beforeEach, expect, test } from "vitest";
import { TestCluster } from "../testing/test-cluster.js";

let ground: TestCluster;

beforeEach(async () => {
  ground = new TestCluster();
  await ground.start();
});

afterEach(() => ground.stop());

const subject = { apiVersion: "v1", kind: "Pod", namespace: "ns", name: "a", uid: "u" };

async function events() {
  const list = { prefix: "ns/", at: { kind: "mostRecent" }, limit: 0 } as const;
  const { items } = await ground.cluster.context.builtin("events").list(list);
  return items.map((stored) => stored.decode()).map(({ reason, message, count }) => [reason, message, count]);
}

test("repeated events are counted, before they are written and after that", async () => {
  const recorder = ground.cluster.recorder("test");
  const record = () => recorder.record(subject, "Normal", "Started", "once more");
  record();
  record();
  recorder.record(subject, "Normal", "Started", "another");
  await expect.poll(events).toEqual([
    ["Started", "once more", 2],
    ["Started", "another", 1],
  ]);
  record();
  await expect.poll(async () => (await events())[0]).toEqual(["Started", "once more", 3]);
});

test("a source that has much to say about an object is cut off", async () => {
  const recorder = ground.cluster.recorder("test");
  for (let number = 0; number < 40; number++) recorder.record(subject, "Normal", "Said", `${number}`);
  await expect.poll(async () => (await events()).length).toBe(25);
});

test("events give way to components that have something to do", async () => {
  const done: (() => void)[] = [];
  const work = ground.cluster.activity.during(() => new Promise<void>((resolve) => done.push(resolve)));
  ground.cluster.recorder("test").record(subject, "Normal", "Started", "late");
  await ground.registries.create("namespaces", { metadata: { name: "meanwhile" } });
  expect(await events()).toEqual([]);
  for (const resolve of done) resolve();
  await work;
  await expect.poll(events).toEqual([["Started", "late", 1]]);
});
