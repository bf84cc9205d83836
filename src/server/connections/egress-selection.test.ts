import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import { loadEgressProxies } from "./egress-selection.js";

const directory = mkdtempSync(join(tmpdir(), "egress-"));
const file = join(directory, "egress.yaml");
const caFile = join(directory, "ca.pem");
const naming = createNaming("kubernetes");

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function load(selections: object, type: object = {}) {
  const head = { apiVersion: "apiserver.k8s.io/v1beta1", kind: "EgressSelectorConfiguration" };
  writeFileSync(file, JSON.stringify({ ...head, ...type, egressSelections: selections }));
  return loadEgressProxies(file, naming);
}

function cluster(connection: object) {
  return load([{ name: "cluster", connection }]);
}

const httpConnect = (transport: object) => ({ proxyProtocol: "HTTPConnect", transport });

test("without a file, and for purposes that it does not name, connections are direct", async () => {
  const straight = { cluster: undefined, controlplane: undefined, store: undefined };
  expect(await loadEgressProxies(undefined, naming)).toEqual(straight);
  const direct = { proxyProtocol: "Direct" };
  expect(
    await load([
      { name: "etcd", connection: direct },
      { name: "master", connection: direct },
      { name: "cluster", connection: direct },
    ]),
  ).toEqual(straight);
});

test("each purpose has its own proxy", async () => {
  const at = (socketPath: string) => httpConnect({ uds: { udsName: socketPath } });
  expect(
    await load([
      { name: "etcd", connection: at("/etcd") },
      { name: "controlplane", connection: at("/controlplane") },
      { name: "cluster", connection: at("/cluster") },
    ]),
  ).toEqual({
    cluster: { at: { socketPath: "/cluster" } },
    controlplane: { at: { socketPath: "/controlplane" } },
    store: { at: { socketPath: "/etcd" } },
  });
});

test("a proxy is at a URL or at a socket", async () => {
  writeFileSync(caFile, "PEM");
  const at = (url: string, tlsConfig?: object) => cluster(httpConnect({ tcp: { url, tlsConfig } }));
  expect(await at("http://proxy:8080")).toMatchObject({ cluster: { at: { host: "proxy", port: 8080 } } });
  expect(await at("https://[::1]", { caBundle: caFile })).toMatchObject({
    cluster: { at: { host: "::1", port: 443 }, tls: { ca: "PEM" } },
  });
  expect(await cluster(httpConnect({ uds: { udsName: "/run/proxy.sock" } }))).toMatchObject({
    cluster: { at: { socketPath: "/run/proxy.sock" } },
  });
});

test.each<[string, object, RegExp]>([
  [
    "gRPC",
    { proxyProtocol: "GRPC" },
    /proxyProtocol: Invalid value: "GRPC": konnectivity over gRPC is not supported/,
  ],
  ["another protocol", { proxyProtocol: "SOCKS" }, /proxyProtocol: Unsupported value: "SOCKS"/],
  ["a transport of nothing", { proxyProtocol: "Direct", transport: {} }, /Transport config should be absent/],
  ["no transport", httpConnect({}), /connection\.transport: Required value: exactly one of tcp and uds/],
  [
    "two transports",
    httpConnect({ tcp: { url: "http://x" }, uds: { udsName: "/x" } }),
    /exactly one of tcp and uds/,
  ],
  ["no socket", httpConnect({ uds: {} }), /uds\.udsName: Required value/],
  ["no URL", httpConnect({ tcp: { url: "proxy:8080" } }), /tcp\.url: Invalid value: "proxy:8080"/],
  ["certificates in the clear", httpConnect({ tcp: { url: "http://x", tlsConfig: {} } }), /must be absent/],
  [
    "half a certificate",
    httpConnect({ tcp: { url: "https://x", tlsConfig: { clientCert: "x" } } }),
    /clientCert and clientKey go together/,
  ],
  [
    "a file that is not there",
    httpConnect({ tcp: { url: "https://x", tlsConfig: { caBundle: "/nothing.pem" } } }),
    /\/nothing\.pem/,
  ],
])("%s is refused", async (_what, connection, message) => {
  await expect(cluster(connection)).rejects.toThrow(message);
});

test("names are known and unique", async () => {
  const direct = { proxyProtocol: "Direct" };
  await expect(load([{ name: "moon", connection: direct }])).rejects.toThrow(
    /name: Unsupported value: "moon"/,
  );
  await expect(
    load([
      { name: "cluster", connection: direct },
      { name: "cluster", connection: direct },
    ]),
  ).rejects.toThrow("must be unique");
  await expect(load([], { kind: "Pod" })).rejects.toThrow(
    "want EgressSelectorConfiguration of apiserver.k8s.io",
  );
});
