import { startInProcess } from "../test/support/in-process-server.js";
import { Figures } from "./support/figures.js";
import { median } from "./support/statistics.js";
import { timed } from "./support/timed.js";

/** Snapshots, rewinds and forks of a server with 10,000 objects, and of a small one. */

const objects = Number(process.env.BENCH_OBJECTS ?? 10_000);
const changes = 100;
const rounds = 9;
const figures = new Figures();
const maps = "/api/v1/namespaces/default/configmaps";
const data = { text: "x".repeat(500) };

await main();

async function main(): Promise<void> {
  await measure("small", 0);
  await measure(`of ${objects} objects`, objects);
  figures.end();
}

async function measure(which: string, count: number): Promise<void> {
  const { api, server, dispose } = await startInProcess({ lab: true });
  try {
    const { lab } = server;
    if (lab === undefined) throw new Error("the server has a lab");
    const create = async (name: string) => {
      const { status, text } = await api.post(maps, { metadata: { name }, data });
      if (status !== 201) throw new Error(text);
    };
    await each(count, (i) => create(`map-${i}`));
    const taken: number[] = [];
    for (let round = 0; round < rounds; round++) {
      taken.push(await timed(async () => void (await lab.snapshots.create(`at-${round}`))));
    }
    figures.record(`snapshot of a server ${which} (ms)`, median(taken));
    const rewinds: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await each(changes / 2, (i) => create(`new-${i}`));
      await each(Math.min(count, changes / 2), async (i) => void (await api.delete(`${maps}/map-${i}`)));
      rewinds.push(await timed(async () => void (await lab.snapshots.rewind("at-0"))));
    }
    figures.record(`rewind of ${count > 0 ? changes : changes / 2} objects, ${which} (ms)`, median(rewinds));
    const forks: number[] = [];
    const processor: number[] = [];
    for (let round = 0; round < rounds; round++) {
      let stop = async (): Promise<void> => undefined;
      const before = process.cpuUsage();
      forks.push(
        await timed(async () => {
          const fork = await server.fork("at-0");
          stop = () => fork.stop();
        }),
      );
      const { user, system } = process.cpuUsage(before);
      processor.push((user + system) / 1000);
      await stop();
    }
    figures.record(`fork of a server ${which} (ms)`, median(forks));
    figures.record(`fork of a server ${which}, processor time (ms)`, median(processor));
  } finally {
    await dispose();
  }
}

async function each(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}
