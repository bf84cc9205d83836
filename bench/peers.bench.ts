/**
 * Compares this server with a bare server of the same runtime, and with another implementation with etcd if BENCH_APISERVER and
 * BENCH_ETCD name the programs: processor time of all its processes per operation, the least of some rounds, and the rate. The peers take
 * turns in each round, so that other work on the machine affects all of them. Goals: a get at most 1.6 times bare over HTTP/1.1 and 1.3
 * times over HTTP/2; a create a fifth of the other's time with 32 connections, a third with one; the first creates and gets of a new
 * process a third. BENCH_ROUNDS changes the number of rounds.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PeerWork } from "./load/peer-worker.js";
import { benchPki } from "./support/bench-pki.js";
import { EventBursts } from "./support/event-bursts.js";
import { Figures } from "./support/figures.js";
import { Load } from "./support/peer-load.js";
import { barePeer, otherServer, ownServer, type Peer, type RunningPeer } from "./support/peers.js";
import { cpuSeconds } from "./support/process-time.js";

const rounds = Number(process.env.BENCH_ROUNDS ?? 4);
const coldRounds = Math.min(rounds, 2);
const watchers = 100;
const watchedObjects = 50;
const bursts = 40;
const collection = "/api/v1/namespaces/default/configmaps";
const configMap = JSON.stringify({
  metadata: { name: "NAME", labels: { app: "bench" } },
  data: { turn: "%", text: "x".repeat(900) },
});
/** Of a get of it. */
const answerBytes = 1250;
const figures = new Figures();

interface Cost {
  readonly us: number;
  readonly perSecond: number;
}

interface Measure {
  readonly name: string;
  readonly protocol: "http1" | "http2";
  readonly connections: number;
  readonly warmUp: number;
  readonly work: (first: number) => PeerWork;
  /** The bare server answers it too. */
  readonly isRead?: boolean;
}

const get = (count: number) => (): PeerWork => ({
  kind: "work",
  method: "GET",
  path: `${collection}/one`,
  first: 0,
  count,
});
const create =
  (count: number) =>
  (first: number): PeerWork => ({
    kind: "work",
    method: "POST",
    path: collection,
    body: configMap.replace("NAME", "made-%"),
    first,
    count,
  });
const list = (): PeerWork => ({
  kind: "work",
  method: "GET",
  path: `${collection}?limit=10000`,
  first: 0,
  count: 4,
});

const measures: readonly Measure[] = [
  {
    name: "get, HTTP/1.1, 1 connection",
    protocol: "http1",
    connections: 1,
    warmUp: 2000,
    work: get(1000),
    isRead: true,
  },
  {
    name: "get, HTTP/1.1, 32 connections",
    protocol: "http1",
    connections: 32,
    warmUp: 8000,
    work: get(4000),
    isRead: true,
  },
  {
    name: "get, HTTP/2, 1 stream",
    protocol: "http2",
    connections: 1,
    warmUp: 2000,
    work: get(1000),
    isRead: true,
  },
  {
    name: "get, HTTP/2, 32 streams",
    protocol: "http2",
    connections: 32,
    warmUp: 8000,
    work: get(4000),
    isRead: true,
  },
  {
    name: "create, HTTP/1.1, 1 connection",
    protocol: "http1",
    connections: 1,
    warmUp: 300,
    work: create(300),
  },
  {
    name: "create, HTTP/1.1, 32 connections",
    protocol: "http1",
    connections: 32,
    warmUp: 1000,
    work: create(1000),
  },
  {
    name: "create, HTTP/2, 32 streams",
    protocol: "http2",
    connections: 32,
    warmUp: 1000,
    work: create(1000),
  },
  { name: "list of 10,000", protocol: "http2", connections: 1, warmUp: 2, work: list },
];

await main();

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "peers-bench-"));
  try {
    const bare = barePeer(await bareCredentials(directory), answerBytes);
    const { BENCH_APISERVER: server, BENCH_ETCD: etcd } = process.env;
    const others = server === undefined || etcd === undefined ? [] : [otherServer({ server, etcd })];
    if (others.length === 0)
      console.log("the other server is not measured: BENCH_APISERVER and BENCH_ETCD are not set");
    await measureCold([ownServer, ...others]);
    await measureWarm([ownServer, bare, ...others], bare);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  figures.end();
}

async function bareCredentials(directory: string): Promise<{ cert: string; key: string }> {
  const { serving } = await benchPki(directory);
  return { cert: serving.certPem, key: serving.keyPem };
}

function processorSeconds({ pids }: RunningPeer): number {
  return pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}

async function costOf(peer: RunningPeer, load: Load, work: PeerWork): Promise<Cost> {
  const before = processorSeconds(peer);
  const seconds = await load.run(work);
  return { us: ((processorSeconds(peer) - before) / work.count) * 1e6, perSecond: work.count / seconds };
}

function best(costs: readonly Cost[]): Cost {
  return {
    us: Math.min(...costs.map(({ us }) => us)),
    perSecond: Math.max(...costs.map(({ perSecond }) => perSecond)),
  };
}

