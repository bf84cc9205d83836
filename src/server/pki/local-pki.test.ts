import { createPublicKey, sign, verify, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
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

async function ensure(changes: Partial<LocalPkiOptions> = {}) {
  const pki = await ensureLocalPki({
    directory,
    now,
    authorityName: "orch-ca",
    serving: { commonName: "orch-apiserver", names: ["localhost", "127.0.0.1", "fd00::1"] },
    admin: { commonName: "admin", organizations: ["system:masters"] },
    serviceAccountKey: true,
    ...changes,
  });
  return { ...pki, created: pki.created.map((path) => basename(path)) };
}

test("the first start makes everything, keys for their owner alone", async () => {
  const pki = await ensure({ directory: join(directory, "a", "b") });
  expect(pki.created).toEqual(["ca.crt", "apiserver.crt", "admin.crt", "sa.key"]);
  const ca = new X509Certificate(readFileSync(pki.caFile));
  for (const pair of [pki.serving, pki.admin]) {
    const certificate = new X509Certificate(readFileSync(pair?.certFile ?? ""));
    expect(certificate.verify(ca.publicKey)).toBe(true);
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
});

test("the certificate library is loaded only when a certificate has to be made", async () => {
  const options = { directory, now, authorityName: "orch-ca", admin: { commonName: "admin" } };
  await ensureLocalPki(options);
  vi.resetModules();
  vi.doMock("@peculiar/x509", () => {
    throw new Error("loaded");
  });
  try {
    const { ensureLocalPki: ensureAgain } = await import("./local-pki.js");
    expect((await ensureAgain(options)).created).toEqual([]);
    await expect(ensureAgain({ ...options, admin: { commonName: "another" } })).rejects.toThrow();
  } finally {
    vi.doUnmock("@peculiar/x509");
    vi.resetModules();
  }
});

test("certificates near their end are replaced, the authority stays", async () => {
  const first = await ensure();
  const later = await ensure({ now: now + 340 * dayMs });
  expect(later.created).toEqual(["apiserver.crt", "admin.crt"]);
  expect(later.caPem).toBe(first.caPem);
});

test("a clock before the certificates' time makes new ones", async () => {
  await ensure();
  expect((await ensure({ now: now - dayMs })).created).toEqual(["ca.crt", "apiserver.crt", "admin.crt"]);
});

test("a further name makes a new serving certificate alone; fewer names do not", async () => {
  await ensure();
  const fewer = { commonName: "orch-apiserver", names: ["localhost", "fd00:0::1"] };
  expect((await ensure({ serving: fewer })).created).toEqual([]);
  const more = { commonName: "orch-apiserver", names: ["localhost", "10.0.0.1"] };
  expect((await ensure({ serving: more })).created).toEqual(["apiserver.crt"]);
});

test("another administrator makes a new client certificate", async () => {
  await ensure();
  expect((await ensure({ admin: { commonName: "admin", organizations: [] } })).created).toEqual([
    "admin.crt",
  ]);
});

test("a new authority takes everything it signed with it", async () => {
  await ensure();
  rmSync(join(directory, "ca.key"));
  expect((await ensure()).created).toEqual(["ca.crt", "apiserver.crt", "admin.crt"]);
});

test.each(["apiserver.crt", "apiserver.key"])("a damaged %s is made anew", async (name) => {
  await ensure();
  writeFileSync(join(directory, name), "-----BEGIN CERTIFICATE-----\nrubbish\n");
  expect((await ensure()).created).toEqual(["apiserver.crt"]);
});

test("a key that belongs to another certificate is noticed", async () => {
  await ensure();
  writeFileSync(join(directory, "apiserver.key"), readFileSync(join(directory, "admin.key")));
  expect((await ensure()).created).toEqual(["apiserver.crt"]);
});

test("only what is asked for is made", async () => {
  const pki = await ensure({ serving: undefined, admin: undefined, serviceAccountKey: false });
  expect(pki.created).toEqual(["ca.crt"]);
  expect(pki.serving).toBeUndefined();
});
