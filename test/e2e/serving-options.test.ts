import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, connect, type EphemeralKeyInfo } from "node:tls";
import { afterAll, expect, test } from "vitest";
import { type InProcessServer, startInProcess } from "../support/in-process-server.js";

const opened: InProcessServer[] = [];
const directory = mkdtempSync(join(tmpdir(), "serving-options-"));
afterAll(async () => {
  for (const server of opened) await server.dispose();
  rmSync(directory, { recursive: true, force: true });
});

async function start(options: Parameters<typeof startInProcess>[0]): Promise<InProcessServer> {
  const server = await startInProcess(options);
  opened.push(server);
  return server;
}

/** What a client agrees on with the server. */
async function handshake(server: InProcessServer, options: ConnectionOptions) {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port), ...server.api.tls, ...options });
  await once(socket, "secureConnect");
  const { alpnProtocol } = socket;
  const { name } = socket.getEphemeralKeyInfo() as EphemeralKeyInfo;
  socket.destroy();
  return { alpnProtocol, name };
}

const both = { ALPNProtocols: ["h2", "http/1.1"] };

test("--disable-http2-serving offers HTTP/1.1 alone", async () => {
  const plain = await start({ apiLevel: "1.29" });
  expect((await handshake(plain, both)).alpnProtocol).toBe("h2");
  const old = await start({ apiLevel: "1.29", disableHttp2Serving: true });
  expect((await handshake(old, both)).alpnProtocol).toBe("http/1.1");
  expect((await old.api.get("/version")).status).toBe(200);
});

test("--tls-curve-preferences leaves these key exchanges alone", async () => {
  const server = await start({ apiLevel: "1.36", tlsCurvePreferences: ["24"] });
  expect((await handshake(server, {})).name).toBe("secp384r1");
  await expect(handshake(server, { ecdhCurve: "X25519" })).rejects.toThrow();
  await expect(startInProcess({ apiLevel: "1.36", tlsCurvePreferences: ["7"] })).rejects.toThrow(
    "--tls-curve-preferences: key exchange 7 is not known",
  );
});

test("--allow-metric-labels-manifest names the values that are counted by themselves", async () => {
  const manifest = join(directory, "labels.yaml");
  writeFileSync(manifest, "apiserver_request_total,resource: pods,secrets\n");
  const server = await start({ apiLevel: "1.27", allowMetricLabelsManifest: manifest });
  await server.api.get("/api/v1/pods");
  await server.api.get("/api/v1/configmaps");
  const counted = (await server.api.get("/metrics")).text
    .split("\n")
    .filter((line) => line.startsWith("apiserver_request_total") && line.includes('verb="LIST"'));
  const resources = new Set(counted.map((line) => /resource="([^"]*)"/.exec(line)?.[1]));
  expect([...resources].toSorted()).toEqual(["pods", "unexpected"]);
  writeFileSync(manifest, "apiserver_request_total: pods\n");
  await expect(startInProcess({ apiLevel: "1.27", allowMetricLabelsManifest: manifest })).rejects.toThrow(
    "--allow-metric-labels-manifest:",
  );
});
