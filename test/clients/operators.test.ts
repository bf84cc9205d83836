import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientBinaries } from "../support/client-binaries.js";
import { runClient } from "../support/run-client.js";
import { type ServerProcess, startServer } from "../support/server-process.js";
import { isInstalled } from "./toolchain.js";

/** The definitions that operators publish, from their own modules, which the Go module proxy gives. */
const modules = {
  certificates: ["github.com/cert-manager/cert-manager@v1.19.1", "deploy/crds"],
  monitoring: [
    "github.com/prometheus-operator/prometheus-operator@v0.85.0",
    "example/prometheus-operator-crd",
  ],
} as const;

const hasGo = isInstalled(["go", "version"]);
const { kubectlCurrent } = clientBinaries();
const home = mkdtempSync(join(tmpdir(), "operators-"));

afterAll(() => rmSync(home, { recursive: true, force: true }));

const certificate = (spec: string): string => `
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: web}
spec: ${spec}
`;
const agent = (spec: string): string => `
apiVersion: monitoring.coreos.com/v1alpha1
kind: PrometheusAgent
metadata: {name: all}
spec: ${spec}
`;

describe.skipIf(!hasGo).each(["1.35", "1.36"])(
  `operators at %s${hasGo ? "" : " (skipped: go is not installed)"}`,
  { timeout: 300_000 },
  (level) => {
    let server: ServerProcess;
    const run = (args: readonly string[], input?: string) =>
      runClient(kubectlCurrent, args, {
        kubeconfig: server.kubeconfig,
        home,
        ...(input !== undefined && { input }),
      });
    const tried = (object: string) => run(["create", "--dry-run=server", "-f", "-"], object);

    beforeAll(async () => {
      server = await startServer({ profile: "kubernetes", args: [`--api-level=${level}`] });
      for (const [name, folder] of Object.values(modules)) {
        const downloaded: unknown = JSON.parse(
          execFileSync("go", ["mod", "download", "-json", name], { encoding: "utf8" }),
        );
        const { Dir } = downloaded as { Dir: string }; // what `go help mod download` says
        const files = readdirSync(join(Dir, folder)).filter((file) => file.endsWith(".yaml"));
        expect(files.length).toBeGreaterThan(5);
        for (const file of files) {
          // Too large for the annotation of a client-side apply.
          const { status, stderr } = await run(["apply", "--server-side", "-f", join(Dir, folder, file)]);
          expect({ file, status, stderr }).toEqual({ file, status: 0, stderr: "" });
        }
      }
      const wait = "wait --for=condition=Established customresourcedefinitions --all";
      const established = await run(wait.split(" "));
      expect(established.status, established.stderr).toBe(0);
    }, 120_000);

    afterAll(() => server?.dispose());

    test("what the definition of a certificate says is enforced, and its columns are shown", async () => {
      const valid = "{secretName: web, dnsNames: [web.example.com], issuerRef: {name: ca}}";
      expect(await run(["create", "-f", "-"], certificate(valid))).toMatchObject({ status: 0, stderr: "" });
      const listed = await run(["get", "certificates"]);
      expect(listed.stdout).toMatch(/^NAME +READY +SECRET +AGE\nweb +web +\d+s\n$/);
      const noIssuer = await tried(certificate("{secretName: web}"));
      expect(noIssuer.stderr).toContain("spec.issuerRef: Required value");
      const key = valid.replace("{", "{privateKey: {algorithm: MD5}, ");
      expect((await tried(certificate(key))).stderr).toContain(
        'spec.privateKey.algorithm: Unsupported value: "MD5": supported values: "RSA", "ECDSA", "Ed25519"',
      );
    });

    test("an agent is refused by each of its rules", async () => {
      for (const valid of ["{mode: DaemonSet}", "{mode: StatefulSet, replicas: 2, shards: 2}"]) {
        expect(await tried(agent(valid))).toMatchObject({ status: 0, stderr: "" });
      }
      for (const [spec, message] of [
        ["{mode: DaemonSet, replicas: 1}", "replicas cannot be set when mode is DaemonSet"],
        ["{mode: DaemonSet, storage: {}}", "storage cannot be set when mode is DaemonSet"],
        ["{mode: DaemonSet, shards: 2}", "shards cannot be greater than 1 when mode is DaemonSet"],
      ] as const) {
        const { status, stderr } = await tried(agent(spec));
        expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
      }
      // One of them is broken by an update.
      await run(["create", "-f", "-"], agent("{mode: StatefulSet, replicas: 2}"));
      const patch = [
        "patch",
        "prometheusagent",
        "all",
        "--type=merge",
        "-p",
        '{"spec":{"mode":"DaemonSet"}}',
      ];
      expect((await run(patch)).stderr).toContain("replicas cannot be set when mode is DaemonSet");
    });
  },
);
