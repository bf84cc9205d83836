import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import type { Options } from "../options/options.js";
import { resolveOptions } from "../options/parse-options.js";
import { checkCertificateFiles } from "./check-certificate-files.js";
import { ensureLocalPki } from "./local-pki.js";

const naming = createNaming("kubernetes");
let directory: string;
let file: { readonly [name in "garbage" | "empty" | "cert" | "key" | "otherKey"]: string };
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "given-files-"));
  await (await ensureLocalPki({ directory, authorityName: "ca", now: Date.now() })).finished;
  const at = (name: string) => join(directory, name);
  file = {
    garbage: at("garbage"),
    empty: at("empty"),
    cert: at("ca.crt"),
    key: at("ca.key"),
    otherKey: at("other.key"),
  };
  writeFileSync(file.garbage, "garbage");
  writeFileSync(file.empty, "");
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(file.otherKey, privateKey.export({ type: "pkcs8", format: "pem" }));
});
afterAll(() => rmSync(directory, { recursive: true }));

async function check(wanted: Partial<Options>): Promise<void> {
  const resolved = resolveOptions(wanted, { profile: "kubernetes" });
  if (resolved.kind === "error") throw new Error(resolved.message);
  await checkCertificateFiles(resolved.options, naming);
}

const pairs = [
  ["tls-cert-file", "tlsCertFile", "tls-private-key-file", "tlsPrivateKeyFile"],
  ["proxy-client-cert-file", "proxyClientCertFile", "proxy-client-key-file", "proxyClientKeyFile"],
  ["kubelet-client-certificate", "nodeagentClientCertificate", "kubelet-client-key", "nodeagentClientKey"],
  ["etcd-certfile", "storeCertfile", "etcd-keyfile", "storeKeyfile"],
] as const;

test.each(pairs)("--%s and its key must fit", async (certName, certificate, keyName, key) => {
  await check({ [certificate]: file.cert, [key]: file.key });
  for (const wrong of [file.garbage, file.empty]) {
    await expect(check({ [certificate]: wrong, [key]: file.key })).rejects.toThrow(
      `--${certName}: ${wrong}: no certificate in the file`,
    );
    await expect(check({ [certificate]: file.cert, [key]: wrong })).rejects.toThrow(
      `--${keyName}: ${wrong}: no private key in PEM form: `,
    );
  }
  await expect(check({ [certificate]: file.cert, [key]: file.otherKey })).rejects.toThrow(
    `--${keyName}: ${file.otherKey}: is not the key of the certificate`,
  );
});

test.each([
  ["client-ca-file", "clientCaFile"],
  ["requestheader-client-ca-file", "requestheaderClientCaFile"],
  ["kubelet-certificate-authority", "nodeagentCertificateAuthority"],
  ["etcd-cafile", "storeCafile"],
] as const)("--%s must hold certificates", async (name, option) => {
  await check({ [option]: file.cert });
  for (const wrong of [file.garbage, file.empty]) {
    await expect(check({ [option]: wrong })).rejects.toThrow(
      `--${name}: ${wrong}: no certificate in the file`,
    );
  }
});

test("from 1.35 on, proxy names are required when front proxies and clients share a CA", async () => {
  const shared = { clientCaFile: file.cert, requestheaderClientCaFile: file.cert };
  await expect(check({ ...shared, apiLevel: "1.35" })).rejects.toThrow(
    "--requestheader-allowed-names: must be specified when --requestheader-client-ca-file and --client-ca-file contain overlapping " +
      "certificates, to ensure regular client certificates cannot set authenticating proxy headers for arbitrary users",
  );
  await check({ ...shared, apiLevel: "1.34" });
  await check({ ...shared, apiLevel: "1.35", requestheaderAllowedNames: ["front-proxy"] });
});
