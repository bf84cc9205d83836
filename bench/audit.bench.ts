import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { runLoad } from "./load/run-load.js";
import { targetOf } from "./load/target.js";
import { Figures } from "./support/figures.js";
import { getsInTurns } from "./support/gets-in-turns.js";

/**
 * The cost of audit: gets and creates without it, and with each level, to a log in batch mode and to a blocking one. The servers take
 * turns, so that other load on the machine affects all of them. Goals at level Metadata in batch mode: 10 % of the rate of gets, 5 % of
 * that of creates.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 2);
const turns = Number(process.env.BENCH_TURNS ?? 3);
const figures = new Figures();

const variants = [
  { name: "off", level: undefined, mode: "batch" },
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
  const created = variants.map((): number[] => []);
  for (let turn = 0; turn <= turns; turn++) {
    for (const [index, server] of servers.entries()) {
      const base = {
        target: targetOf(server),
        protocol: "http1" as const,
        connections: 32,
        namespace: "default",
        name: `t${turn}`,
        durationMs: seconds * 1000,
      };
      const { perSecond } = await runLoad({ ...base, operation: "create", count: 100_000 });
      // The first round warms up.
      if (turn > 0) created[index]?.push(perSecond);
    }
  }
  const gets = await getsInTurns(
    servers.map((server) => ({
      pid: server.pid,
      target: targetOf(server),
      path: "/api/v1/namespaces/default",
    })),
    { rounds: 20, turnMs: seconds * 150, connections: 16 },
  );
  for (const [index, { name }] of variants.entries()) {
    const measured = gets[index];
    if (measured === undefined) throw new Error("each server is measured");
    figures.record(`µs of processor a get, audit ${name}`, measured.cpuUs);
    figures.record(`µs of that in the main thread, audit ${name}`, measured.mainUs);
    figures.record(`get, 16 connections, audit ${name}: per second`, measured.perSecond);
    if (index === 0) continue;
    figures.record(`%: what audit ${name} adds to a get`, measured.morePercent);
    figures.record(`get, audit ${name}: ratio to off`, measured.rateRatio);
  }
  const off = median(created[0] ?? []);
  for (const [index, { name }] of variants.entries()) {
    const perSecond = median(created[index] ?? []);
    figures.record(`create, 32 connections, audit ${name}: per second`, perSecond);
    if (index > 0) figures.record(`create, audit ${name}: ratio to off`, perSecond / off);
  }
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

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
