import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { pluginTable } from "../src/admission/plugin-table.js";
import { ApiClient } from "../test/support/api-client.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import type { BareCall } from "./load/bare-calls.js";
import { Http1Client } from "./load/http1-client.js";
import { targetOf } from "./load/target.js";
import type { LastReview, WebhookWorkerReady } from "./load/webhook-worker.js";
import { Figures } from "./support/figures.js";
import { cpuSeconds } from "./support/process-time.js";
import { median } from "./support/statistics.js";

/**
 * What admission adds to the create of a pod, over TLS to a server process: the plugins that are on by default, quotas, and webhooks in a
 * process of their own. Servers take turns, so that other work on the machine affects all of them. Processor time is that of the server,
 * including its writes to the store. That of the webhooks and of the load, which share the processors with it, is shown separately.
 */
const connections = 32;
const rounds = Number(process.env.BENCH_TURNS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 2);
/** Number of creates before the first round, so that V8 has compiled the hot code. */
const warmUp = Number(process.env.BENCH_WARM_UP ?? 6000);
/** Namespace for which no webhook is called, to compare latencies with. */
const spared = "spared";
const podsIn = (namespace: string): string => `/api/v1/namespaces/${namespace}/pods`;
const byDefault = pluginTable.filter((plugin) => plugin.byDefault).map(({ name }) => name);
const figures = new Figures();

/** Processor times are in microseconds per create. */
interface Rate {
  readonly perSecond: number;
  readonly cpuEach: number;
  readonly webhookCpuEach: number;
  readonly clientCpuEach: number;
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
    // A quota limits nothing until its usage has been counted.
    for (;;) {
      const { body } = await api.get(path);
      const items: readonly { readonly status?: { readonly hard?: object } }[] = body.items;
      if (items.every(({ status }) => status?.hard !== undefined)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
});

const level = ["--api-level=1.35"];

const policy: Variant = {
  name: "with a policy of two expressions",
  args: level,
  async prepare(api) {
    const path = "/apis/admissionregistration.k8s.io/v1";
    const name = "two";
    const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] };
    const spec = {
      matchConstraints: { resourceRules: [rule] },
      validations: [
        { expression: "object.spec.containers.all(c, c.image != '')" },
        { expression: "!has(object.metadata.labels) || object.metadata.labels.size() < 10" },
      ],
    };
    await made(
      api.ask("POST", `${path}/validatingadmissionpolicies`, { body: { metadata: { name }, spec } }),
    );
    const bound = { policyName: name, validationActions: ["Deny"] };
    const body = { metadata: { name }, spec: bound };
    await made(api.ask("POST", `${path}/validatingadmissionpolicybindings`, { body }));
  },
};

await main();

async function main(): Promise<void> {
  const wanted = (process.env.BENCH_PARTS ?? "plugins,policies,quotas,webhooks").split(",");
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
  if (wanted.includes("policies")) {
    const [none, two] = await compare([{ name: "without a policy", args: level }, policy]);
    if (none !== undefined && two !== undefined) {
      figures.record("processor time of the policy in microseconds", two.cpuEach - none.cpuEach);
    }
  }
  if (wanted.includes("quotas")) await compare([quotas(1), quotas(10), quotas(100)]);
  if (wanted.includes("webhooks")) await webhooks();
  figures.end();
}

/** The medians of the variants, in their order. */
async function compare(variants: readonly Variant[], webhook?: ChildProcess): Promise<Rate[]> {
  const servers: ServerProcess[] = [];
  try {
    for (const { args = [], prepare } of variants) {
      const server = await startServer({ args });
      servers.push(server);
      await ready(server, prepare);
    }
    const found = variants.map((): Rate[] => []);
    for (const server of servers) await createFor(server, "w", (made) => made < warmUp);
    for (let round = 0; round < rounds; round++) {
      for (const [index, server] of servers.entries()) {
        found[index]?.push(await rateOf(server, `r${round}`, webhook));
      }
    }
    return variants.map(({ name }, index) => {
      const rates = found[index] ?? [];
      const medianOf = (of: keyof Rate): number => median(rates.map((rate) => rate[of]));
      const rate: Rate = {
        perSecond: medianOf("perSecond"),
        cpuEach: medianOf("cpuEach"),
        webhookCpuEach: medianOf("webhookCpuEach"),
        clientCpuEach: medianOf("clientCpuEach"),
      };
      figures.record(`pods created per second ${name}`, rate.perSecond);
      figures.record(`processor time of each in microseconds, ${name}`, rate.cpuEach);
      if (webhook !== undefined) {
        figures.record(`the same of the webhook's process, ${name}`, rate.webhookCpuEach);
        figures.record(`the same of the client's process, ${name}`, rate.clientCpuEach);
      }
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

async function rateOf(server: ServerProcess, prefix: string, webhook?: ChildProcess): Promise<Rate> {
  const pids = [server.pid, webhook?.pid ?? 0, process.pid];
  const times = (): number[] => pids.map((pid) => (pid === 0 ? 0 : cpuSeconds(pid)));
  let before: readonly number[] = [];
  let began = 0;
  const made = await createFor(server, prefix, () => {
    if (began === 0) [began, before] = [performance.now(), times()];
    return performance.now() < began + seconds * 1000;
  });
  const took = (performance.now() - began) / 1000;
  const [cpuEach = 0, webhookCpuEach = 0, clientCpuEach = 0] = times().map(
    (time, index) => ((time - (before[index] ?? 0)) / made) * 1e6,
  );
  return { perSecond: made / took, cpuEach, webhookCpuEach, clientCpuEach };
}

/** Creates pods over all connections while `goesOn` returns true. Returns how many. */
async function createFor(
  server: ServerProcess,
  prefix: string,
  goesOn: (made: number) => boolean,
): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: connections }, () => Http1Client.open(targetOf(server))),
  );
  let made = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (goesOn(made)) await createPod(client, `${prefix}-${made++}`);
    }),
  );
  for (const client of clients) client.close();
  return made;
}

