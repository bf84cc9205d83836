import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { pluginTable } from "../src/admission/plugin-table.js";
import { RemoteClient } from "../src/remote/remote-client.js";
import { ApiClient } from "../test/support/api-client.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { Http1Client } from "./load/http1-client.js";
import { targetOf } from "./load/target.js";
import type { WebhookWorkerReady } from "./load/webhook-worker.js";
import { Figures } from "./support/figures.js";
import { cpuSeconds } from "./support/process-time.js";

/**
 * What admission costs of a pod's create, each over TLS to a server process: the plugins that are on by default, quotas, and webhooks in
 * a process of their own. Servers take turns, so that what else the machine does falls on all of them. Processor time is that of the
 * server, its writes to the store included.
 */
const connections = 32;
const rounds = Number(process.env.BENCH_TURNS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 2);
const collection = "/api/v1/namespaces/default/pods";
const byDefault = pluginTable.filter((plugin) => plugin.byDefault).map(({ name }) => name);
const figures = new Figures();

interface Rate {
  readonly perSecond: number;
  /** Microseconds. */
  readonly cpuEach: number;
}

interface Variant {
  readonly name: string;
  readonly args?: readonly string[];
  prepare?(api: ApiClient): Promise<void>;
}

const quotas = (count: number): Variant => ({
  name: `with ${count} ${count === 1 ? "quota" : "quotas"}`,
  async prepare(api) {
    const path = "/api/v1/namespaces/default/resourcequotas";
    const hard = { pods: "1000000", "requests.cpu": "1000000", "requests.memory": "1Pi" };
    for (let index = 0; index < count; index++) {
      const metadata = { name: `q-${index}` };
      await made(api.ask("POST", path, { body: { metadata, spec: { hard } } }));
    }
    // A quota limits nothing before it is counted.
    for (;;) {
      const { body } = await api.get(path);
      const items: readonly { readonly status?: { readonly hard?: object } }[] = body.items;
      if (items.every(({ status }) => status?.hard !== undefined)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
});

await main();

async function main(): Promise<void> {
  const wanted = (process.env.BENCH_PARTS ?? "plugins,quotas,webhooks").split(",");
  if (wanted.includes("plugins")) {
    const without = { name: "without plugins", args: [`--disable-admission-plugins=${byDefault.join(",")}`] };
    const [plain, usual] = await compare([without, { name: "with the default plugins" }]);
    if (plain !== undefined && usual !== undefined) {
      figures.record(
        "share of the plugins of the rate, in percent",
        100 * (1 - usual.perSecond / plain.perSecond),
      );
      figures.record(
        "share of the plugins of the processor time, in percent",
        100 * (1 - plain.cpuEach / usual.cpuEach),
      );
    }
  }
  if (wanted.includes("quotas")) await compare([quotas(1), quotas(10), quotas(100)]);
  if (wanted.includes("webhooks")) await webhooks();
  figures.end();
}

/** The medians of the variants, in their order. */
async function compare(variants: readonly Variant[]): Promise<Rate[]> {
  const servers: ServerProcess[] = [];
  try {
    for (const { args = [], prepare } of variants) {
      const server = await startServer({ args });
      servers.push(server);
      await ready(server, prepare);
    }
    const found = variants.map((): Rate[] => []);
    for (let round = 0; round <= rounds; round++) {
      for (const [index, server] of servers.entries()) {
        const rate = await createsPerSecond(server, `r${round}`);
        // The first round warms up.
        if (round > 0) found[index]?.push(rate);
      }
    }
    return variants.map(({ name }, index) => {
      const rates = found[index] ?? [];
      const rate = {
        perSecond: median(rates.map(({ perSecond }) => perSecond)),
        cpuEach: median(rates.map(({ cpuEach }) => cpuEach)),
      };
      figures.record(`pods created per second ${name}`, rate.perSecond);
      figures.record(`processor time of each in microseconds, ${name}`, rate.cpuEach);
      return rate;
    });
  } finally {
    for (const server of servers) await server.dispose();
  }
}

/** Pods need the default service account. */
async function ready(server: ServerProcess, prepare: Variant["prepare"]): Promise<void> {
  const api = new ApiClient(server);
  try {
    while ((await api.get("/api/v1/namespaces/default/serviceaccounts/default")).status !== 200) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await prepare?.(api);
  } finally {
    await api.close();
  }
}

async function createsPerSecond(server: ServerProcess, prefix: string): Promise<Rate> {
  const clients = await Promise.all(
    Array.from({ length: connections }, () => Http1Client.open(targetOf(server))),
  );
  let next = 0;
  const began = performance.now();
  const cpuBegan = cpuSeconds(server.pid);
  const until = began + seconds * 1000;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) await createPod(client, `${prefix}-${next++}`);
    }),
  );
  const took = (performance.now() - began) / 1000;
  const cpu = cpuSeconds(server.pid) - cpuBegan;
  for (const client of clients) client.close();
  return { perSecond: next / took, cpuEach: (cpu / next) * 1e6 };
}

