import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { ConnectProxy } from "../support/connect-proxy.js";
import { startServerHere } from "../support/in-process-server.js";
import { TestAuthority } from "./certificates.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

describe.skipIf(etcdMissing)(
  `through a proxy${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let directory: string;
    let authority: TestAuthority;

    beforeAll(() => {
      directory = mkdtempSync(join(tmpdir(), "etcd-egress-"));
      authority = new TestAuthority(directory, "authority");
    });

    afterAll(() => rmSync(directory, { recursive: true }));

    const transportFile = (transport: object): string => {
      const file = join(directory, "egress.yaml");
      const connection = { proxyProtocol: "HTTPConnect", transport };
      writeFileSync(
        file,
        JSON.stringify({
          apiVersion: "apiserver.k8s.io/v1beta1",
          kind: "EgressSelectorConfiguration",
          egressSelections: [{ name: "etcd", connection }],
        }),
      );
      return file;
    };

    /** Writes, watches and reads with a server that has these options. */
    const use = async (args: readonly string[]): Promise<void> => {
      const server = await startServerHere({ args });
      const api = new ApiClient(server);
      try {
        const maps = "/api/v1/namespaces/default/configmaps";
        expect((await api.post(maps, { metadata: { name: "one" }, data: { a: "1" } })).status).toBe(201);
        expect((await api.get(`${maps}/one`)).body.data).toEqual({ a: "1" });
        expect((await api.get("/readyz")).status).toBe(200);
      } finally {
        await api.close();
        await server.dispose();
      }
    };

    test("over TLS, to a name that means something behind the proxy only", async () => {
      const cluster = await EtcdCluster.start();
      const [endpoint = ""] = cluster.endpoints;
      const certificate = authority.issue("proxy");
      const client = authority.issue("client");
      const read = (file: string): string => readFileSync(file, "utf8");
      const proxy = await ConnectProxy.start({
        tls: {
          cert: read(certificate.certFile),
          key: read(certificate.keyFile),
          ca: read(authority.caFile),
        },
        hosts: new Map([["store.invalid:2379", Number(new URL(endpoint).port)]]),
      });
      try {
        const file = transportFile({
          tcp: {
            url: `https://127.0.0.1:${proxy.port}`,
            tlsConfig: {
              caBundle: authority.caFile,
              clientCert: client.certFile,
              clientKey: client.keyFile,
            },
          },
        });
        await use([`--egress-selector-config-file=${file}`, "--etcd-servers=http://store.invalid:2379"]);
        expect(new Set(proxy.asked)).toEqual(new Set(["store.invalid:2379"]));
      } finally {
        await proxy.stop();
        await cluster.close();
      }
    });

    test("at a socket, with TLS to the store", async () => {
      const client = authority.issue("client");
      const cluster = await EtcdCluster.start({
        tls: { caFile: authority.caFile, ...authority.issue("server") },
      });
      const [endpoint = ""] = cluster.endpoints;
      const socketPath = join(directory, "proxy.sock");
      const proxy = await ConnectProxy.start({ socketPath });
      try {
        const file = transportFile({ uds: { udsName: socketPath } });
        await use([
          `--egress-selector-config-file=${file}`,
          `--etcd-servers=${endpoint}`,
          `--etcd-cafile=${authority.caFile}`,
          `--etcd-certfile=${client.certFile}`,
          `--etcd-keyfile=${client.keyFile}`,
        ]);
        expect(new Set(proxy.asked)).toEqual(new Set([new URL(endpoint).host]));
      } finally {
        await proxy.stop();
        await cluster.close();
      }
    });
  },
);
