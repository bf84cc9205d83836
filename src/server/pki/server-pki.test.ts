import { X509Certificate } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import type { Options } from "../options/options.js";
import { resolveOptions } from "../options/parse-options.js";
import { ensureLocalPki } from "./local-pki.js";
import { prepareServerPki } from "./server-pki.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "orch-server-pki-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function prepare(wanted: Partial<Options> = {}) {
  const resolved = resolveOptions({ certDir: directory, dataDir: directory, ...wanted }, { profile: "orch" });
  if (resolved.kind === "error") throw new Error(resolved.message);
  return await prepareServerPki(
    {
      options: resolved.options,
      given: new Set(["cert-dir"]),
      naming: createNaming("orch"),
      // RSA keys take long to generate.
      clientKeys: "ec",
    },
    Date.now(),
  );
}

test.each([
  [undefined, "10.0.0.1"],
  [{ family: 4, address: "10.96.0.0", prefixLength: 12 }, "10.96.0.1"],
  [{ family: 6, address: "fd00:10::", prefixLength: 108 }, "fd00:10::1"],
] as const)("with the service range %j the server answers for %s", async (range, address) => {
  const { tls } = await prepare(range === undefined ? {} : { serviceClusterIpRange: [range] });
  const certificate = new X509Certificate(readFileSync(tls.certFile));
  expect(certificate.checkIP(address)).toBe(address);
  expect(certificate.checkHost("orch.default.svc")).toBe("orch.default.svc");
});

test("a key for service accounts is made when none is given", async () => {
  const { serviceAccountKeys } = await prepare();
  expect(serviceAccountKeys).toEqual({
    signingKeyFile: join(directory, "sa.key"),
    publicKeyFiles: [join(directory, "sa.pub")],
  });
  for (const path of ["sa.key", "sa.pub"]) expect(existsSync(join(directory, path))).toBe(true);
});

test("keys for service accounts that are given are the only ones", async () => {
  const { serviceAccountKeys } = await prepare({ serviceAccountKeyFile: ["/a.pub", "/b.pub"] });
  expect(serviceAccountKeys).toEqual({ signingKeyFile: undefined, publicKeyFiles: ["/a.pub", "/b.pub"] });
  expect(existsSync(join(directory, "sa.key"))).toBe(false);
});

test("a file that is damaged is named with its option, the administrator's too", async () => {
  await (await prepare()).finished;
  const expectRefused = async (name: string, start: () => Promise<unknown>): Promise<void> => {
    const path = join(directory, name);
    const whole = readFileSync(path);
    writeFileSync(path, "garbage");
    await expect(start()).rejects.toThrow(`--cert-dir: ${path} holds no certificate`);
    expect(readFileSync(path, "utf8")).toBe("garbage");
    writeFileSync(path, whole);
  };
  await expectRefused("ca.crt", () => prepare());
  await expectRefused("admin.crt", async () => await (await prepare()).admin);
});

test("with an administrator's certificate, its CA is trusted in addition to the given one", async () => {
  const { tls } = await prepare();
  const [own = ""] = tls.clientCaFiles ?? [];
  const clientCaFile = join(directory, "clients.crt");
  copyFileSync(own, clientCaFile);

  const given = await prepare({ clientCaFile });
  const frontProxies = join(directory, "front-proxy-ca.crt");
  expect(given.tls.clientCaFiles).toEqual([clientCaFile, frontProxies]);
  expect(given.admin).toBeUndefined();

  const both = await prepare({ clientCaFile, writeKubeconfig: join(directory, "config") });
  expect(both.tls.clientCaFiles).toEqual([clientCaFile, own, frontProxies]);
  expect(both.admin).toBeDefined();
});

test("without options for front proxies, the server is the only front proxy", async () => {
  const { tls, frontProxies, proxyClient, clientAuthorityFiles } = await prepare();
  const caFile = join(directory, "front-proxy-ca.crt");
  expect(frontProxies).toEqual({
    caFile,
    allowedNames: ["front-proxy-client"],
    usernameHeaders: ["X-Remote-User"],
    groupHeaders: ["X-Remote-Group"],
    extraHeadersPrefix: ["X-Remote-Extra-"],
  });
  expect(proxyClient).toMatchObject({ certFile: join(directory, "front-proxy-client.crt") });
  expect(tls.clientCaFiles).toContain(caFile);
  expect(clientAuthorityFiles).not.toContain(caFile);
});

test.each<readonly [string, () => Partial<Options>]>([
  ["headers", () => ({ requestheaderUsernameHeaders: ["X-User"] })],
  ["allowed names", () => ({ requestheaderAllowedNames: ["proxy"] })],
  [
    "a client certificate",
    () => ({ proxyClientCertFile: join(directory, "ca.crt"), proxyClientKeyFile: join(directory, "ca.key") }),
  ],
])("with %s no certificates are created for front proxies", async (_, wanted) => {
  const local = await ensureLocalPki({ directory, authorityName: "ca", now: Date.now() });
  await local.finished;
  const { frontProxies, proxyClient } = await prepare(wanted());
  expect(frontProxies.caFile).toBeUndefined();
  expect(proxyClient?.certFile).toBe(wanted().proxyClientCertFile);
  expect(existsSync(join(directory, "front-proxy-ca.crt"))).toBe(false);
});
