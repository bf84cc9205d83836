import { setMaxListeners } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.js";
import { budget } from "./budget.js";
import { type Cost, CountedServer, exceeded } from "./counted-server.js";

const path = "/api/v1/namespaces/default/configmaps";
const token = { authorization: "Bearer swordfish" };
const warmUps = 400;
let directory: string;
let counted: CountedServer;
let http1: ApiClient;
let http2: ApiClient;
let created = 0;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "budget-"));
  const tokens = join(directory, "tokens.csv");
  writeFileSync(tokens, "swordfish,jane,1,system:masters\n");
  counted = await CountedServer.start(directory, [`--token-auth-file=${tokens}`]);
  http1 = new ApiClient(counted.server, { anonymous: true });
  http2 = new ApiClient(counted.server, { anonymous: true, http2: true });
  await Promise.all(Array.from({ length: 100 }, (_, i) => write("POST", path, `list-${i}`, { list: "yes" })));
  await write("POST", path, "one");
});
afterAll(async () => {
  await http1?.close();
  await http2?.close();
  await counted?.dispose();
  rmSync(directory, { recursive: true, force: true });
});

async function read(client: ApiClient, target: string): Promise<void> {
  expect((await client.ask("GET", target, { headers: token })).status).toBe(200);
}

async function write(method: "POST" | "PUT", target: string, name: string, labels = {}): Promise<void> {
  const body = { metadata: { name, labels }, data: { turn: String(created++), text: "x".repeat(900) } };
  const { status } = await http1.ask(method, target, { body, headers: token });
  expect(status).toBe(method === "POST" ? 201 : 200);
}

const update = (): Promise<void> => write("PUT", `${path}/one`, "one");
const cases: Record<string, () => Promise<unknown>> = {
  "get, HTTP/1.1": () => read(http1, `${path}/one`),
  "get, HTTP/2": () => read(http2, `${path}/one`),
  "list of 100": () => read(http1, `${path}?labelSelector=list=yes`),
  create: () => write("POST", path, `new-${created}`),
  update,
};

// Other releases of Node.js make promises and ticks of their own in other numbers.
const isMeasured = process.versions.node.startsWith("20.");

test.runIf(isMeasured).for(Object.entries(cases))("%s stays within its budget", async ([name, work]) => {
  for (let i = 0; i < warmUps; i++) await work();
  keepsTo(name, await counted.cost(work, allowedFor(name)));
});

test.runIf(isMeasured)("an event stays within its budget for each watcher", async () => {
  const watchers = 10;
  const stop = new AbortController();
  setMaxListeners(2 * watchers, stop.signal);
  const open = (): Promise<() => Promise<void>> => openWatch(stop.signal);
  const first = await open();
  const seen = [first];
  const updateSeen = async (): Promise<void> => {
    await Promise.all([update(), ...seen.map((next) => next())]);
  };
  for (let i = 0; i < warmUps / 2; i++) await updateSeen();
  const withOne = await counted.cost(updateSeen);
  for (let i = 0; i < watchers; i++) seen.push(await open());
  for (let i = 0; i < warmUps / 2; i++) await updateSeen();
  const event = allowedFor("watch event");
  const withMore = await counted.cost(
    updateSeen,
    ofEach((key) => withOne[key] + watchers * event[key]),
  );
  // The writes to the disk differ by one or two.
  const shareOf = (key: keyof Cost): number =>
    Math.max(0, Math.round((withMore[key] - withOne[key]) / watchers));
  keepsTo("watch event", ofEach(shareOf));
  stop.abort();
});

/** A watch of the one object, after its first event; the function resolves with the next one. */
async function openWatch(signal: AbortSignal): Promise<() => Promise<void>> {
  const pieces = http1.stream(`${path}?watch=1&fieldSelector=metadata.name=one`, token, signal);
  let text = "";
  const next = async (): Promise<void> => {
    for (let end = text.indexOf("\n"); end < 0; end = text.indexOf("\n")) {
      const { value, done } = await pieces.next();
      if (done === true) throw new Error("the watch has ended");
      text += Buffer.from(value).toString();
    }
    text = text.slice(text.indexOf("\n") + 1);
  };
  await next();
  return next;
}

function ofEach(value: (key: keyof Cost) => number): Cost {
  return {
    promises: value("promises"),
    ticks: value("ticks"),
    timers: value("timers"),
    immediates: value("immediates"),
    writes: value("writes"),
    kilobytes: value("kilobytes"),
  };
}

function allowedFor(name: string): Cost {
  const allowed = budget[name];
  if (allowed === undefined) throw new Error(`${name} has no budget`);
  return allowed;
}

function keepsTo(name: string, cost: Cost): void {
  expect(exceeded(cost, allowedFor(name)), `${name} costs ${JSON.stringify(cost)}`).toEqual([]);
}
