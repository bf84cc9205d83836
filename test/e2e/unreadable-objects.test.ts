import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type EncryptedServer, EncryptedServers } from "../support/encrypted-servers.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";

const secrets = "/api/v1/namespaces/default/secrets";
const option = "ignoreStoreReadErrorWithClusterBreakingPotential";
const unsafe = { kind: "DeleteOptions", apiVersion: "v1", [option]: true };
const gate = "--feature-gates=AllowUnsafeMalformedObjectDeletion=true";
const key = '"/registry/secrets/default/lost"';
const servers = new EncryptedServers();

afterEach(() => servers.stop());
afterAll(() => servers.remove());

async function start(byte: number, args: readonly string[], before?: ServerHere): Promise<EncryptedServer> {
  const keys = [{ name: "k", secret: Buffer.alloc(32, byte).toString("base64") }];
  return await servers.start([{ aesgcm: { keys } }], { before, args });
}

/** A server that has lost the key of the secret `lost`, whose finalizer nobody removes. */
async function withLostKey(args: readonly string[]) {
  const first = await start(1, args);
  const metadata = { name: "lost", finalizers: ["example.com/kept"] };
  expect((await first.api.post(secrets, { metadata })).status).toBe(201);
  const second = await start(2, args, first.server);
  expect((await second.api.post(secrets, { metadata: { name: "found" } })).status).toBe(201);
  return second;
}

test.each(["1.32", "1.36"])(
  "at %s an object whose key is lost is named, and deleted by those who may",
  async (level) => {
    const log = join(servers.directory, `audit-${level}.log`);
    const policy = join(servers.directory, `policy-${level}.yaml`);
    writeFileSync(policy, "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n");
    const audit = [`--audit-log-path=${log}`, `--audit-policy-file=${policy}`];
    const { api } = await withLostKey([`--api-level=${level}`, "--authorization-mode=RBAC", gate, ...audit]);

    const lost =
      "data from the storage is not transformable revision=0: cipher: message authentication failed";
    const report = `StorageError: corrupt object, Code: 7, Key: /registry/secrets/default/lost, ResourceVersion: 0, AdditionalErrorMsg: ${lost}`;
    const read = await api.get(`${secrets}/lost`);
    expect([read.status, read.body.reason]).toEqual([500, "InternalError"]);
    expect(read.body.message).toBe(`Internal error occurred: ${report}`);
    for (const path of [secrets, "/api/v1/secrets?limit=500", `${secrets}?resourceVersion=0`]) {
      const listed = await api.get(path);
      expect(listed.body).toMatchObject({
        status: "Failure",
        reason: "StorageReadError",
        message: "failed to read one or more secrets from the storage",
        code: 500,
        details: {
          name: "list",
          kind: "secrets",
          causes: [
            { reason: "UnexpectedServerResponse", message: report, field: "/registry/secrets/default/lost" },
          ],
        },
      });
    }
    expect((await api.get(`${secrets}/found`)).status).toBe(200);

    const again = await api.post(secrets, { metadata: { name: "lost" } });
    expect([again.status, again.body.message]).toEqual([409, 'secrets "lost" already exists']);

    // The normal way does not do it.
    expect((await api.delete(`${secrets}/lost`)).status).toBe(500);
    for (const [more, name] of [
      [{ dryRun: ["All"] }, "dryRun"],
      [{ propagationPolicy: "Background" }, "propagationPolicy"],
      [{ orphanDependents: true }, "orphanDependents"],
      [{ gracePeriodSeconds: 0 }, "gracePeriodSeconds"],
      [{ preconditions: { uid: "x" } }, "preconditions"],
    ] as const) {
      const refused = await api.delete(`${secrets}/lost`, { ...unsafe, ...more });
      expect(refused.status).toBe(422);
      expect(refused.body.message).toBe(
        `DeleteOptions.meta.k8s.io "" is invalid: ${option}: Invalid value: true: cannot be set together with .${name}`,
      );
    }
    const collection = await api.delete(secrets, unsafe);
    expect([collection.status, collection.body.message]).toEqual([
      422,
      `DeleteOptions.meta.k8s.io "" is invalid: ${option}: Invalid value: true: is not allowed with DELETECOLLECTION, try again after removing the option`,
    ]);
    for (const name of ["found", "missing"]) {
      const readable = await api.delete(`${secrets}/${name}`, unsafe);
      expect([readable.status, readable.body.message]).toEqual([
        422,
        `secrets "${name}" is invalid: ${option}: Invalid value: true: is exclusively used to delete corrupt object(s), try again by removing this option`,
      ]);
    }

    // The right to delete is not enough.
    const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
    const role = {
      metadata: { name: "r" },
      rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["delete"] }],
    };
    const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane" }];
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" };
    expect((await api.post(`${rbac}/roles`, role)).status).toBe(201);
    expect(
      (await api.post(`${rbac}/rolebindings`, { metadata: { name: "b" }, subjects, roleRef })).status,
    ).toBe(201);
    const asJane = () =>
      api.ask("DELETE", `${secrets}/lost`, { body: unsafe, headers: { "Impersonate-User": "jane" } });
    const forbidden = await asJane();
    expect(forbidden.status).toBe(403);
    expect(forbidden.body.message).toMatch(
      /^secrets "lost" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: /,
    );
    role.rules[0]?.verbs.push("unsafe-delete-ignore-read-errors");
    expect((await api.put(`${rbac}/roles/r`, role)).status).toBe(200);
    const deleted = await asJane();
    expect(deleted.body).toMatchObject({
      status: "Success",
      code: 200,
      details: { name: "lost", kind: "Secret" },
    });
    expect((await api.get(`${secrets}/lost`)).status).toBe(404);
    await expect.poll(async () => (await api.get(secrets)).body.items?.length).toBe(1);
    await expect
      .poll(() => readFileSync(log, "utf8"))
      .toContain('"apiserver.k8s.io/unsafe-delete-ignore-read-error":""');
  },
);

