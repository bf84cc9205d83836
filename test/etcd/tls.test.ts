import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore3 } from "../../src/storage/store3/store3.js";
import { type Certificate, TestAuthority } from "./certificates.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

describe.skipIf(etcdMissing)(`https${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`, () => {
  let directory: string;
  let cluster: EtcdCluster;
  let authority: TestAuthority;
  let client: Certificate;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "etcd-tls-"));
    authority = new TestAuthority(directory, "authority");
    client = authority.issue("client");
    cluster = await EtcdCluster.start({ tls: { caFile: authority.caFile, ...authority.issue("server") } });
  });

  afterAll(async () => {
    await cluster.close();
    await rm(directory, { recursive: true });
  });

  const read = (file: string): string => readFileSync(file, "utf8");
  const open = (ca: string, certificate?: Certificate) =>
    openStore3({
      endpoints: cluster.endpoints,
      requestTimeoutMs: 5000,
      tls: {
        ca: read(ca),
        ...(certificate && { cert: read(certificate.certFile), key: read(certificate.keyFile) }),
      },
    });

  test("a client with a certificate reads, writes and watches", async () => {
    const store = await open(authority.caFile, client);
    try {
      const watch = store.watch({ start: "/a" }, AbortSignal.timeout(10_000))[Symbol.asyncIterator]();
      const put = { kind: "put", key: "/a", value: Buffer.from("1") } as const;
      const { revision } = await store.transact({ compare: [], success: [put], failure: [] });
      expect((await store.range({ start: "/a" })).kvs).toMatchObject([{ key: "/a", modRevision: revision }]);
      expect((await watch.next()).value).toMatchObject({ kind: "events", revision });
    } finally {
      await store.close();
    }
  });

  test("without a certificate nothing is answered", async () => {
    await expect(open(authority.caFile)).rejects.toMatchObject({ name: "StorageError", code: "Unavailable" });
  });

  test("a server of another authority is not trusted", async () => {
    const other = new TestAuthority(directory, "other");
    await expect(open(other.caFile, client)).rejects.toMatchObject({
      code: "Unavailable",
      message: expect.stringMatching(/certificate/),
    });
  });
});
