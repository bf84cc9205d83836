/**
 * What flow control and tracing add to a get, and tracing to a create, as processor time of the server's main thread per request, which
 * bounds the rate. Goals: flow control at most 5 % of a get; tracing nothing while no request is sampled, and at most 2 % when one in a
 * hundred is.
 *
 * What tracing costs is measured between servers of one process, as two processes of the same program differ by one or two percent.
 * The first two have the same options: their difference is the error of the measurement. Sampling one request in ten adds ten times what
 * one in a hundred adds, and is easier to tell from the noise.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ApiClient } from "../test/support/api-client.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { startTraceCollector } from "../test/support/trace-collector.js";
import type { Target } from "./load/http1-client.js";
import type { SiblingJob } from "./load/sibling-servers.js";
import { targetOf } from "./load/target.js";
import { Figures } from "./support/figures.js";
import { getsInTurns, type Measured, type Subject } from "./support/gets-in-turns.js";
import { mean, quantile } from "./support/statistics.js";

const seconds = Number(process.env.BENCH_SECONDS ?? 3);
/** `flow-control`, `tracing-gets` and `tracing-creates`; all when unset. */
const parts = process.env.BENCH_PARTS?.split(",");
const token = "a-token-of-the-benchmark";

const directory = mkdtempSync(join(tmpdir(), "overhead-"));
const tokens = join(directory, "tokens.csv");
// Administrators are exempt from flow control.
writeFileSync(tokens, `${token},reader,1,readers\n`);
const path = "/api/v1/namespaces/default/pods/bench";
const figures = new Figures();
try {
  const measures = {
    "flow-control": measureFlowControl,
    "tracing-gets": () => measureTracing("get"),
    "tracing-creates": () => measureTracing("create"),
  };
  for (const [name, measure] of Object.entries(measures)) {
    if (parts === undefined || parts.includes(name)) await measure();
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
figures.end();

async function measureFlowControl(): Promise<void> {
  const servers: ServerProcess[] = [];
  try {
    for (const isOn of [false, true, false, true]) {
      const args = [`--token-auth-file=${tokens}`, `--enable-priority-and-fairness=${isOn}`];
      servers.push(await startServer({ args }));
    }
    const subjects: Subject[] = [];
    for (const server of servers) {
      await makePod(server);
      subjects.push({ pid: server.pid, path, target: withToken(server) });
    }
    const measured = await getsInTurns(subjects, { rounds: 16, turnMs: seconds * 200, connections: 16 });
    const costOf = (first: number): number =>
      mean(measured.flatMap(({ mainUs }, index) => (index % 2 === first ? [mainUs] : [])));
    figures.record("µs of the main thread a get, without flow control", costOf(0), "get_no_flow_control_us");
    figures.record("µs, as it is", costOf(1), "get_plain_us");
    figures.record("%: what flow control adds", (costOf(1) / costOf(0) - 1) * 100, "flow_control_percent");
  } finally {
    for (const server of servers) await server.dispose();
  }
}

async function measureTracing(what: "get" | "create"): Promise<void> {
  const collector = await startTraceCollector();
  const library = fileURLToPath(new URL("./load/sibling-servers.mjs", import.meta.url));
  const worker = fork(library, { serialization: "advanced" });
  try {
    const rates = [undefined, undefined, 0, 10_000, 100_000];
    const job: SiblingJob = {
      library: pathToFileURL(join(process.cwd(), "bin/library.mjs")).href,
      servers: rates.map((rate, index) => ({
        tokenAuthFile: tokens,
        writeKubeconfig: kubeconfigOf(index),
        ...(rate !== undefined && {
          featureGates: new Map([["APIServerTracing", true]] as const),
          tracingConfigFile: tracingFile(collector.endpoint, rate),
        }),
      })),
    };
    worker.send(job);
    const [ports] = (await once(worker, "message")) as [readonly number[]]; // sent once the servers listen
    const subjects: Subject[] = [];
    for (const [index, port] of ports.entries()) {
      const server = { url: `https://127.0.0.1:${port}`, port, kubeconfig: kubeconfigOf(index) };
      await makePod(server);
      subjects.push({
        pid: worker.pid ?? 0,
        path,
        target: withToken(server),
        ...(what === "create" && { creates: "default" }),
      });
    }
    const measured = await getsInTurns(subjects, {
      rounds: Math.ceil(seconds * 50),
      turnMs: 80,
      connections: 16,
    });
    figures.record(
      `µs of the main thread a ${what}, without tracing`,
      measured[0]?.mainUs ?? 0,
      `${what}_us`,
    );
    const subjectsAdded = [
      { name: "nothing: half of what the two without it differ by", key: "same" },
      { name: "tracing, nothing sampled", key: "tracing_0" },
      { name: "tracing, 1 in 100 sampled", key: "tracing_1" },
      { name: "tracing, 1 in 10 sampled", key: "tracing_10" },
    ];
    for (const [index, { name, key }] of subjectsAdded.entries()) {
      const { percent, error, allPercent } = added(measured[index + 1], measured.slice(0, 2));
      figures.record(`%: what ${name} adds to a ${what}`, percent, `${what}_${key}_percent`);
      figures.record("  standard error of that", error, `${what}_${key}_error`);
      figures.record("  with all threads", allPercent, `${what}_${key}_all_percent`);
    }
    figures.record("spans received", collector.spans.length, `${what}_spans`);
  } finally {
    const ended = once(worker, "exit");
    worker.disconnect();
    await ended;
    collector.close();
  }
}

/**
 * By how much a subject exceeds the mean of the two without tracing in the same round: the medians of the rounds, in percent, and the
 * standard error of the first.
 */
function added(
  subject: Measured | undefined,
  base: readonly Measured[],
): { readonly percent: number; readonly error: number; readonly allPercent: number } {
  const ratios = (of: "mainUsOfRounds" | "cpuUsOfRounds"): number[] =>
    (subject?.[of] ?? []).map(
      (us, round) => (us / mean(base.map((each) => each[of][round] ?? Number.NaN)) - 1) * 100,
    );
  const main = ratios("mainUsOfRounds");
  // The standard error of a median, estimated from the middle two thirds, which in a normal distribution lie within one standard
  // deviation.
  const deviation = (quantile(main, 5 / 6) - quantile(main, 1 / 6)) / 2;
  return {
    percent: quantile(main, 0.5),
    error: (1.25 * deviation) / Math.sqrt(main.length),
    allPercent: quantile(ratios("cpuUsOfRounds"), 0.5),
  };
}

function tracingFile(endpoint: string, rate: number): string {
  const file = join(directory, `tracing-${rate}.yaml`);
  const configuration = {
    apiVersion: "apiserver.config.k8s.io/v1alpha1",
    kind: "TracingConfiguration",
    endpoint,
    samplingRatePerMillion: rate,
  };
  writeFileSync(file, JSON.stringify(configuration));
  return file;
}

function kubeconfigOf(index: number): string {
  return join(directory, `sibling-${index}.kubeconfig`);
}

function withToken(server: Pick<ServerProcess, "port" | "kubeconfig">): Target {
  return { ...targetOf(server), cert: undefined, key: undefined, tokens: [token] };
}

async function makePod(server: Pick<ServerProcess, "url" | "kubeconfig">): Promise<void> {
  const api = new ApiClient(server);
  const spec = { containers: [{ name: "main", image: "busybox" }], automountServiceAccountToken: false };
  const made = await api.post("/api/v1/namespaces/default/pods", { metadata: { name: "bench" }, spec });
  if (made.status !== 201) throw new Error(made.text);
  await api.close();
}