describe("without the gate, and before there is one", () => {
  test.each([
    ["1.31", []],
    ["1.36", []],
  ])("at %s the option means nothing", async (level, args) => {
    const { api } = await withLostKey([`--api-level=${level}`, ...args]);
    for (const answer of [await api.get(secrets), await api.delete(`${secrets}/lost`, unsafe)]) {
      expect([answer.status, answer.body.reason]).toEqual([500, "InternalError"]);
      expect(answer.body.message).toContain(
        `unable to transform key ${key}: cipher: message authentication failed`,
      );
    }
    expect((await api.delete(`${secrets}/found`, unsafe)).status).toBe(200);
  });

  test("the gate is one of 1.32", async () => {
    await expect(startServerHere({ args: ["--api-level=1.31", gate] })).rejects.toThrow(
      "AllowUnsafeMalformedObjectDeletion",
    );
  });
});

test("a watch of the store ends with why a deletion cannot be shown; one of the cache goes on after it", async () => {
  const { api } = await withLostKey(["--api-level=1.36", gate, "--watch-cache=false"]);
  const { resourceVersion } = (await api.get(`${secrets}/found`)).body.metadata;
  const ended = new AbortController();
  const watch = api.watch(`${secrets}?watch=1&resourceVersion=${resourceVersion}`, ended.signal);
  const next = watch.next();
  expect((await api.delete(`${secrets}/lost`, unsafe)).status).toBe(200);
  const { value } = await next;
  expect(value).toMatchObject({
    type: "ERROR",
    object: {
      kind: "Status",
      code: 500,
      reason: "StorageReadError",
      message:
        "saw a DELETED event, but object data is corrupt - data from the storage is not transformable revision=0: cipher: message authentication failed",
    },
  });
  expect((await watch.next()).done).toBe(true);
  ended.abort();
});

test.each([
  ["1.30", 'resource="secrets"'],
  ["1.31", 'resource="secrets"'],
  ["1.36", 'group="",resource="secrets"'],
])(
  "at %s nothing waits for a cache that cannot be filled: the store answers gets, chunks and watches",
  async (level, labels) => {
    const { api, server } = await withLostKey([`--api-level=${level}`]);
    expect((await api.get(`${secrets}/found?resourceVersion=0`)).status).toBe(200);
    expect(server.output()).toContain("the watch cache of secrets lost touch with the store");
    const others = "/api/v1/namespaces/kube-public/secrets";
    expect((await api.get(`${others}?limit=500&resourceVersion=0`)).body.items).toEqual([]);
    const ended = new AbortController();
    const watch = api.watch(`${others}?watch=1`, ended.signal);
    const next = watch.next();
    await expect
      .poll(async () => (await api.get("/metrics")).text)
      .toMatch(new RegExp(`^watch_cache_store_reads_total\\{${labels},verb="watch"\\} [1-9]`, "m"));
    expect((await api.post(others, { metadata: { name: "new" } })).status).toBe(201);
    expect((await next).value).toMatchObject({ type: "ADDED", object: { metadata: { name: "new" } } });
    ended.abort();
  },
);
