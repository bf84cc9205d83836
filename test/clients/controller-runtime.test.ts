import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiLevel } from "../../src/index.js";
import { clientBinaries } from "../support/client-binaries.js";
import { execute, isInstalled } from "./toolchain.js";

/**
 * The test suites of controller-runtime, in its release for Kubernetes 1.23 and in a current one, which the Go module proxy gives. Their
 * test environments start what `envtest-assets` wrote, with their own flags. `npm run test:clients` runs them where Go is installed. With
 * `STORM=network` in the environment, their servers begin with that storm: docs/testing.md says which suites pass nevertheless.
 */
const { STORM: storm } = process.env;
const further = storm === undefined ? [] : ["--", "--lab", `--lab-storm=${storm}`];
const releases: readonly {
  readonly version: string;
  readonly level: ApiLevel;
  readonly changed?: readonly [string, string, string];
}[] = [
  {
    version: "v0.11.2",
    level: "1.23",
    // Managers listen at this port by default, which others on the machine may use.
    changed: ["pkg/metrics/listener.go", '= ":8080"', '= ":0"'],
  },
  { version: "v0.24.1", level: "1.23" },
  { version: "v0.24.1", level: "1.35" },
];
/** The API server that `client/apiutil` asks for besides: envtest takes what it finds in its place before it fetches one. */
const fetched = { version: "1.28.0", level: "1.28" };
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

const hasGo = isInstalled(["go", "version"]);
const suiteTimeoutMs = 1_800_000;
const directory = mkdtempSync(join(tmpdir(), "controller-runtime-"));
const dataHome = join(directory, "data");

describe.skipIf(!hasGo).each(releases)(
  `controller-runtime $version at $level${hasGo ? "" : " (skipped: go is not installed)"}`,
  ({ version, level, changed }) => {
    const sources = join(directory, `${version}-${level}`);
    const assets = join(directory, `assets-${level}`);

    beforeAll(() => {
      const module = `sigs.k8s.io/controller-runtime@${version}`;
      const downloaded: unknown = JSON.parse(
        execFileSync("go", ["mod", "download", "-json", module], { encoding: "utf8" }),
      );
      cpSync((downloaded as { Dir: string }).Dir, sources, { recursive: true }); // what `go help mod download` says
      // Modules are kept without permissions to write and to run.
      execFileSync("chmod", ["-R", "u+rwX", sources]);
      execFileSync("find", [sources, "-name", "*.sh", "-exec", "chmod", "u+x", "{}", "+"]);
      if (changed !== undefined) {
        const [file, from, to] = changed;
        writeFileSync(join(sources, file), readFileSync(join(sources, file), "utf8").replace(from, to));
      }
      const program = resolve(import.meta.dirname, "../../bin/orch-apiserver.mjs");
      const path = [dirname(clientBinaries().kubectl123), process.env.PATH].join(delimiter);
      const platform = execFileSync("go", ["env", "GOOS", "GOARCH"], { encoding: "utf8" });
      const place = [fetched.version, ...platform.trim().split("\n")].join("-");
      const ofFetched = join(dataHome, "kubebuilder-envtest/k8s", place);
      for (const [target, wanted] of [
        [assets, level],
        [ofFetched, fetched.level],
      ]) {
        const written = ["envtest-assets", `${target}`, `--api-level=${wanted}`, ...further];
        execFileSync(process.execPath, [program, ...written], { env: { ...process.env, PATH: path } });
      }
    }, suiteTimeoutMs);

    test.each(packages)("%s", { timeout: suiteTimeoutMs }, async (name) => {
      const environment = { ...process.env, KUBEBUILDER_ASSETS: assets, XDG_DATA_HOME: dataHome };
      const printed = await execute(["go", "test", "-count=1", `./pkg/${name}`], sources, environment);
      expect(printed).toMatch(/^ok\s/m);
    });
  },
);

afterAll(() => rmSync(directory, { recursive: true, force: true }));
