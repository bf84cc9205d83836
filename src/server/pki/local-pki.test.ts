import { createPrivateKey, createPublicKey, sign, verify, X509Certificate } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ensureLocalPki, type LocalPkiOptions } from "./local-pki.js";

const now = Date.UTC(2026, 2, 1);
const dayMs = 86_400_000;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "orch-pki-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function wanted(changes: Partial<LocalPkiOptions> = {}): LocalPkiOptions {
  return {
    directory,
    now,
    authorityName: "orch-ca",
    serving: { commonName: "orch-apiserver", names: ["localhost", "127.0.0.1", "fd00::1"] },
    admin: { commonName: "admin", organizations: ["system:masters"] },
    serviceAccountKey: true,
    frontProxy: true,
    // RSA keys take long to generate.
    clientKeys: "ec",
    ...changes,
  };
}

async function ensure(changes: Partial<LocalPkiOptions> = {}) {
  const made = await ensureLocalPki(wanted(changes));
  const pki = { ...made, admin: await made.admin };
  return { ...pki, created: pki.created.map((path) => basename(path)) };
}

test("the first start creates everything, with keys that only their owner can read", async () => {
  const pki = await ensure({ directory: join(directory, "a", "b") });
  expect(pki.created.toSorted()).toEqual([
    "admin.crt",
    "apiserver.crt",
    "ca.crt",
    "front-proxy-ca.crt",
    "front-proxy-client.crt",
    "sa.key",
  ]);
  const ca = new X509Certificate(readFileSync(pki.caFile));
  const proxies = new X509Certificate(readFileSync(pki.frontProxy?.caFile ?? ""));
  for (const [pair, authority] of [
    [pki.serving, ca],
    [pki.admin, ca],
    [pki.frontProxy?.client, proxies],
  ] as const) {
    const certificate = new X509Certificate(readFileSync(pair?.certFile ?? ""));
    expect(certificate.verify(authority.publicKey)).toBe(true);
    expect(certificate.verify((authority === ca ? proxies : ca).publicKey)).toBe(false);
    expect(statSync(pair?.keyFile ?? "").mode & 0o777).toBe(0o600);
  }
  const { privateKeyFile = "", publicKeyFile = "" } = pki.serviceAccountKey ?? {};
  expect(statSync(privateKeyFile).mode & 0o777).toBe(0o600);
  const signature = sign("sha256", Buffer.from("x"), readFileSync(privateKeyFile));
  const publicKey = createPublicKey(readFileSync(publicKeyFile));
  expect(verify("sha256", Buffer.from("x"), publicKey, signature)).toBe(true);
});

test("the next start finds it all again", async () => {
  const first = await ensure();
  const second = await ensure({ now: now + 100 * dayMs });
  expect(second.created).toEqual([]);
  expect(second.serving).toEqual(first.serving);
  expect(second.admin).toEqual(first.admin);
  expect(second.frontProxy).toEqual(first.frontProxy);
});

test("the certificate library is loaded only when a certificate has to be made", async () => {
  const options = { directory, now, authorityName: "orch-ca", admin: { commonName: "admin" } };
  await (await ensureLocalPki(options)).admin;
  vi.resetModules();
  vi.doMock("@peculiar/x509", () => {
    throw new Error("loaded");
  });
  try {
    const { ensureLocalPki: ensureAgain } = await import("./local-pki.js");
    expect((await ensureAgain(options)).created).toEqual([]);
    const again = await ensureAgain({ ...options, admin: { commonName: "another" } });
    await expect(again.admin).rejects.toThrow();
  } finally {
    vi.doUnmock("@peculiar/x509");
    vi.resetModules();
  }
});

test("certificates near their expiry are replaced, the CA stays", async () => {
  const first = await ensure();
  const later = await ensure({ now: now + 340 * dayMs });
  expect(later.created.toSorted()).toEqual(["admin.crt", "apiserver.crt", "front-proxy-client.crt"]);
  expect(later.caPem).toBe(first.caPem);
});

test("a clock before the certificates' time makes new ones", async () => {
  await ensure();
  expect((await ensure({ now: now - dayMs })).created.toSorted()).toEqual([
    "admin.crt",
    "apiserver.crt",
    "ca.crt",
    "front-proxy-ca.crt",
    "front-proxy-client.crt",
  ]);
});

test("an additional name causes a new serving certificate and nothing else; fewer names do not", async () => {
  await ensure();
  const fewer = { commonName: "orch-apiserver", names: ["localhost", "fd00:0::1"] };
  expect((await ensure({ serving: fewer })).created).toEqual([]);
  const more = { commonName: "orch-apiserver", names: ["localhost", "10.0.0.1"] };
  expect((await ensure({ serving: more })).created).toEqual(["apiserver.crt"]);
});

test("another administrator name causes a new client certificate", async () => {
  await ensure();
  expect((await ensure({ admin: { commonName: "admin", organizations: [] } })).created).toEqual([
    "admin.crt",
  ]);
});

test("a new CA replaces everything that the old one signed", async () => {
  await ensure();
  for (const name of ["ca.crt", "ca.key"]) rmSync(join(directory, name));
  expect((await ensure()).created.toSorted()).toEqual(["admin.crt", "apiserver.crt", "ca.crt"]);
});

test("a new CA of front proxies replaces the client certificate that the old one signed", async () => {
  await ensure();
  for (const name of ["front-proxy-ca.crt", "front-proxy-ca.key"]) rmSync(join(directory, name));
  expect((await ensure()).created).toEqual(["front-proxy-ca.crt", "front-proxy-client.crt"]);
});

