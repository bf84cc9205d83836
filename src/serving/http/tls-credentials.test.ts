import { cpSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ensureLocalPki } from "../../server/pki/local-pki.js";
import { CredentialFiles } from "./tls-credentials.js";
import { toTlsSettings } from "./tls-settings.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "orch-tls-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function makePair(name: string) {
  const pki = await ensureLocalPki({
    directory: join(directory, name),
    now: Date.now(),
    authorityName: "ca",
    serving: { commonName: name, names: [`${name}.example`] },
  });
  if (pki.serving === undefined) throw new Error("no certificate");
  return {
    certFile: pki.serving.certFile,
    keyFile: pki.serving.keyFile,
    caFile: pki.caFile,
    certPem: pki.serving.certPem,
  };
}

const settings = toTlsSettings(undefined);

test("a file that is missing is named", async () => {
  const missing = join(directory, "missing.crt");
  const pair = await makePair("a");
  expect(() => new CredentialFiles({ ...pair, certFile: missing }, settings)).toThrow(missing);
});

test("a key of another certificate is refused with both names", async () => {
  const a = await makePair("a");
  const b = await makePair("b");
  const mixed = { certFile: a.certFile, keyFile: b.keyFile };
  expect(() => new CredentialFiles(mixed, settings)).toThrow(
    `certificate ${a.certFile} with key ${b.keyFile}: `,
  );
});

test("a client CA that is no certificate is named", async () => {
  const caFile = join(directory, "ca.pem");
  writeFileSync(caFile, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  const pair = await makePair("a");
  expect(() => new CredentialFiles({ ...pair, clientCaFiles: [caFile] }, settings)).toThrow(
    `client CA ${caFile}: `,
  );
});

test("new contents are loaded, useless ones reported once and the old kept", async () => {
  const a = await makePair("a");
  const b = await makePair("b");
  // Like a mounted secret, updated by replacing a symbolic link.
  const link = join(directory, "current");
  const turn = (to: string): void => {
    symlinkSync(join(directory, to), `${link}.new`);
    renameSync(`${link}.new`, link);
  };
  turn("a");
  const files = { certFile: join(link, "apiserver.crt"), keyFile: join(link, "apiserver.key") };
  const credentials = new CredentialFiles(files, settings);
  expect(credentials.current.base.cert).toBe(a.certPem);
  const onChange = vi.fn();
  const onError = vi.fn();
  credentials.watch({ intervalMs: 5, onChange, onError });
  try {
    turn("b");
    await expect.poll(() => onChange).toHaveBeenCalledTimes(1);
    expect(credentials.current.base.cert).toBe(b.certPem);

    // Replaced atomically; half-written files are another test.
    cpSync(a.keyFile, `${b.keyFile}.new`);
    renameSync(`${b.keyFile}.new`, b.keyFile);
    await expect.poll(() => onError).toHaveBeenCalled();
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(onError).toHaveBeenCalledTimes(1);
    expect(credentials.current.base.cert).toBe(b.certPem);

    turn("a");
    await expect.poll(() => onChange).toHaveBeenCalledTimes(2);
    expect(credentials.current.base.cert).toBe(a.certPem);
  } finally {
    credentials.close();
  }
});

test("a file that cannot be used keeps no other from being taken over", async () => {
  const a = await makePair("a");
  const b = await makePair("b");
  const own = { certFile: join(directory, "own.crt"), keyFile: join(directory, "own.key") };
  const caFile = join(directory, "clients.crt");
  const put = (from: string, to: string): void => {
    cpSync(from, `${to}.new`);
    renameSync(`${to}.new`, to);
  };
  put(a.certFile, own.certFile);
  put(a.keyFile, own.keyFile);
  put(a.caFile, caFile);
  const credentials = new CredentialFiles({ ...own, clientCaFiles: [caFile] }, settings);
  const { ca } = credentials.current.base;
  const errors: string[] = [];
  credentials.watch({ intervalMs: 5, onChange: () => {}, onError: (error) => errors.push(String(error)) });
  try {
    rmSync(caFile);
    await expect.poll(() => errors).toHaveLength(1);
    put(b.keyFile, own.keyFile);
    put(b.certFile, own.certFile);
    await expect.poll(() => credentials.current.base.cert).toBe(b.certPem);
    expect(credentials.current.base.ca).toEqual(ca);
    put(b.caFile, caFile);
    await expect.poll(() => credentials.current.base.ca).not.toEqual(ca);
  } finally {
    credentials.close();
  }
});
