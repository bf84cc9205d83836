import { createPublicKey, sign, verify, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureLocalPki, type LocalPkiOptions } from "./local-pki.js";

const now = Date.UTC(2026, 2, 1);
const dayMs = 86_400_000;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "orch-pki-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function ensure(changes: Partial<LocalPkiOptions> = {}) {
  const pki = ensureLocalPki({
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

test("the first start makes everything, keys for their owner alone", () => {
  const pki = ensure({ directory: join(directory, "a", "b") });
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

test("the next start finds it all again", () => {
  const first = ensure();
  const second = ensure({ now: now + 100 * dayMs });
  expect(second.created).toEqual([]);
  expect(second.serving).toEqual(first.serving);
  expect(second.admin).toEqual(first.admin);
});

test("certificates near their end are replaced, the authority stays", () => {
  const first = ensure();
  const later = ensure({ now: now + 340 * dayMs });
  expect(later.created).toEqual(["apiserver.crt", "admin.crt"]);
  expect(later.caPem).toBe(first.caPem);
});

test("a clock before the certificates' time makes new ones", () => {
  ensure();
  expect(ensure({ now: now - dayMs }).created).toEqual(["ca.crt", "apiserver.crt", "admin.crt"]);
});

test("a further name makes a new serving certificate alone; fewer names do not", () => {
  ensure();
  const fewer = { commonName: "orch-apiserver", names: ["localhost", "fd00:0::1"] };
  expect(ensure({ serving: fewer }).created).toEqual([]);
  const more = { commonName: "orch-apiserver", names: ["localhost", "10.0.0.1"] };
  expect(ensure({ serving: more }).created).toEqual(["apiserver.crt"]);
});

test("another administrator makes a new client certificate", () => {
  ensure();
  expect(ensure({ admin: { commonName: "admin", organizations: [] } }).created).toEqual(["admin.crt"]);
});

test("a new authority takes everything it signed with it", () => {
  ensure();
  rmSync(join(directory, "ca.key"));
  expect(ensure().created).toEqual(["ca.crt", "apiserver.crt", "admin.crt"]);
});

test.each(["apiserver.crt", "apiserver.key"])("a damaged %s is made anew", (name) => {
  ensure();
  writeFileSync(join(directory, name), "-----BEGIN CERTIFICATE-----\nrubbish\n");
  expect(ensure().created).toEqual(["apiserver.crt"]);
});

test("a key that belongs to another certificate is noticed", () => {
  ensure();
  writeFileSync(join(directory, "apiserver.key"), readFileSync(join(directory, "admin.key")));
  expect(ensure().created).toEqual(["apiserver.crt"]);
});

test("only what is asked for is made", () => {
  const pki = ensure({ serving: undefined, admin: undefined, serviceAccountKey: false });
  expect(pki.created).toEqual(["ca.crt"]);
  expect(pki.serving).toBeUndefined();
});
