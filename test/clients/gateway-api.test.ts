import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientBinaries } from "../support/client-binaries.js";
import { runClient } from "../support/run-client.js";
import { type ServerProcess, startServer } from "../support/server-process.js";
import { isInstalled } from "./toolchain.js";

/**
 * The definitions of the Gateway API with their rules, and the objects with which Kubernetes tries them, from a module of its own that the
 * Go module proxy gives.
 */
const moduleName = "k8s.io/apiextensions-apiserver@v0.36.0";

/** Those of the valid objects. */
const namespaces = [
  "bar",
  "foo",
  "gateway-api-example-ns1",
  "gateway-api-example-ns2",
  "infra-ns",
  "prod",
  "site-ns",
  "store-ns",
];

const hasGo = isInstalled(["go", "version"]);
const { kubectlCurrent } = clientBinaries();
const home = mkdtempSync(join(tmpdir(), "gateway-api-"));

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe.skipIf(!hasGo)(
  `Gateway API at 1.35${hasGo ? "" : " (skipped: go is not installed)"}`,
  { timeout: 300_000 },
  () => {
    let server: ServerProcess;
    let cases: string;
    const kubectl = (...args: readonly string[]) =>
      runClient(kubectlCurrent, args, { kubeconfig: server.kubeconfig, home });

    beforeAll(async () => {
      const downloaded: unknown = JSON.parse(
        execFileSync("go", ["mod", "download", "-json", moduleName], { encoding: "utf8" }),
      );
      const { Dir } = downloaded as { Dir: string }; // what `go help mod download` says
      cases = join(Dir, "test/integration/ratcheting_test_cases");
      server = await startServer({ profile: "kubernetes", args: ["--api-level=1.35"] });
      const created = await kubectl("create", "-f", join(cases, "crds/standard-install.yaml"));
      expect(created.stderr).toBe("");
      const established = await kubectl(
        ..."wait --for=condition=Established customresourcedefinitions --all".split(" "),
      );
      expect(established.status, established.stderr).toBe(0);
      for (const name of namespaces) {
        const { status, stderr } = await kubectl("create", "namespace", name);
        expect(status, stderr).toBe(0);
      }
    });

    afterAll(() => server?.dispose());

    const filesIn = (folder: string) =>
      readdirSync(join(cases, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".yaml") && !file.endsWith("0-namespaces.yaml"))
        .map((file) => join(cases, folder, file));

    test("what is valid is taken", async () => {
      const files = filesIn("valid");
      expect(files.length).toBeGreaterThan(30);
      for (const file of files) {
        const { status, stderr } = await kubectl("apply", "--dry-run=server", "-f", file);
        expect(status, stderr).toBe(0);
      }
    });

    test("what breaks a schema or a rule is refused", async () => {
      const files = filesIn("invalid");
      expect(files.length).toBeGreaterThan(20);
      for (const file of files) {
        const { status, stderr } = await kubectl("apply", "--dry-run=server", "-f", file);
        expect(status, file).toBe(1);
        expect(stderr).toContain("is invalid");
      }
    });
  },
);
