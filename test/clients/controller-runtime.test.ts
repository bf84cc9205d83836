import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientBinaries } from "../support/client-binaries.js";
import { execute, isInstalled, whereIs } from "./toolchain.js";

/**
 * The test suites of controller-runtime, in its release for Kubernetes 1.23, which the Go module proxy gives. Its test environment starts
 * this server in place of kube-apiserver, with its own flags. `npm run test:clients` runs them where Go and etcd are installed.
 */
const moduleVersion = "sigs.k8s.io/controller-runtime@v0.11.2";
const packages = [
  "builder",
  "cache",
  "client",
  "client/apiutil",
  "cluster",
  "controller",
  "envtest",
  "handler",
  "internal/controller",
  "internal/recorder",
  "internal/testing/controlplane",
  "manager",
  "source",
  "webhook",
];

const missing = [
  ["go", "version"],
  ["etcd", "--version"],
].find((command) => !isInstalled(command))?.[0];
const suiteTimeoutMs = 1_800_000;
const directory = mkdtempSync(join(tmpdir(), "controller-runtime-"));
const sources = join(directory, "sources");
const assets = join(directory, "assets");

describe.skipIf(missing !== undefined)(
  `controller-runtime${missing === undefined ? "" : ` (skipped: ${missing} is not installed)`}`,
  () => {
    beforeAll(() => {
      const downloaded: unknown = JSON.parse(
        execFileSync("go", ["mod", "download", "-json", moduleVersion], { encoding: "utf8" }),
      );
      cpSync((downloaded as { Dir: string }).Dir, sources, { recursive: true }); // what `go help mod download` says
      // Modules are kept without permissions to write and to run.
      execFileSync("chmod", ["-R", "u+rwX", sources]);
      execFileSync("find", [sources, "-name", "*.sh", "-exec", "chmod", "u+x", "{}", "+"]);
      // Managers listen at this port by default, which others on the machine may use.
      const listener = join(sources, "pkg/metrics/listener.go");
      writeFileSync(listener, readFileSync(listener, "utf8").replace('= ":8080"', '= ":0"'));
      mkdirSync(assets);
      const server = join(assets, "kube-apiserver");
      const program = resolve(import.meta.dirname, "../../bin/kube-apiserver.mjs");
      // kube-apiserver alone makes no service accounts.
      writeFileSync(
        server,
        `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@" --controllers=apiserver-service\n`,
      );
      chmodSync(server, 0o755);
      symlinkSync(whereIs("etcd"), join(assets, "etcd"));
      symlinkSync(clientBinaries().kubectl123, join(assets, "kubectl"));
    }, suiteTimeoutMs);

    test.each(packages)("%s", { timeout: suiteTimeoutMs }, async (name) => {
      const environment = { ...process.env, KUBEBUILDER_ASSETS: assets };
      const printed = await execute(["go", "test", "-count=1", `./pkg/${name}`], sources, environment);
      expect(printed).toMatch(/^ok\s/m);
    });
  },
);

afterAll(() => rmSync(directory, { recursive: true, force: true }));
