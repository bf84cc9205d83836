/**
 * What flow control, tracing and the request log add to a get, as processor time of the server per request. Goals: flow control at most 5 %
 * of a get; tracing configured but nothing sampled 1 %, one request in a hundred sampled 2 %.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiClient } from "../test/support/api-client.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { startTraceCollector } from "../test/support/trace-collector.js";
import { runLoad } from "./load/run-load.js";
import { Figures } from "./support/figures.js";

const runMs = Number(process.env.BENCH_SECONDS ?? 3) * 1000;
const rounds = 5;
/** Of `/proc/PID/stat`. */
const ticksPerSecond = 100;
const token = "a-token-of-the-benchmark";

const directory = mkdtempSync(join(tmpdir(), "overhead-"));
const collector = await startTraceCollector();
const tokens = join(directory, "tokens.csv");
// Administrators are exempt from flow control.
writeFileSync(tokens, `${token},reader,1,readers\n`);
const tracing = (rate: number): readonly string[] => {
  const file = join(directory, `tracing-${rate}.yaml`);
  const configuration = {
    apiVersion: "apiserver.config.k8s.io/v1alpha1",
    kind: "TracingConfiguration",
    endpoint: collector.endpoint,
    samplingRatePerMillion: rate,
  };
  writeFileSync(file, JSON.stringify(configuration));
  return ["--feature-gates=APIServerTracing=true", `--tracing-config-file=${file}`];
};

const variants: readonly (readonly [name: string, shown: string, args: readonly string[]])[] = [
  ["plain", "as it is", []],
  ["no_flow_control", "without flow control", ["--enable-priority-and-fairness=false"]],
  ["tracing_0", "tracing, nothing sampled", tracing(0)],
  ["tracing_1", "tracing, 1 in 100 sampled", tracing(10_000)],
];
const figures = new Figures();
const servers: ServerProcess[] = [];
try {
  for (const [, , args] of variants)
    servers.push(await startServer({ args: [`--token-auth-file=${tokens}`, ...args] }));
  const costs = variants.map((): number[] => []);
  for (const server of servers) await prepare(server);
  // They take turns, so that other work on the machine affects all alike. The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const [index, server] of servers.entries()) {
      const cost = await costOfGet(server);
      if (round > 0) costs[index]?.push(cost);
    }
  }
  const median = (values: readonly number[]): number =>
    [...values].sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  const [plain = 0, without = 0, tracing0 = 0, tracing1 = 0] = costs.map(median);
  for (const [index, [name, shown]] of variants.entries()) {
    figures.record(`µs of processor a get, ${shown}`, median(costs[index] ?? []), `get_${name}_us`);
  }
  figures.record(
    "%: flow control's share of a get",
    ((plain - without) / plain) * 100,
    "flow_control_percent",
  );
  figures.record(
    "%: what tracing adds, nothing sampled",
    ((tracing0 - plain) / plain) * 100,
    "tracing_0_percent",
  );
  figures.record(
    "%: what tracing adds, 1 in 100 sampled",
    ((tracing1 - plain) / plain) * 100,
    "tracing_1_percent",
  );
} finally {
  for (const server of servers) await server.dispose();
  collector.close();
  rmSync(directory, { recursive: true, force: true });
}
figures.end();

async function prepare(server: ServerProcess): Promise<void> {
  const api = new ApiClient(server);
  const spec = { containers: [{ name: "main", image: "busybox" }], automountServiceAccountToken: false };
  for (let i = 0; i < 10; i++) {
    const made = await api.post("/api/v1/namespaces/default/pods", {
      metadata: { name: `bench-${i}` },
      spec,
    });
    if (made.status !== 201) throw new Error(made.text);
  }
  await api.close();
}

async function costOfGet(server: ServerProcess): Promise<number> {
  const api = new ApiClient(server);
  const { ca } = api.tls;
  const before = processorUs(server.pid);
  const { operations, failures } = await runLoad({
    target: { host: "127.0.0.1", port: server.port, ca, cert: undefined, key: undefined, tokens: [token] },
    protocol: "http1",
    connections: 16,
    operation: "get",
    namespace: "default",
    name: "bench",
    count: 10,
    durationMs: runMs,
  });
  const after = processorUs(server.pid);
  await api.close();
  if (failures > 0) throw new Error(`${failures} of ${operations} gets failed`);
  return (after - before) / operations;
}

function processorUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
}
