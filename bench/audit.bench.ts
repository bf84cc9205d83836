import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiClient } from "../test/support/api-client.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { targetOf } from "./load/target.js";
import { Figures } from "./support/figures.js";
import { getsInTurns } from "./support/gets-in-turns.js";

/**
 * The cost of audit: gets and creates without a policy, with one that records nothing, and with each level, written to the log in batch
 * mode and in blocking mode. The servers take turns, so that other load on the machine affects all of them. Goals at level Metadata in
 * batch mode: 10 % of the rate of gets, 5 % of that of creates.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 2);
const figures = new Figures();

const variants = [
  { name: "off", level: undefined, mode: "batch" },
  { name: "None", level: "None", mode: "batch" },
  { name: "Metadata, batch", level: "Metadata", mode: "batch" },
  { name: "Metadata, blocking", level: "Metadata", mode: "blocking" },
  { name: "RequestResponse, batch", level: "RequestResponse", mode: "batch" },
] as const;

const directory = mkdtempSync(join(tmpdir(), "bench-audit-"));
const servers: ServerProcess[] = [];
try {
  for (const [index, { level, mode }] of variants.entries()) {
    servers.push(await startServer({ args: level === undefined ? [] : auditOptions(index, level, mode) }));
  }
  for (const server of servers) await accountMade(server);
  await measure("get", 16, { rounds: 20, turnMs: seconds * 150 });
  await measure("create", 32, { rounds: 10, turnMs: seconds * 250 });
} finally {
  for (const server of servers) await server.dispose();
  rmSync(directory, { recursive: true, force: true });
}
figures.end();

function auditOptions(index: number, level: string, mode: string): string[] {
  const policy = join(directory, `policy-${index}.json`);
  const rules = [{ level }];
  const omitStages = ["RequestReceived"];
  writeFileSync(policy, JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", omitStages, rules }));
  return [
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${join(directory, `audit-${index}.log`)}`,
    `--audit-log-mode=${mode}`,
  ];
}

async function measure(
  request: "get" | "create",
  connections: number,
  turns: { rounds: number; turnMs: number },
): Promise<void> {
  const subjects = servers.map((server) => ({
    pid: server.pid,
    target: targetOf(server),
    path: "/api/v1/namespaces/default",
    ...(request === "create" && { creates: "default" }),
  }));
  const all = await getsInTurns(subjects, { ...turns, connections });
  for (const [index, { name }] of variants.entries()) {
    const measured = all[index];
    if (measured === undefined) throw new Error("each server is measured");
    figures.record(`µs of processor a ${request}, audit ${name}`, measured.cpuUs);
    figures.record(`µs of that in the main thread, ${request}, audit ${name}`, measured.mainUs);
    figures.record(`${request}, ${connections} connections, audit ${name}: per second`, measured.perSecond);
    if (index === 0) continue;
    figures.record(`%: what audit ${name} adds to a ${request}`, measured.morePercent);
    figures.record(`${request}, audit ${name}: ratio of the rates to off`, measured.rateRatio);
  }
}

/** Pods need the default service account. */
async function accountMade(server: ServerProcess): Promise<void> {
  const api = new ApiClient(server);
  try {
    while ((await api.get("/api/v1/namespaces/default/serviceaccounts/default")).status !== 200) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    await api.close();
  }
}
