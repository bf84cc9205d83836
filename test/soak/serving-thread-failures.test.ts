import { once } from "node:events";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { linesUntil, OneConnection } from "../support/one-connection.js";
import { inspectable, ThreadInspector } from "../support/thread-inspector.js";
import { endTwoThreads, metricValue, startTwoThreads } from "../support/two-threads.js";

const configMaps = "/api/v1/namespaces/default/configmaps";
const ended = (reason: string): string => `apiserver_serving_threads_ended_total{reason="${reason}"}`;

const inspectors: ThreadInspector[] = [];
afterEach(async () => {
  // A process waits for its inspectors before it ends.
  for (const inspector of inspectors.splice(0)) inspector.close();
  await endTwoThreads();
});

async function start() {
  const scene = await startTwoThreads({ env: inspectable });
  const inspector = await ThreadInspector.open(scene.server);
  inspectors.push(inspector);
  await expect.poll(() => inspector.knows("reader")).toBe(true);
  return { ...scene, inspector };
}

test("a thread that fails is replaced: its watchers are cut off, come back and miss nothing; others notice nothing", async () => {
  const { on, connect, metrics, inspector, server } = await start();
  const created = await on.main.ask("POST", configMaps, { metadata: { name: "before" } });
  const since = (version: string): string => `${configMaps}?watch=1&resourceVersion=${version}`;
  const { resourceVersion } = created.body.metadata;
  const undisturbed = await on.main.open("GET", since(resourceVersion));
  const cutOff = await on["reader-1"].open("GET", since(resourceVersion));
  const broken = once(cutOff, "error");
  cutOff.resume();

  inspector.run("reader", "setImmediate(() => { throw new Error('struck by lightning'); })");
  await broken;
  const writer = await connect("main");
  expect((await writer.ask("POST", configMaps, { metadata: { name: "meanwhile" } })).status).toBe(201);
  await expect.poll(async () => metricValue(await metrics(), ended("failure"))).toBe(1);
  expect(server.output()).toContain("struck by lightning");

  const back = await connect("reader-1");
  const resumed = await back.open("GET", since(resourceVersion));
  expect((await writer.ask("POST", configMaps, { metadata: { name: "after" } })).status).toBe(201);
  for (const watch of [undisturbed, resumed]) {
    const names = (await linesUntil(watch, '"after"')).map((line) => JSON.parse(line).object.metadata.name);
    expect(names).toEqual(["meanwhile", "after"]);
  }
});

test("a thread that stands still is given no connections, and is ended and replaced", async () => {
  const { api, on, connect, metrics, inspector, server } = await start();
  inspector.run("reader", "setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))");
  const outcome = (one: OneConnection): Promise<string> =>
    one.ask("GET", configMaps).then(
      () => "answered",
      () => "cut off",
    );
  const left = outcome(on["reader-1"]);
  // Some of them are handed to it before it is noticed.
  const further = Array.from({ length: 4 }, () => new OneConnection(server.url, api.tls));
  onTestFinished(() => {
    for (const one of further) one.close();
  });
  const others = Promise.all(further.map(outcome));
  await expect.poll(async () => metricValue(await metrics(), ended("silence"))).toBe(1);
  expect(await left).toBe("cut off");
  expect(new Set(await others)).toEqual(new Set(["answered", "cut off"]));
  const back = await connect("reader-1");
  expect((await back.ask("GET", configMaps)).status).toBe(200);
  expect((await api.get(configMaps)).status).toBe(200);
});

test("one that fails while it answers for the main thread leaves nothing of it behind there", async () => {
  const { connect, metrics, inspector } = await start();
  const writer = await connect("reader-1");
  const call = writer.begin("POST", configMaps, {
    "content-type": "application/json",
    "content-length": "100",
  });
  const broken = once(call, "error");
  call.write("{");
  const underWay = 'apiserver_current_inflight_requests{request_kind="mutating"}';
  await expect.poll(async () => metricValue(await metrics(), underWay)).toBe(1);
  inspector.run("reader", "process.exit(3)");
  await broken;
  await expect.poll(async () => metricValue(await metrics(), underWay)).toBe(0);
  await expect.poll(async () => metricValue(await metrics(), ended("failure"))).toBe(1);
});