test("a first start that was interrupted after the CA's key continues with that key", async () => {
  await ensure();
  const key = readFileSync(join(directory, "ca.key"), "utf8");
  rmSync(join(directory, "ca.crt"));
  const { created, caPem } = await ensure();
  expect(created).toEqual(["ca.crt"]);
  expect(new X509Certificate(caPem).checkPrivateKey(createPrivateKey(key))).toBe(true);
});

test.each([
  ["ca.crt", /ca\.crt holds no certificate/],
  ["ca.key", /ca\.key holds no private key/],
  ["apiserver.crt", /apiserver\.crt holds no certificate/],
  ["apiserver.key", /apiserver\.key holds no private key/],
  ["sa.key", /sa\.key holds no private key/],
])("a damaged %s ends the start and stays as it is", async (name, message) => {
  await ensure();
  writeFileSync(join(directory, name), "-----BEGIN CERTIFICATE-----\nrubbish\n");
  await expect(ensure()).rejects.toThrow(message);
  expect(readFileSync(join(directory, name), "utf8")).toContain("rubbish");
});

test.each([
  ["ca.key", /ca\.key is missing beside .*ca\.crt/],
  ["apiserver.crt", /apiserver\.crt is missing beside .*apiserver\.key/],
])("half a pair without %s ends the start", async (name, message) => {
  await ensure();
  rmSync(join(directory, name));
  await expect(ensure()).rejects.toThrow(message);
});

test.each(["ca", "apiserver"])("a key that does not fit %s.crt ends the start", async (name) => {
  await ensure();
  writeFileSync(join(directory, `${name}.key`), readFileSync(join(directory, "sa.key")));
  await expect(ensure()).rejects.toThrow(`${name}.key is not the key of`);
});

test("a serving pair that another authority signed is used and never written", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "orch-pki-other-"));
  try {
    const other = await ensureLocalPki({
      directory: elsewhere,
      now: now - 364 * dayMs,
      authorityName: "orch-ca",
      serving: { commonName: "orch-apiserver", names: ["elsewhere"] },
    });
    await ensure({ serving: undefined });
    const before = [other.serving?.certPem, other.serving?.keyPem];
    writeFileSync(join(directory, "apiserver.crt"), before[0] ?? "");
    writeFileSync(join(directory, "apiserver.key"), before[1] ?? "");
    const { serving, created } = await ensure();
    expect(serving).toMatchObject({ given: true, certPem: before[0], keyPem: before[1] });
    expect(created).toEqual([]);
    expect(["crt", "key"].map((end) => readFileSync(join(directory, `apiserver.${end}`), "utf8"))).toEqual(
      before,
    );
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
});

test("a renewed serving certificate keeps its key", async () => {
  const { serving } = await ensure();
  const later = await ensure({ now: now + 340 * dayMs });
  expect(later.serving?.keyPem).toBe(serving?.keyPem);
  expect(later.serving?.certPem).not.toBe(serving?.certPem);
});

test.each([
  [undefined, "RSA PRIVATE KEY"],
  ["ec", "PRIVATE KEY"],
] as const)("new keys of clients are of the kind %s", async (clientKeys, label) => {
  const { admin, issueClient } = await ensure({ clientKeys });
  const issued = await issueClient({ commonName: "jane" }, now);
  for (const key of [admin?.keyPem, issued.keyPem])
    expect(key?.split("\n")[0]).toBe(`-----BEGIN ${label}-----`);
  expect((await ensure()).created).toEqual([]);
});

test("a requested RSA key replaces the administrator's P-256 key", async () => {
  await ensure({ clientKeys: "ec" });
  const { admin, created } = await ensure({ clientKeys: "rsa" });
  expect(created).toEqual(["admin.crt"]);
  expect(admin?.keyPem).toMatch(/^-----BEGIN RSA PRIVATE KEY-----/);
  expect((await ensure({ clientKeys: "rsa" })).created).toEqual([]);
});

test("only what is requested is created", async () => {
  const pki = await ensure({
    serving: undefined,
    admin: undefined,
    serviceAccountKey: false,
    frontProxy: false,
  });
  expect(pki.created).toEqual(["ca.crt"]);
  expect(pki.serving).toBeUndefined();
});

test("a start that fails ends when nothing more is written", async () => {
  writeFileSync(join(directory, "sa.key"), "garbage");
  await expect(ensure()).rejects.toThrow("sa.key");
  const files = readdirSync(directory);
  expect(files).toContain("admin.crt");
  rmSync(join(directory, "sa.key"));
  expect((await ensure()).created).not.toContain("admin.crt");
});

test("it is finished when the administrator's pair is written, too", async () => {
  const { finished } = await ensureLocalPki(wanted());
  await finished;
  expect(readdirSync(directory)).toEqual(expect.arrayContaining(["admin.crt", "admin.key"]));
});

test("servers that start at the same time in one directory create one set of files", async () => {
  const all = await Promise.all([ensure(), ensure(), ensure()]);
  expect(all.filter(({ created }) => created.length > 0)).toHaveLength(1);
  const [first, ...others] = all.map(({ caPem, serving, admin, frontProxy }) => ({
    caPem,
    serving,
    admin,
    frontProxy,
  }));
  for (const other of others) expect(other).toEqual(first);
  const again = await ensure();
  expect(again.created).toEqual([]);
  expect(again.caPem).toBe(first?.caPem);
  expect(again.admin).toEqual(first?.admin);
});
