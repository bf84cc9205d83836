import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type ServerProcess, startServer } from "../support/server-process.js";

/** A list is sent from what is in memory already: however long it is, the process hardly grows. */

const objects = 10_000;
// Not so large that lanes make the forms of the objects.
const text = "x".repeat(38_800);
const growthMaxMb = 100;
const writersAtOnce = 32;

let server: ServerProcess;
let api: ApiClient;

beforeAll(async () => {
  server = await startServer({ args: ["--api-level=1.35", "--max-requests-inflight=1000"] });
  api = new ApiClient(server);
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < objects) {
      const { status } = await api.post("/api/v1/namespaces/default/configmaps", {
        metadata: { name: `map-${next++}` },
        data: { text },
      });
      if (status !== 201) throw new Error(`a write was answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: writersAtOnce }, write));
}, 600_000);

afterAll(async () => {
  await api.close();
  await server.dispose();
});

function residentMb(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Resident memory once it has stopped falling, as it does after the writes. */
async function settledMb(): Promise<number> {
  for (let before = residentMb(); ; ) {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const now = residentMb();
    if (Math.abs(before - now) < 5) return now;
    before = now;
  }
}

test.runIf(process.platform === "linux").each([
  ["application/json", {}],
  ["application/json", { "accept-encoding": "gzip" }],
  ["application/vnd.kubernetes.protobuf", {}],
])("%s %j", { timeout: 300_000 }, async (accept, headers) => {
  const before = await settledMb();
  let most = before;
  let bytes = 0;
  let pieces = 0;
  for await (const piece of api.stream("/api/v1/namespaces/default/configmaps", { accept, ...headers })) {
    bytes += piece.length;
    if (++pieces % 100 === 0) most = Math.max(most, residentMb());
  }
  console.log(
    `${accept} ${JSON.stringify(headers)}: ${bytes} bytes, ${Math.round(most - before)} MB more than ${Math.round(before)}`,
  );
  expect(bytes).toBeGreaterThan(objects);
  expect(most - before).toBeLessThan(growthMaxMb);
});
