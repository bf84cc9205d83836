import { createDecipheriv } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createNaming } from "../../src/naming/naming.js";
import { openStore3 } from "../../src/storage/store3/store3.js";
import { ApiClient } from "../support/api-client.js";
import { encryptionConfig } from "../support/encrypted-servers.js";
import { createFakeKeyService, type FakeKeyService } from "../support/fake-key-service.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

const naming = createNaming("kubernetes");
const secrets = "/api/v1/namespaces/default/secrets";
const data = { password: Buffer.from("a-secret-value").toString("base64") };

describe.skipIf(etcdMissing)(
  `encryption${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    const directory = mkdtempSync(join(tmpdir(), "etcd-encryption-"));
    const started: { server: ServerHere; api: ApiClient }[] = [];
    let etcd: EtcdCluster;
    let service: FakeKeyService;

    beforeAll(async () => {
      etcd = await EtcdCluster.start();
      service = createFakeKeyService(join(directory, "kms.sock"));
      await service.start();
    });

    afterEach(async () => {
      for (const { server, api } of started.splice(0)) {
        await api.close();
        await server.dispose();
      }
    });

    afterAll(async () => {
      await service.stop();
      await etcd.close();
      rmSync(directory, { recursive: true });
    });

    async function start(cacheSize: number) {
      const file = join(directory, `${cacheSize}.json`);
      const kms = { name: "vault", endpoint: service.endpoint, cachesize: cacheSize };
      writeFileSync(file, encryptionConfig([{ kms }]));
      const server = await startServerHere({
        args: [`--etcd-servers=${etcd.endpoints.join()}`, `--encryption-provider-config=${file}`],
      });
      const each = { server, api: new ApiClient(server) };
      started.push(each);
      return each;
    }

    test("the stored bytes of a secret are Kubernetes' envelope, which any server with the key service opens", async () => {
      const first = await start(100);
      const second = await start(-1);
      const ended = new AbortController();
      const watch = second.api.watch(`${secrets}?watch=1&fieldSelector=metadata.name=s`, ended.signal);
      await first.api.post(secrets, { metadata: { name: "s" }, data });
      expect((await second.api.get(`${secrets}/s`)).body.data).toEqual(data);
      expect((await watch.next()).value?.object.data).toEqual(data);
      ended.abort();
      await watch.return(undefined).catch(() => undefined);

      const kv = await openStore3({ endpoints: etcd.endpoints });
      const { kvs } = await kv.range({ start: "/registry/secrets/default/s" });
      await kv.close();
      const stored = Buffer.from(kvs[0]?.value ?? []);
      const prefix = `${naming.encryptedValuePrefix}kms:v1:vault:`;
      expect(stored.subarray(0, prefix.length).toString()).toBe(prefix);
      const envelope = stored.subarray(prefix.length);
      const keyEnd = 2 + envelope.readUInt16BE(0);
      // The service "encrypts" by inverting every bit.
      const key = envelope.subarray(2, keyEnd).map((byte) => byte ^ 255);
      const decipher = createDecipheriv("aes-256-cbc", key, envelope.subarray(keyEnd, keyEnd + 16));
      const plain = Buffer.concat([decipher.update(envelope.subarray(keyEnd + 16)), decipher.final()]);
      expect(plain.subarray(0, 4).toString("hex")).toBe("6b387300");
      expect(plain.includes("a-secret-value")).toBe(true);
    });
  },
);