/** Measures the first requests of new processes. */
async function measureCold(peers: readonly Peer[]): Promise<void> {
  const counts = [1000, 10_000];
  const costs = new Map<string, Cost[]>();
  const note = (name: string, cost: Cost): void => void costs.set(name, [...(costs.get(name) ?? []), cost]);
  for (let round = 0; round < coldRounds; round++) {
    for (const peer of peers) {
      for (const count of counts) {
        await withPeer(peer, async (running) => {
          const load = await Load.open(running.target, "http1", 32);
          note(`${peer.name}: first ${count} creates`, await costOf(running, load, create(count)(0)));
          load.close();
        });
      }
      await withPeer(peer, async (running) => {
        const path = "/api/v1/namespaces/default";
        const load = await Load.open(running.target, "http1", 32);
        const gets: PeerWork = { kind: "work", method: "GET", path, first: 0, count: 1000 };
        note(`${peer.name}: first 1000 gets`, await costOf(running, load, gets));
        load.close();
      });
    }
  }
  for (const name of [...counts.map((count) => `first ${count} creates`), "first 1000 gets"]) {
    show(name, peers, (peer) => best(costs.get(`${peer.name}: ${name}`) ?? []));
  }
}

async function measureWarm(peers: readonly Peer[], bare: Peer): Promise<void> {
  const running = new Map<Peer, RunningPeer>();
  try {
    for (const peer of peers) running.set(peer, await peer.start());
    const real = peers.filter((peer) => peer !== bare);
    for (const peer of real) await prepare(runningOf(running, peer));
    let first = 0;
    for (const measure of measures) {
      const measured = measure.isRead === true ? peers : real;
      const loads = new Map<Peer, Load>();
      for (const peer of measured) {
        const { target } = runningOf(running, peer);
        loads.set(peer, await Load.open(target, measure.protocol, measure.connections));
      }
      const costs = new Map<Peer, Cost[]>();
      for (let round = -1; round < rounds; round++) {
        const work = measure.work(first);
        const asked = round < 0 ? { ...work, count: measure.warmUp } : work;
        first += asked.count;
        for (const peer of measured) {
          const cost = await costOf(runningOf(running, peer), loads.get(peer) as Load, asked); // opened above
          if (round >= 0) costs.set(peer, [...(costs.get(peer) ?? []), cost]);
        }
      }
      for (const load of loads.values()) load.close();
      show(measure.name, measured, (peer) => best(costs.get(peer) ?? []));
    }
    const events = new Map<Peer, Cost>();
    for (const peer of real) events.set(peer, await eventsOf(runningOf(running, peer)));
    show(`event to one of ${watchers} watchers`, real, (peer) => events.get(peer) as Cost); // set above
  } finally {
    for (const peer of running.values()) await peer.stop();
  }
}

function runningOf(running: ReadonlyMap<Peer, RunningPeer>, peer: Peer): RunningPeer {
  const found = running.get(peer);
  if (found === undefined) throw new Error(`${peer.name} does not run`);
  return found;
}

/** The object that is read, and 10,000 to list. */
async function prepare({ target }: RunningPeer): Promise<void> {
  const load = await Load.open(target, "http1", 32);
  const one = { ...create(1)(0), body: configMap.replace("NAME", "one") };
  await load.run(one);
  await load.run({ ...create(10_000)(0), body: configMap.replace("NAME", "listed-%") });
  load.close();
}

/** Each event counts once for each watcher. */
async function eventsOf(peer: RunningPeer): Promise<Cost> {
  const load = await EventBursts.open(peer.target, { watchers, objects: watchedObjects, collection });
  try {
    const costs: Cost[] = [];
    for (let round = -1; round < rounds; round++) {
      const began = performance.now();
      const before = processorSeconds(peer);
      const events = await load.run(bursts);
      const seconds = (performance.now() - began) / 1000;
      if (round >= 0)
        costs.push({ us: ((processorSeconds(peer) - before) / events) * 1e6, perSecond: events / seconds });
    }
    return best(costs);
  } finally {
    load.close();
  }
}

async function withPeer(peer: Peer, use: (running: RunningPeer) => Promise<void>): Promise<void> {
  const running = await peer.start();
  try {
    await use(running);
  } finally {
    await running.stop();
  }
}

function show(name: string, peers: readonly Peer[], costOfPeer: (peer: Peer) => Cost): void {
  console.log(`\n${name}`);
  const own = costOfPeer(ownServer);
  for (const peer of peers) {
    const { us, perSecond } = costOfPeer(peer);
    figures.record(`µs of processor time, ${peer.name}`, us, `${name}, ${peer.name} us`);
    figures.record(`a second, ${peer.name}`, perSecond, `${name}, ${peer.name} per second`);
    if (peer !== ownServer)
      figures.record(`times ${peer.name}'s processor time`, own.us / us, `${name}, ratio to ${peer.name}`);
  }
}
