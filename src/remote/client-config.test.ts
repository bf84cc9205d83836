import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ClientConfigFile, noIdentity } from "./client-config.js";

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "orch-client-config-"));
  file = join(directory, "config");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const base64 = (text: string) => Buffer.from(text).toString("base64");

function write(cluster: object, user: object, changes: object = {}): void {
  const document = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster }],
    users: [{ name: "u", user }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
    ...changes,
  };
  writeFileSync(file, JSON.stringify(document));
}

const current = async () => await (await ClientConfigFile.read(file)).current();

test("a configuration as people write it", async () => {
  writeFileSync(join(directory, "ca.crt"), "CA");
  writeFileSync(join(directory, "token"), "secret\n");
  writeFileSync(
    file,
    `apiVersion: v1
kind: Config
clusters:
- name: webhook
  cluster:
    certificate-authority: ca.crt
    server: https://authz.example.com/authorize
users:
- name: api-server
  user:
    tokenFile: ./token
current-context: webhook
contexts:
- context:
    cluster: webhook
    user: api-server
  name: webhook
`,
  );
  expect(await current()).toEqual({
    server: {
      url: new URL("https://authz.example.com/authorize"),
      caPem: "CA",
      serverName: undefined,
      insecure: false,
    },
    identity: { ...noIdentity, authorization: "Bearer secret" },
  });
});

test.each([
  [{}, noIdentity],
  [
    { "client-certificate-data": base64("CERT"), "client-key-data": base64("KEY") },
    { ...noIdentity, certificate: { certPem: "CERT", keyPem: "KEY" } },
  ],
  [{ token: "abc" }, { ...noIdentity, authorization: "Bearer abc" }],
  [
    { username: "jane", password: "päss" },
    { ...noIdentity, authorization: `Basic ${base64("jane:päss")}` },
  ],
  [
    { as: "jane", "as-uid": "1", "as-groups": ["a", "b"], "as-user-extra": { "x/y": ["1", "2"] } },
    {
      ...noIdentity,
      impersonation: [
        ["Impersonate-User", "jane"],
        ["Impersonate-Uid", "1"],
        ["Impersonate-Group", "a"],
        ["Impersonate-Group", "b"],
        ["Impersonate-Extra-x%2Fy", "1"],
        ["Impersonate-Extra-x%2Fy", "2"],
      ],
    },
  ],
])("user %j", async (user, identity) => {
  write({ server: "https://a" }, user);
  expect((await current()).identity).toEqual(identity);
});

test.each([
  [{ server: "http://a:80/b" }, { url: new URL("http://a:80/b") }],
  [{ server: "a:8443" }, { url: new URL("https://a:8443") }],
  [{ server: "https://a", "tls-server-name": "b" }, { serverName: "b" }],
  [{ server: "https://a", "insecure-skip-tls-verify": true }, { insecure: true }],
  [{ server: "https://a", "certificate-authority-data": base64("CA") }, { caPem: "CA" }],
])("cluster %j", async (cluster, expected) => {
  write(cluster, {});
  expect((await current()).server).toMatchObject(expected);
});

test.each([
  [{ server: "https://a" }, { exec: { command: "login" } }, {}, 'user "u": exec is not supported'],
  [
    { server: "https://a" },
    { "auth-provider": { name: "x" } },
    {},
    'user "u": auth-provider is not supported',
  ],
  [{ server: "https://a" }, { token: "abc", username: "u" }, {}, 'user "u": has both a token and a username'],
  [{ server: "https://a" }, { token: 1 }, {}, 'user "u": token must be a string'],
  [
    { server: "https://a" },
    { "client-key-data": "abc" },
    {},
    "client-certificate and client-key go together",
  ],
  [{ server: "ftp://a" }, {}, {}, 'cluster "c": server must be an http or https URL'],
  [{}, {}, {}, 'cluster "c": server must be an http or https URL'],
  [{ server: "https://a", "proxy-url": "http://p" }, {}, {}, "proxy-url is not supported"],
  [
    { server: "https://a", "insecure-skip-tls-verify": true, "certificate-authority-data": "abc" },
    {},
    {},
    "certificate-authority has no meaning together with insecure-skip-tls-verify",
  ],
  [{ server: "https://a" }, {}, { "current-context": "" }, "it has no current-context"],
  [{ server: "https://a" }, {}, { "current-context": "y" }, 'context "y" does not exist'],
  [{ server: "https://a" }, {}, { clusters: [] }, 'cluster "c" does not exist'],
  [{ server: "https://a" }, {}, { users: [] }, 'user "u" does not exist'],
  [{ server: "https://a" }, {}, { kind: "Pod" }, "want kind Config of apiVersion v1"],
])("cluster %j, user %j, %j: %s", async (cluster, user, changes, problem) => {
  write(cluster, user, changes);
  const failure = await current().catch((error: Error) => error.message);
  expect(failure).toContain(`${file}: `);
  expect(failure).toContain(problem);
});

test("text that is no YAML is not shown", async () => {
  writeFileSync(file, "token: [secret");
  const failure = await current().catch((error: Error) => error.message);
  expect(failure).toBe(`${file}: not a client configuration: it is no YAML`);
});

test("a configuration is unchanged until one of its files is", async () => {
  const key = join(directory, "key");
  writeFileSync(key, "KEY");
  write({ server: "https://a" }, { "client-certificate-data": base64("CERT"), "client-key": "key" });
  const read = await ClientConfigFile.read(file);
  await read.current();
  expect(await read.isUnchanged()).toBe(true);
  writeFileSync(key, "OTHER");
  expect(await read.isUnchanged()).toBe(false);
  writeFileSync(key, "KEY");
  expect(await read.isUnchanged()).toBe(true);
  rmSync(key);
  expect(await read.isUnchanged()).toBe(false);
});
