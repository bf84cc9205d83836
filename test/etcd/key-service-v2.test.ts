import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createNaming } from "../../src/naming/naming.js";
import { openStore3 } from "../../src/storage/store3/store3.js";
import { decodeEncryptedObject } from "../../src/storage/transform/encrypted-object.js";
import { ApiClient } from "../support/api-client.js";
import { encryptionConfig } from "../support/encrypted-servers.js";
import { createFakeKeyServiceV2, type FakeKeyServiceV2 } from "../support/fake-key-service-v2.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

const naming = createNaming("kubernetes");
const secrets = "/api/v1/namespaces/default/secrets";
const data = { password: Buffer.from("a-secret-value").toString("base64") };
const large = { more: Buffer.alloc(4000, "x").toString("base64") };
const v2Prefix = `${naming.encryptedValuePrefix}kms:v2:vault:`;
const aescbc = { aescbc: { keys: [{ name: "one", secret: Buffer.alloc(32, 1).toString("base64") }] } };

interface Started {
  readonly server: ServerHere;
  readonly api: ApiClient;
}

describe.skipIf(etcdMissing)(
  `key services of version 2${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    const directory = mkdtempSync(join(tmpdir(), "etcd-key-service-v2-"));
    const file = join(directory, "config.json");
    const started: Started[] = [];
    let etcd: EtcdCluster;
    let service: FakeKeyServiceV2;
    let tests = 0;

    beforeAll(async () => {
      etcd = await EtcdCluster.start();
    });

    beforeEach(async () => {
      tests++;
      service = createFakeKeyServiceV2(join(directory, "kms.sock"));
      await service.start();
    });

    afterEach(async () => {
      for (const each of started.splice(0)) await end(each);
      await service.stop();
    });

    afterAll(async () => {
      await etcd.close();
      rmSync(directory, { recursive: true });
    });

    async function end({ server, api }: Started): Promise<void> {
      await api.close();
      await server.dispose();
    }

    function configure(providers: readonly object[]): void {
      writeFileSync(`${file}.new`, encryptionConfig(providers));
      renameSync(`${file}.new`, file);
    }

    /** A busy machine answers late. */
    function kms(): object {
      return { kms: { apiVersion: "v2", name: "vault", endpoint: service.endpoint, timeout: "60s" } };
    }

    /** Requests of more than 3,000 bytes go to a lane. */
    async function start(...args: string[]): Promise<Started> {
      const server = await startServerHere({
        args: [
          "--api-level=1.36",
          `--etcd-servers=${etcd.endpoints.join()}`,
          `--etcd-prefix=/kms-${tests}`,
          `--encryption-provider-config=${file}`,
          "--lane-request-bytes=3000",
          ...args,
        ],
      });
      const each = { server, api: new ApiClient(server) };
      started.push(each);
      return each;
    }

    async function stored(name: string): Promise<Buffer> {
      const kv = await openStore3({ endpoints: etcd.endpoints });
      const { kvs } = await kv.range({ start: `/kms-${tests}/secrets/default/${name}` });
      await kv.close();
      return Buffer.from(kvs[0]?.value ?? []);
    }

    function encryptions(): number {
      return service.calls.filter((call) => call === "Encrypt").length;
    }

    async function rewrite({ api }: Started, name: string): Promise<boolean> {
      const before = (await api.get(`${secrets}/${name}`)).body;
      const { status, body } = await api.put(`${secrets}/${name}`, before);
      expect(status).toBe(200);
      return body.metadata.resourceVersion !== before.metadata.resourceVersion;
    }

    test("a server's lanes write with its seed, other servers with theirs, and all read what each has written", async () => {
      configure([kms()]);
      const first = await start();
      expect((await first.api.post(secrets, { metadata: { name: "small" }, data })).status).toBe(201);
      expect((await first.api.post(secrets, { metadata: { name: "large" }, data: large })).status).toBe(201);
      expect(encryptions()).toBe(1);
      const [small, big] = await Promise.all([stored("small"), stored("large")]);
      expect(small.subarray(0, v2Prefix.length).toString()).toBe(v2Prefix);
      const { source } = decodeEncryptedObject(small.subarray(v2Prefix.length));
      expect(source).toMatchObject({ type: 1, keyId: "first" });
      expect(decodeEncryptedObject(big.subarray(v2Prefix.length)).source).toEqual(source);

      const second = await start();
      for (const [name, value] of [
        ["small", data],
        ["large", large],
      ] as const) {
        expect((await second.api.get(`${secrets}/${name}`)).body.data).toEqual(value);
      }
      expect((await second.api.post(secrets, { metadata: { name: "theirs" }, data: large })).status).toBe(
        201,
      );
      expect(encryptions()).toBe(2);
      await expect
        .poll(async () => (await first.api.get(`${secrets}/theirs?resourceVersion=0`)).body.data)
        .toEqual(large);

      // The seeds are known everywhere: nobody asks the service, and a lane writes, too.
      await service.stop();
      expect((await first.api.post(secrets, { metadata: { name: "away" }, data: large })).status).toBe(201);
      expect((await first.api.get(`${secrets}/away`)).body.data).toEqual(large);
      await service.start();
      service.keyId = "second";
      await end(first);
      started.splice(started.indexOf(first), 1);
      const third = await start();
      expect(await rewrite(third, "small")).toBe(true);
      expect(await rewrite(third, "large")).toBe(true);
      expect(await rewrite(third, "large")).toBe(false);
      const rewritten = decodeEncryptedObject((await stored("large")).subarray(v2Prefix.length));
      expect(rewritten.source.keyId).toBe("second");
    });

    test("a changed file is taken over without a restart, by lanes, too", async () => {
      configure([aescbc]);
      const each = await start("--encryption-provider-config-automatic-reload");
      const { server, api } = each;
      expect((await api.post(secrets, { metadata: { name: "small" }, data })).status).toBe(201);
      expect((await api.post(secrets, { metadata: { name: "large" }, data: large })).status).toBe(201);
      expect((await stored("large")).toString("latin1")).toMatch(/:enc:aescbc:v1:one:/);

      configure([kms(), aescbc]);
      await expect.poll(() => server.output()).toContain("the changed encryption configuration is in use");
      expect(await rewrite(each, "small")).toBe(true);
      expect(await rewrite(each, "large")).toBe(true);
      const [small, big] = await Promise.all([stored("small"), stored("large")]);
      expect(decodeEncryptedObject(big.subarray(v2Prefix.length)).source).toEqual(
        decodeEncryptedObject(small.subarray(v2Prefix.length)).source,
      );
      expect(encryptions()).toBe(1);

      // The former keys are not needed any more.
      configure([kms()]);
      await expect.poll(() => server.output().split("configuration is in use").length).toBe(3);
      const list = (await api.get(secrets)).body.items.map((item: { data: object }) => item.data);
      expect(list).toEqual([large, data]);
    });
  },
);
