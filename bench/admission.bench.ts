import { pluginTable } from "../src/admission/plugin-table.js";
import { startServer } from "../test/support/server-process.js";
import { Http1Client } from "./load/http1-client.js";
import { targetOf } from "./load/target.js";
import { Figures } from "./support/figures.js";

/** The cost of the default admission plugins per pod create, over TLS to a server process each, taking turns. */

const connections = 16;
const rounds = 3;
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const collection = "/api/v1/namespaces/default/pods";
const byDefault = pluginTable.filter((plugin) => plugin.byDefault).map(({ name }) => name);
const figures = new Figures();

await main();

async function main(): Promise<void> {
  const best = { with: 0, without: 0 };
  for (let round = 0; round < rounds; round++) {
    best.with = Math.max(best.with, await createsPerSecond([]));
    const disabled = `--disable-admission-plugins=${byDefault.join(",")}`;
    best.without = Math.max(best.without, await createsPerSecond([disabled]));
  }
  figures.record("pods created per second with the default plugins", best.with);
  figures.record("pods created per second without plugins", best.without);
  figures.record("share of the plugins in percent", 100 * (1 - best.with / best.without));
  figures.end();
}

async function createsPerSecond(args: readonly string[]): Promise<number> {
  const server = await startServer({ args });
  try {
    const clients = await Promise.all(
      Array.from({ length: connections }, () => Http1Client.open(targetOf(server))),
    );
    const state = { next: 0, done: 0 };
    await run(clients, 1, state);
    state.done = 0;
    const began = performance.now();
    await run(clients, seconds, state);
    const took = (performance.now() - began) / 1000;
    for (const client of clients) client.close();
    return state.done / took;
  } finally {
    await server.dispose();
  }
}

async function run(
  clients: readonly Http1Client[],
  forSeconds: number,
  state: { next: number; done: number },
): Promise<void> {
  const until = performance.now() + forSeconds * 1000;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        const answer = await client.request("POST", collection, JSON.stringify(pod(`p-${state.next++}`)));
        if (answer.status !== 201) throw new Error(`a create was answered ${answer.status}`);
        state.done++;
      }
    }),
  );
}

function pod(name: string): object {
  return {
    metadata: { name, labels: { app: "bench" } },
    spec: {
      containers: [
        {
          name: "web",
          image: "registry.example.com/web:1",
          ports: [{ containerPort: 8080 }],
          resources: { requests: { cpu: "100m", memory: "64Mi" } },
        },
      ],
    },
  };
}
