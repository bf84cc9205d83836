import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { runLoad } from "./load/run-load.js";
import { targetOf } from "./load/target.js";
import { Figures } from "./support/figures.js";

/**
 * The cost of audit: gets and creates without it, and with each level, to a log in batch mode and to a blocking one. The servers take
 * turns, so that other load on the machine affects all of them.
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
  const results = variants.map(() => ({ get: [] as number[], create: [] as number[] }));
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
      const created = await runLoad({ ...base, operation: "create", count: 100_000 });
      const count = Math.max(1, Math.min(created.operations, 1000));
      const got = await runLoad({ ...base, operation: "get", count });
      // The first round warms up.
      if (turn === 0) continue;
      results[index]?.get.push(got.perSecond);
      results[index]?.create.push(created.perSecond);
    }
  }
  for (const operation of ["get", "create"] as const) {
    const off = median(results[0]?.[operation] ?? []);
    for (const [index, { name }] of variants.entries()) {
      const perSecond = median(results[index]?.[operation] ?? []);
      figures.record(`${operation}, 32 connections, audit ${name}: per second`, perSecond);
      if (index > 0) figures.record(`${operation}, audit ${name}: ratio to off`, perSecond / off);
    }
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