async function createPod(client: Http1Client, name: string): Promise<void> {
  const answer = await client.request("POST", collection, JSON.stringify(pod(name)));
  if (answer.status !== 201) throw new Error(`a create was answered ${answer.status}`);
}

async function webhooks(): Promise<void> {
  const worker = fork(fileURLToPath(new URL("./load/webhook-worker.mjs", import.meta.url)));
  const [{ port, caBundle }] = (await once(worker, "message")) as [WebhookWorkerReady]; // its one message
  const configure = (name: string, path: string) => async (api: ApiClient) => {
    await made(
      api.ask("POST", `/apis/admissionregistration.k8s.io/v1/${name}webhookconfigurations`, {
        body: {
          metadata: { name: "bench" },
          webhooks: [
            {
              name: "bench.example.com",
              clientConfig: { url: `https://127.0.0.1:${port}${path}`, caBundle },
              rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
              sideEffects: "None",
              admissionReviewVersions: ["v1"],
            },
          ],
        },
      }),
    );
  };
  const mutating = configure("mutating", "/mutate");
  const validating = configure("validating", "/validate");
  try {
    await compare([
      { name: "without webhooks" },
      { name: "with a validating webhook", prepare: validating },
      { name: "with a mutating webhook", prepare: mutating },
      {
        name: "with both webhooks",
        async prepare(api) {
          await mutating(api);
          await validating(api);
        },
      },
    ]);
    await latencies(port, caBundle, validating);
  } finally {
    worker.disconnect();
    await once(worker, "exit");
  }
}

/** One request at a time: what a webhook adds, beside a bare call of it with a review of the same size. */
async function latencies(port: number, caBundle: string, configure: Variant["prepare"]): Promise<void> {
  const plain = await startServer();
  const reviewed = await startServer();
  const bare = new RemoteClient({
    server: {
      url: new URL(`https://127.0.0.1:${port}/validate`),
      caPem: Buffer.from(caBundle, "base64").toString("utf8"),
      serverName: undefined,
      insecure: false,
    },
  });
  try {
    await ready(plain, undefined);
    await ready(reviewed, configure);
    const clients = [
      await Http1Client.open(targetOf(plain)),
      await Http1Client.open(targetOf(reviewed)),
    ] as const;
    const body = JSON.stringify({
      kind: "AdmissionReview",
      apiVersion: "admission.k8s.io/v1",
      request: { uid: "u", object: { ...pod("a"), padding: "x".repeat(2500) } },
    });
    const times: { plain: number[]; reviewed: number[]; bare: number[] } = {
      plain: [],
      reviewed: [],
      bare: [],
    };
    const timed = async (into: number[], call: () => Promise<unknown>): Promise<void> => {
      const began = performance.now();
      await call();
      into.push(performance.now() - began);
    };
    const turns = 1500;
    for (let turn = 0; turn < turns; turn++) {
      await timed(times.plain, () => createPod(clients[0], `l-${turn}`));
      await timed(times.reviewed, () => createPod(clients[1], `l-${turn}`));
      await timed(times.bare, () =>
        bare.request({ method: "POST", body, timeoutMs: 10_000, answerBytesMax: 1_000_000 }),
      );
    }
    for (const client of clients) client.close();
    const of = (values: readonly number[]): number => median(values.slice(turns / 3));
    const added = of(times.reviewed) - of(times.plain);
    figures.record("milliseconds of a create, one at a time", of(times.plain));
    figures.record("milliseconds that a webhook adds", added);
    figures.record("milliseconds of a bare call of it", of(times.bare));
    figures.record("the former to the latter", added / of(times.bare));
  } finally {
    await bare.close();
    await plain.dispose();
    await reviewed.dispose();
  }
}

async function made(asking: ReturnType<ApiClient["ask"]>): Promise<void> {
  const { status, text } = await asking;
  if (status !== 201) throw new Error(`${status}: ${text}`);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
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
