import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test } from "vitest";
import { serverWriter, WriteScope } from "./write-scope.js";

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const user = { name: "system:admin", uid: "", groups: [], extra: {} };

test("a write of the server waits for a turn when the event loop was blocked for long", async () => {
  const writer = serverWriter(user, new Date());
  const write = new WriteScope(writer, { namespace: "", dryRun: false });
  await nextRound();
  expect(write.beforeStage()).toBeUndefined();
  work(5);
  const turn = write.beforeStage();
  expect(turn).toBeInstanceOf(Promise);
  await turn;
});

test("each stage of a write that takes long waits for a turn of its own", async () => {
  const writer = serverWriter(user, new Date());
  const write = new WriteScope(writer, { namespace: "", dryRun: false });
  await nextRound();
  expect(write.beforeStage()).toBeUndefined();
  for (let stage = 0; stage < 3; stage++) {
    work(5);
    const turn = write.beforeStage();
    expect(turn).toBeInstanceOf(Promise);
    await turn;
  }
});

test("a request is answered without a break", async () => {
  const { audit, receivedAt, signal, warn, annotate, step } = serverWriter(user, new Date());
  const addTime = () => undefined;
  const request = {
    ...{ user, audit, receivedAt, signal, warn, annotate, step },
    ...{ addMutatingWebhookTime: addTime, addValidatingWebhookTime: addTime, addStorageTime: addTime },
  };
  const write = new WriteScope(request, { namespace: "", dryRun: false });
  await nextRound();
  expect(write.beforeStage()).toBeUndefined();
  work(5);
  expect(write.beforeStage()).toBeUndefined();
});
