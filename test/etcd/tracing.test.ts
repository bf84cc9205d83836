import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type ClientHttp2Session, connect, createServer, type IncomingHttpHeaders } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { startServer } from "../support/server-process.js";
import { startTraceCollector } from "../support/trace-collector.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

const traceId = "a".repeat(32);

/** Forwards all calls to etcd, and records their headers. */
async function recordCalls(endpoint: string) {
  const calls: IncomingHttpHeaders[] = [];
  let etcd: ClientHttp2Session | undefined;
  // It may take a moment until etcd listens.
  const session = (): ClientHttp2Session => {
    if (etcd === undefined || etcd.destroyed) {
      etcd = connect(endpoint);
      etcd.on("error", () => undefined);
    }
    return etcd;
  };
  const server = createServer();
  server.on("stream", (stream, headers) => {
    calls.push(headers);
    const { ":authority": _authority, ":scheme": _scheme, ...passed } = headers;
    const call = session().request(passed, { endStream: false });
    call.on("response", (answer) => {
      stream.respond(answer, { waitForTrailers: true });
      call.pipe(stream);
    });
    call.on("trailers", (trailers) => stream.once("wantTrailers", () => stream.sendTrailers(trailers)));
    stream.on("error", () => call.close());
    call.on("error", () => stream.close());
    stream.on("close", () => call.close());
    stream.pipe(call);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const close = (): void => {
    etcd?.destroy();
    server.close();
  };
  return { endpoint: `http://127.0.0.1:${port}`, calls, close };
}

test.skipIf(etcdMissing)("etcd hears of the trace of a write and of an uncached read", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tracing-"));
  const etcd = await EtcdCluster.start();
  const recorded = await recordCalls(etcd.endpoints[0] ?? "");
  const collector = await startTraceCollector();
  const file = join(directory, "tracing.yaml");
  const configuration = {
    apiVersion: "apiserver.config.k8s.io/v1alpha1",
    kind: "TracingConfiguration",
    endpoint: collector.endpoint,
  };
  writeFileSync(file, JSON.stringify(configuration));
  const server = await startServer({
    args: [
      `--etcd-servers=${recorded.endpoint}`,
      "--watch-cache-sizes=configmaps#0",
      "--feature-gates=APIServerTracing=true",
      `--tracing-config-file=${file}`,
    ],
    env: { OTEL_BSP_SCHEDULE_DELAY: "50" },
  });
  const api = new ApiClient(server);
  try {
    const headers = { traceparent: `00-${traceId}-00000000000000a1-01` };
    const maps = "/api/v1/namespaces/default/configmaps";
    const created = await api.ask("POST", maps, { headers, body: { metadata: { name: "a" } } });
    expect(created.status).toBe(201);
    expect((await api.ask("GET", `${maps}/a`, { headers })).status).toBe(200);
    const traced = (): (string | undefined)[] =>
      recorded.calls
        .filter(({ traceparent }) => String(traceparent).includes(traceId))
        .map((c) => c[":path"]);
    expect(traced()).toContain("/etcdserverpb.KV/Txn");
    expect(traced()).toContain("/etcdserverpb.KV/Range");
    const steps = () => collector.spans.filter((span) => span.traceId === traceId).map(({ name }) => name);
    await expect.poll(steps).toContain("store create");
    await expect.poll(steps).toContain("store get");
    const create = collector.spans.find(({ name }) => name === "store create");
    const call = recorded.calls.find((c) => c[":path"] === "/etcdserverpb.KV/Txn" && c.traceparent);
    expect(call?.traceparent).toContain(create?.spanId);
  } finally {
    await api.close();
    await server.dispose();
    collector.close();
    recorded.close();
    await etcd.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
