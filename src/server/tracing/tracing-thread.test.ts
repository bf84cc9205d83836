import { afterEach, expect, test } from "vitest";
import { TracingThread } from "./tracing-thread.js";

let thread: TracingThread;
let failures: string[] = [];

afterEach(async () => {
  await thread.close(1000);
  failures = [];
});

/** Starts a thread that runs this function instead of its program. */
function startThread(program: string): void {
  const source = `import { parentPort, workerData } from "node:worker_threads"; ${program}`;
  const destination = { endpoint: "http://localhost:1", service: { name: "a", version: "1", instance: "i" } };
  thread = new TracingThread(
    new URL(`data:text/javascript,${encodeURIComponent(source)}`),
    destination,
    (reason) => failures.push(reason),
  );
}

const megabyte = "x".repeat(1024 * 1024);
const answersClose = 'if (typeof sent !== "string") parentPort.postMessage("closed");';

test("batches are dropped while the thread accepts none, and their number is reported afterwards", async () => {
  startThread(`parentPort.on("message", (sent) => { ${answersClose} });`);
  for (let sent = 0; sent < 20; sent++) thread.send(megabyte);
  expect(failures).toEqual([]);
  // It fits beside the sixteen.
  thread.send("");
  expect(failures).toEqual(["dropped 4 batches of spans"]);
});

test("a batch that was taken makes room", async () => {
  startThread(
    `parentPort.on("message", (sent) => { ${answersClose} else { Atomics.add(workerData.taken, 0, 1); parentPort.postMessage({ failure: "took one" }); } });`,
  );
  for (let sent = 0; sent < 16; sent++) thread.send(megabyte);
  await expect.poll(() => failures).toHaveLength(16);
  for (let sent = 0; sent < 16; sent++) thread.send(megabyte);
  await expect.poll(() => failures).toHaveLength(32);
  expect(new Set(failures)).toEqual(new Set(["took one"]));
});

test("a failed thread is reported, and later spans are dropped", async () => {
  startThread('throw new Error("no collector is so strange");');
  await expect.poll(() => failures).toEqual(["no collector is so strange"]);
  thread.send("[]");
  expect(failures).toHaveLength(1);
});

test("closing gives up a thread that does not answer", async () => {
  startThread('parentPort.on("message", () => undefined);');
  await thread.close(10);
});
