import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createNaming } from "../../src/naming/naming.js";
import { ApiClient } from "../support/api-client.js";
import { availability, registerServer } from "../support/api-services.js";
import { ExtensionApiServer } from "../support/extension-api-server.js";
import { type ServerProcess, startServer } from "../support/server-process.js";
import { TestAuthority } from "../support/test-authority.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

// Several servers on one store, each with a certificate of its own for extension servers, or all with the same one.

const { systemNamespace } = createNaming("kubernetes");
const publishedPath = `/api/v1/namespaces/${systemNamespace}/configmaps/extension-apiserver-authentication`;
const group = "wardle.example.com";
const flunders = `/apis/${group}/v1/namespaces/default/flunders`;

describe.skipIf(etcdMissing)(
  `front proxies on one etcd${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    let etcd: EtcdCluster;
    let directory: string;
    let extension: ExtensionApiServer | undefined;
    const started: { server: ServerProcess; api: ApiClient }[] = [];

    beforeAll(async () => {
      etcd = await EtcdCluster.start();
    });

    afterAll(async () => {
      await etcd.close();
    });

    beforeEach(() => {
      directory = mkdtempSync(join(tmpdir(), "front-proxies-"));
    });

    afterEach(async () => {
      await extension?.stop();
      for (const { server, api } of started.splice(0)) {
        await api.close();
        await server.stop();
      }
      rmSync(directory, { recursive: true, force: true });
    });

    async function start(name: string, certificates: string) {
      const server = await startServer({
        dataDirectory: join(directory, name),
        args: [
          `--etcd-servers=${etcd.endpoints.join()}`,
          `--etcd-prefix=${directory}`,
          `--cert-dir=${certificates}`,
        ],
      });
      const each = { server, api: new ApiClient(server) };
      started.push(each);
      return each;
    }

    const authorityIn = (certificates: string): string =>
      readFileSync(join(certificates, "front-proxy-ca.crt"), "utf8").trim();
    const published = async (api: ApiClient): Promise<string> =>
      (await api.get(publishedPath)).body.data["requestheader-client-ca-file"];

    async function register(api: ApiClient): Promise<ExtensionApiServer> {
      const authority = await TestAuthority.create("extension servers");
      const names = ["flunders.default.svc"];
      const clientCaPem = await published(api);
      extension = await ExtensionApiServer.start({ group, version: "v1", names, authority, clientCaPem });
      const { port } = extension;
      expect((await registerServer(api, { group, version: "v1", port, authority })).status).toBe(201);
      return extension;
    }

    async function proxies(api: ApiClient, to: ExtensionApiServer): Promise<void> {
      await expect.poll(async () => (await availability(api, "v1", group)).status).toBe("True");
      to.requests.splice(0);
      // A server may still have the discovery document to fetch.
      await expect.poll(async () => (await api.get(flunders)).status).toBe(200);
      const forwarded = to.requests.filter(({ target }) => target.startsWith(flunders));
      expect(forwarded.map(({ client }) => client)).toContain("front-proxy-client");
      expect(forwarded.every(({ client }) => client === "front-proxy-client")).toBe(true);
    }

    test("an extension server believes every server, and one whose directory was made anew", async () => {
      const own = join(directory, "own-certificates");
      const first = await start("first", own);
      const second = await start("second", join(directory, "other-certificates"));
      const former = authorityIn(own);
      await expect
        .poll(() => published(first.api))
        .toContain(authorityIn(join(directory, "other-certificates")));
      expect(await published(first.api)).toContain(former);
      const to = await register(first.api);
      await proxies(first.api, to);
      await proxies(second.api, to);

      await first.api.close();
      await first.server.stop();
      await to.stop();
      rmSync(own, { recursive: true });
      const renewed = await start("first", own);
      expect(authorityIn(own)).not.toBe(former);
      await expect.poll(() => published(renewed.api)).toContain(authorityIn(own));
      // Those that still run with the former one, or a restored copy of it, stay believed.
      expect(await published(renewed.api)).toContain(former);
      expect((await published(renewed.api)).match(/BEGIN CERTIFICATE/g)).toHaveLength(3);
    }, 120_000);

    test("servers that start together over one directory have one authority and believe each other's clients", async () => {
      const shared = join(directory, "certificates");
      const servers = await Promise.all(["first", "second"].map((name) => start(name, shared)));
      const [first, second] = servers;
      if (first === undefined || second === undefined) throw new Error("no servers");
      expect((await published(first.api)).trim()).toBe(authorityIn(shared));
      const to = await register(first.api);
      await proxies(first.api, to);
      await proxies(second.api, to);
    }, 120_000);
  },
);
