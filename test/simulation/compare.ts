import { setTimeout } from "node:timers/promises";
import { ApiClient } from "../support/api-client.js";
import { type ServerProcess, startServer } from "../support/server-process.js";
import { endState, eventKinds } from "./end-state.js";
import { startRealCluster } from "./real-cluster.js";
import { type Scenario, scenarios } from "./scenarios.js";

/**
 * Runs scenarios on a simulated cluster, and on one with the real programs in the folder REAL_PROGRAMS, and prints in what their end states
 * differ. Without the folder, it prints the states of the simulation. SCENARIOS names some of them, and LEVEL the API level that the
 * programs are made for.
 *
 *     LEVEL=1.23 REAL_PROGRAMS=~/programs node scripts/run-ts.mjs test/simulation/compare.ts
 */

const programs = process.env.REAL_PROGRAMS;
const wanted = process.env.SCENARIOS?.split(",");
const levelArgs = [`--api-level=${process.env.LEVEL ?? "1.23"}`];
const settledMs = 4000;
const settleMsMax = 90_000;
const paths: Readonly<Record<string, string>> = {
  Deployment: "apis/apps/v1/NS/deployments",
  ReplicaSet: "apis/apps/v1/NS/replicasets",
  StatefulSet: "apis/apps/v1/NS/statefulsets",
  DaemonSet: "apis/apps/v1/NS/daemonsets",
  Job: "apis/batch/v1/NS/jobs",
  PodDisruptionBudget: "apis/policy/v1/NS/poddisruptionbudgets",
  Service: "api/v1/NS/services",
  ReplicationController: "api/v1/NS/replicationcontrollers",
  PersistentVolume: "api/v1/persistentvolumes",
  PriorityClass: "apis/scheduling.k8s.io/v1/priorityclasses",
  PersistentVolumeClaim: "api/v1/NS/persistentvolumeclaims",
};

interface Outcome {
  readonly lines: readonly string[];
  readonly tookMs: number;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const simulated = await runAll([...levelArgs, "--simulate=nodes=3"], async () => async () => undefined);
  if (programs === undefined) {
    for (const [name, { lines }] of simulated) console.log(`\n${name}\n  ${lines.join("\n  ")}`);
    return 0;
  }
  const real = await runAll(levelArgs, (server, api) => startRealCluster(server, api, programs));
  let differing = 0;
  for (const [name, { lines, tookMs }] of simulated) {
    const other = real.get(name);
    const missing = (other?.lines ?? []).filter((line) => !lines.includes(line));
    const added = lines.filter((line) => !other?.lines.includes(line));
    const isSame = missing.length === 0 && added.length === 0;
    if (!isSame) differing++;
    const times = `${(tookMs / 1000).toFixed(1)} s, real ${((other?.tookMs ?? 0) / 1000).toFixed(1)} s`;
    console.log(`${isSame ? "same     " : "DIFFERENT"} ${name} (${times})`);
    for (const line of missing) console.log(`    only real:      ${line}`);
    for (const line of added) console.log(`    only simulated: ${line}`);
  }
  return differing === 0 ? 0 : 1;
}

async function runAll(
  args: readonly string[],
  start: (server: ServerProcess, api: ApiClient) => Promise<() => Promise<void>>,
): Promise<ReadonlyMap<string, Outcome>> {
  const server = await startServer({ args });
  const api = new ApiClient(server);
  const outcomes = new Map<string, Outcome>();
  const end = await start(server, api);
  try {
    await setTimeout(programs === undefined ? 1000 : 8000);
    for (const scenario of scenarios) {
      if (wanted !== undefined && !wanted.includes(scenario.name)) continue;
      outcomes.set(scenario.name, await run(api, scenario));
    }
  } finally {
    await end();
    await api.close();
    await server.dispose();
  }
  return outcomes;
}

async function run(api: ApiClient, { name, objects, next }: Scenario): Promise<Outcome> {
  await api.post("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const begin = performance.now();
  await apply(api, name, objects);
  let at = await settle(api, name);
  if (next !== undefined) {
    await apply(api, name, next);
    at = await settle(api, name);
  }
  const lines = [...(await endState(api, name)), ...(await eventKinds(api, name))];
  await api.delete(`/api/v1/namespaces/${name}`);
  return { lines, tookMs: at - begin };
}

async function apply(api: ApiClient, namespace: string, objects: readonly object[]): Promise<void> {
  for (const object of objects) {
    const { kind, metadata, spec } = object as { kind: string; metadata: { name: string }; spec: object };
    const path = `/${(paths[kind] ?? "").replace("NS", `namespaces/${namespace}`)}`;
    const created = await api.post(path, object);
    if (created.status === 409) {
      await api.patch(`${path}/${metadata.name}`, "application/merge-patch+json", { spec });
    } else if (created.status >= 300) throw new Error(`${path}: ${created.text}`);
  }
}

/** When nothing had changed any more. */
async function settle(api: ApiClient, namespace: string): Promise<number> {
  const begin = performance.now();
  let [before, since] = ["", begin];
  while (performance.now() - begin < settleMsMax) {
    const now = JSON.stringify(await endState(api, namespace));
    if (now !== before) [before, since] = [now, performance.now()];
    else if (performance.now() - since > settledMs) break;
    await setTimeout(100);
  }
  return since;
}