async function createPod(client: Http1Client, name: string, namespace = "default"): Promise<void> {
  const answer = await client.request("POST", podsIn(namespace), JSON.stringify(pod(name)));
  if (answer.status !== 201) throw new Error(`a create was answered ${answer.status}`);
}

async function webhooks(): Promise<void> {
  const worker = fork(fileURLToPath(new URL("./load/webhook-worker.mjs", import.meta.url)));
  const [{ port, caPem }] = (await once(worker, "message")) as [WebhookWorkerReady]; // its first message
  const caBundle = Buffer.from(caPem).toString("base64");
  const configure = (name: string, path: string, spared?: string) => async (api: ApiClient) => {
    await made(
      api.ask("POST", `/apis/admissionregistration.k8s.io/v1/${name}webhookconfigurations`, {
        body: {
          metadata: { name: "bench" },
          webhooks: [
            {
              name: "bench.example.com",
              clientConfig: { url: `https://127.0.0.1:${port}${path}`, caBundle },
              rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
              ...(spared !== undefined && { namespaceSelector: otherThan(spared) }),
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
    await compare(
      [
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
      ],
      worker,
    );
    await latencies(worker, { url: `https://127.0.0.1:${port}/validate`, caPem }, async (api) => {
      await made(api.ask("POST", "/api/v1/namespaces", { body: { metadata: { name: spared } } }));
      await made(
        api.ask("POST", `/api/v1/namespaces/${spared}/serviceaccounts`, {
          body: { metadata: { name: "default" } },
        }),
        [201, 409],
      );
      await configure("validating", "/validate", spared)(api);
    });
  } finally {
    worker.disconnect();
    await once(worker, "exit");
  }
}

function otherThan(namespace: string): object {
  const key = "kubernetes.io/metadata.name";
  return { matchExpressions: [{ key, operator: "NotIn", values: [namespace] }] };
}

/**
 * One request at a time: what a webhook adds to a create, compared with a bare call between the same two processes. For the bare call,
 * Node.js' own client in the server's process sends the same review over a kept connection, and parses the answer. Creates with and
 * without the webhook go to one server, in turns: two processes of the same server differ by a good part of what is measured here.
 */
async function latencies(
  worker: ChildProcess,
  call: Omit<BareCall, "body">,
  prepare: Variant["prepare"],
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "bare-calls-"));
  const socketPath = join(directory, "socket");
  const preloaded = new URL("./load/bare-calls.mjs", import.meta.url);
  const server = await startServer({
    env: { BARE_CALLS: socketPath, NODE_OPTIONS: `--import ${preloaded.href}` },
  });
  let asking: Socket | undefined;
  try {
    await ready(server, prepare);
    const client = await Http1Client.open(targetOf(server));
    await createPod(client, "first");
    worker.send("which review was the last?");
    const [{ review }] = (await once(worker, "message")) as [LastReview];
    asking = connect(socketPath);
    const answers = createInterface({ input: asking });
    const first: BareCall = { ...call, body: review };
    asking.write(`${JSON.stringify(first)}\n`);
    const times: Record<"plain" | "reviewed" | "bare", number[]> = { plain: [], reviewed: [], bare: [] };
    const timed = async (into: number[], name: string, namespace: string): Promise<void> => {
      const began = performance.now();
      await createPod(client, name, namespace);
      into.push(performance.now() - began);
    };
    const turns = 3000;
    for (let turn = 0; turn < turns; turn++) {
      await timed(times.plain, `l-${turn}`, spared);
      await timed(times.reviewed, `l-${turn}`, "default");
      const answer = once(answers, "line");
      asking.write("\n");
      times.bare.push(Number((await answer)[0]));
    }
    client.close();
    const of = (values: readonly number[]): number => median(values.slice((2 * turns) / 3));
    const added = of(times.reviewed) - of(times.plain);
    figures.record("bytes of a review", Buffer.byteLength(review));
    figures.record("milliseconds of a create, one at a time", of(times.plain));
    figures.record("milliseconds that a webhook adds", added);
    figures.record("milliseconds of a bare call of it", of(times.bare));
    figures.record("the former to the latter", added / of(times.bare));
  } finally {
    asking?.destroy();
    await server.dispose();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function made(asking: ReturnType<ApiClient["ask"]>, accepted = [201]): Promise<void> {
  const { status, text } = await asking;
  if (!accepted.includes(status)) throw new Error(`${status}: ${text}`);
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
