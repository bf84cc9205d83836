/**
 * What flow control, tracing and the request log add to a get, as processor time of the server per request. Goals: flow control at most 5 %
 * of a get; tracing configured but nothing sampled 1 %, one request in a hundred sampled 2 %.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiClient } from "../test/support/api-client.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { startTraceCollector } from "../test/support/trace-collector.js";
import { targetOf } from "./load/target.js";
import { Figures } from "./support/figures.js";
import { getsInTurns } from "./support/gets-in-turns.js";

const turnMs = Number(process.env.BENCH_SECONDS ?? 3) * 200;
const rounds = 25;
const token = "a-token-of-the-benchmark";

const directory = mkdtempSync(join(tmpdir(), "overhead-"));
const collector = await startTraceCollector();
const tokens = join(directory, "tokens.csv");
// Administrators are exempt from flow control.
writeFileSync(tokens, `${token},reader,1,readers\n`);
const tracingAt = (rate: number): readonly string[] => {
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
  ["no_flow_control", "without flow control", ["--enable-priority-and-fairness=false"]],
  ["plain", "as it is", []],
  ["tracing_0", "tracing, nothing sampled", tracingAt(0)],
  ["tracing_1", "tracing, 1 in 100 sampled", tracingAt(10_000)],
];
const figures = new Figures();
const servers: ServerProcess[] = [];
try {
  for (const [, , args] of variants)
    servers.push(await startServer({ args: [`--token-auth-file=${tokens}`, ...args] }));
  for (const server of servers) await prepare(server);
  const subjects = servers.map((server) => ({
    pid: server.pid,
    target: { ...targetOf(server), cert: undefined, key: undefined, tokens: [token] },
    path: "/api/v1/namespaces/default/pods/bench",
  }));
  const options = { rounds, turnMs, connections: 16 };
  const [without, ...others] = subjects;
  const [plain] = others;
  if (without === undefined || plain === undefined) throw new Error("a server is missing");
  const [, flowControl] = await getsInTurns([without, plain], options);
  const tracing = await getsInTurns(others, options);
  for (const [index, [name, shown]] of variants.slice(1).entries()) {
    figures.record(`µs of processor a get, ${shown}`, tracing[index]?.cpuUs ?? Number.NaN, `get_${name}_us`);
  }
  const percent = (what: string, value: number | undefined, name: string): void =>
    figures.record(`%: ${what}`, value ?? Number.NaN, name);
  percent("what flow control adds to a get without it", flowControl?.morePercent, "flow_control_percent");
  percent("what tracing adds, nothing sampled", tracing[1]?.morePercent, "tracing_0_percent");
  percent("what tracing adds, 1 in 100 sampled", tracing[2]?.morePercent, "tracing_1_percent");
} finally {
  for (const server of servers) await server.dispose();
  collector.close();
  rmSync(directory, { recursive: true, force: true });
}
figures.end();

async function prepare(server: ServerProcess): Promise<void> {
  const api = new ApiClient(server);
  const spec = { containers: [{ name: "main", image: "busybox" }], automountServiceAccountToken: false };
  const made = await api.post("/api/v1/namespaces/default/pods", { metadata: { name: "bench" }, spec });
  if (made.status !== 201) throw new Error(made.text);
  await api.close();
}
