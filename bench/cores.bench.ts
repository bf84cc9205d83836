/**
 * What a second serving thread gains (`--serving-threads=2`): gets and events with one and with two threads, the load held to one
 * processor. On a machine of two processors the load takes part of what the second thread needs, so the processor time of the busiest
 * thread says more than the rate: its inverse is the rate with a processor for each thread.
 */
import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { targetOf } from "./load/target.js";
import { EventBursts } from "./support/event-bursts.js";
import { Figures } from "./support/figures.js";
import { Load } from "./support/peer-load.js";
import { threadSeconds } from "./support/process-time.js";

const collection = "/api/v1/namespaces/default/configmaps";
const clients = 64;
const gets = 20_000;
const creates = 2_000;
const watchers = 100;
const objects = 50;
const bursts = 20;
const figures = new Figures();

for (const threads of [1, 2]) {
  const server = await startServer({ args: [`--serving-threads=${threads}`] });
  try {
    await measureRequests(server, `${threads} threads`);
    await measureEvents(server, `${threads} threads`);
  } finally {
    await server.dispose();
  }
}
figures.end();

async function measureRequests(server: ServerProcess, label: string): Promise<void> {
  const load = await Load.open(targetOf(server), "http1", clients);
  hold(load.pid);
  const create = { kind: "work", method: "POST", path: collection, body: configMap("made-%", 0) } as const;
  const get = { kind: "work", method: "GET", path: `${collection}/made-0`, first: 0, count: gets } as const;
  await load.run({ ...create, first: 0, count: creates });
  const createsTime = await timed(server, () => load.run({ ...create, first: creates, count: creates }));
  record(`${label}: create`, createsTime, creates);
  await load.run(get);
  record(`${label}: get`, await timed(server, () => load.run(get)), gets);
  load.close();
}

async function measureEvents(server: ServerProcess, label: string): Promise<void> {
  const load = await EventBursts.open(targetOf(server), { watchers, objects, collection });
  hold(load.pid);
  await load.run(bursts);
  let events = 0;
  const spent = await timed(server, async () => {
    const began = performance.now();
    events = await load.run(bursts);
    return (performance.now() - began) / 1000;
  });
  record(`${label}: event to one of ${watchers} watchers`, spent, events);
  load.close();
}

interface Spent {
  readonly seconds: number;
  /** Of each thread. */
  readonly processor: readonly number[];
}

async function timed(server: ServerProcess, work: () => Promise<number>): Promise<Spent> {
  const before = threadSeconds(server.pid);
  const seconds = await work();
  const after = threadSeconds(server.pid);
  // No thread ends in the meantime; one may have started.
  return { seconds, processor: after.map((each, thread) => each - (before[thread] ?? 0)) };
}

function record(what: string, { seconds, processor }: Spent, count: number): void {
  const us = (time: number): number => (time * 1e6) / count;
  figures.record(`${what}: per second`, count / seconds);
  figures.record(
    `${what}: processor time of all threads (µs)`,
    us(processor.reduce((sum, each) => sum + each, 0)),
  );
  figures.record(`${what}: of the main thread (µs)`, us(processor[0] ?? 0));
  figures.record(`${what}: of the busiest thread (µs)`, us(Math.max(...processor)));
}

/** Pins a load process to the last processor. */
function hold(pid: number): void {
  execFileSync("taskset", ["-acp", String(availableParallelism() - 1), String(pid)], { stdio: "ignore" });
}

function configMap(name: string, turn: number): string {
  const data = { turn: String(turn), sent: "0", text: "x".repeat(900) };
  return JSON.stringify({ metadata: { name }, data });
}
