import { mkdtempSync, rmSync } from "node:fs";
import { createServer, Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Agent, request } from "undici";
import { ApiClient } from "../test/support/api-client.js";
import { registerServer } from "../test/support/api-services.js";
import { ExtensionApiServer } from "../test/support/extension-api-server.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { TestAuthority } from "../test/support/test-authority.js";
import { Figures } from "./support/figures.js";

/** Requests to an extension server: directly, through a bare reverse proxy of Node.js, and through this server. */

const group = "wardle.example.com";
const base = `/apis/${group}/v1`;
const flunders = `${base}/namespaces/default/flunders`;
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const watches = Number(process.env.BENCH_WATCHES ?? 1000);
const figures = new Figures();

await main();

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "bench-"));
  const authority = await TestAuthority.create("extension servers");
  const names = ["flunders.default.svc", "localhost"];
  const extension = await ExtensionApiServer.start({ group, version: "v1", names, authority });
  const server = await startServer({ dataDirectory: join(directory, "data") });
  const api = new ApiClient(server);
  try {
    await register(api, extension.port, authority);
    await measure(extension, server, api, authority);
  } finally {
    await api.close();
    await server.stop();
    await extension.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  figures.end();
}

async function register(api: ApiClient, port: number, authority: TestAuthority): Promise<void> {
  await registerServer(api, { group, version: "v1", port, authority });
  const deadline = Date.now() + 30_000;
  while ((await api.get(flunders)).status !== 200) {
    if (Date.now() > deadline) throw new Error("the extension server does not become available");
    await setTimeout(100);
  }
}

async function measure(
  extension: ExtensionApiServer,
  server: ServerProcess,
  api: ApiClient,
  authority: TestAuthority,
): Promise<void> {
  await api.post(flunders, { metadata: { name: "one" }, spec: { text: "x".repeat(1000) } });
  const bare = await bareProxy(authority, extension.port);
  const ways = [
    ["straight", `https://localhost:${extension.port}`, { ca: authority.caPem }],
    ["through a bare proxy", `https://localhost:${bare.port}`, { ca: authority.caPem }],
    ["through this server", server.url, api.tls],
  ] as const;
  for (const connections of [1, 32]) {
    for (const [name, url, connect] of ways) {
      const agent = new Agent({ connect, connections });
      await rate(agent, url, connections, 500);
      const { perSecond, p50 } = await rate(agent, url, connections, seconds * 1000);
      const label = `${name}, ${connections} connection${connections === 1 ? "" : "s"}`;
      figures.record(`gets per second, ${label}`, perSecond);
      figures.record(`p50 (ms), ${label}`, p50);
      await agent.close();
    }
  }
  await bare.stop();
  await measureWatches(server, api);
}

async function rate(
  agent: Agent,
  url: string,
  connections: number,
  durationMs: number,
): Promise<{ readonly perSecond: number; readonly p50: number }> {
  const times: number[] = [];
  const began = performance.now();
  const end = began + durationMs;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const asked = performance.now();
      const { body } = await request(`${url}${flunders}/one`, { dispatcher: agent });
      await body.arrayBuffer();
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const elapsed = performance.now() - began;
  times.sort((a, b) => a - b);
  return { perSecond: (times.length / elapsed) * 1000, p50: times[Math.floor(times.length / 2)] ?? 0 };
}

async function measureWatches(server: ServerProcess, api: ApiClient): Promise<void> {
  const agent = new Agent({ connect: api.tls, bodyTimeout: 0 });
  const began = performance.now();
  const streams = await Promise.all(
    Array.from({ length: watches }, async () => {
      const { body } = await request(`${server.url}${base}/flunders?watch=1`, { dispatcher: agent });
      return body;
    }),
  );
  figures.record(`opening ${watches} watches (ms)`, performance.now() - began);
  const posted = performance.now();
  const told = streams.map(async (stream) => {
    for await (const _piece of stream) return;
  });
  await api.post(flunders, { metadata: { name: "seen-by-all" } });
  await Promise.all(told);
  figures.record(`an event at all ${watches} watches (ms)`, performance.now() - posted);
  await agent.destroy();
}

/** The least code that proxies in Node.js. */
async function bareProxy(
  authority: TestAuthority,
  port: number,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const { certPem, keyPem } = await authority.issue({
    commonName: "localhost",
    usage: "server",
    names: ["localhost"],
  });
  const agent = new HttpsAgent({ keepAlive: true, ca: authority.caPem });
  const proxy = createServer({ cert: certPem, key: keyPem }, (incoming, outgoing) => {
    const call = httpsRequest(
      {
        host: "localhost",
        port,
        agent,
        method: incoming.method,
        path: incoming.url,
        headers: incoming.headers,
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(call);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    port: (proxy.address() as AddressInfo).port, // it listens on a port
    async stop() {
      proxy.closeAllConnections();
      agent.destroy();
      await new Promise<void>((resolve) => proxy.close(() => resolve()));
    },
  };
}
