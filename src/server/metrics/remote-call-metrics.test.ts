import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { RemoteClient } from "../../remote/remote-client.js";
import { LogLevels } from "../../telemetry/log-levels.js";
import { createLogger } from "../../telemetry/logger.js";
import { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import { observeRemoteCalls } from "./remote-call-metrics.js";

const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

test("calls to other servers are counted by outcome, and logged at level 6 without their queries", async () => {
  const server = createServer((request, answer) => {
    answer.statusCode = request.url?.startsWith("/missing") === true ? 404 : 200;
    answer.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  undo.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const metrics = new Metrics();
  const lines: string[] = [];
  const log = createLogger({
    levels: new LogLevels(6),
    write: (line) => lines.push(line),
    now: () => new Date(0),
  });
  const stop = observeRemoteCalls(metrics, log);
  undo.push(stop);
  const call = async (at: number, path: string): Promise<void> => {
    const url = new URL(`http://127.0.0.1:${at}`);
    const client = new RemoteClient({
      server: { url, caPem: undefined, serverName: undefined, insecure: false },
    });
    undo.push(() => client.close());
    const query = { token: "swordfish" };
    await client
      .request({ method: "GET", path, query, timeoutMs: 5000, answerBytesMax: 100 })
      .catch(() => undefined);
  };
  await call(port, "/there");
  await call(port, "/missing");
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await call(port, "/away");
  const counted = (await printMetrics(metrics.read()))
    .split("\n")
    .filter((line) => line.startsWith("rest_client_requests_total{"));
  const host = `host="127.0.0.1:${port}"`;
  expect(counted).toContain(`rest_client_requests_total{code="200",method="GET",${host}} 1`);
  expect(counted).toContain(`rest_client_requests_total{code="404",method="GET",${host}} 1`);
  expect(counted.some((line) => line.startsWith('rest_client_requests_total{code="<error>"'))).toBe(true);
  expect(lines[0]).toMatch(
    new RegExp(
      `remote call method="GET" url="http://127.0.0.1:${port}/there" code="200" latency="[\\d.]+ms"`,
    ),
  );
  expect(lines.join("")).not.toContain("swordfish");
  stop();
  const before = lines.length;
  await call(port, "/there");
  expect(lines).toHaveLength(before);
});
