import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";

const home = mkdtempSync(join(tmpdir(), "kubeconfig-"));
let server: ServerHere;

interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const kubeconfigFor = (...args: readonly string[]) => kubeconfigBy("kube-apiserver", ...args);

function kubeconfigBy(command: string, ...args: readonly string[]): Promise<Run> {
  const program = join(process.cwd(), `bin/${command}.mjs`);
  return new Promise((resolve) => {
    execFile(process.execPath, [program, "kubeconfig", ...args], (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

const ofServer = (): string => `--data-dir=${server.dataDirectory}`;

/** What kubectl says with a configuration. */
async function listPods(configuration: string): Promise<string> {
  const path = join(home, "config");
  writeFileSync(path, configuration);
  const { stdout, stderr } = await runClient(clientBinaries().kubectlCurrent, ["get", "pods"], {
    kubeconfig: path,
    home,
  });
  return stdout + stderr;
}

beforeAll(async () => {
  server = await startServerHere({ args: ["--authorization-mode=RBAC"] });
  const api = new ApiClient(server);
  const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
  const made = await api.post(rbac, {
    metadata: { name: "viewers" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
    subjects: [
      { kind: "Group", name: "devs", apiGroup: "rbac.authorization.k8s.io" },
      { kind: "ServiceAccount", name: "robot", namespace: "default" },
    ],
  });
  expect(made.status, made.text).toBe(201);
  const robot = await api.post("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "robot" } });
  expect(robot.status, robot.text).toBe(201);
  await api.close();
});

afterAll(async () => {
  await server?.dispose();
  rmSync(home, { recursive: true, force: true });
});

test("a user in groups, and a user without", async () => {
  const jane = await kubeconfigFor("--user=jane", "--group=devs", "--group=others", ofServer());
  expect(jane).toMatchObject({ status: 0, stderr: "" });
  expect(await listPods(jane.stdout)).toContain("No resources found in default namespace.");
  const joe = await kubeconfigFor("--user=joe", ofServer());
  expect(await listPods(joe.stdout)).toContain('User "joe" cannot list resource "pods"');
});

test("a service account", async () => {
  const robot = await kubeconfigFor("--service-account=default/robot", ofServer());
  expect(robot).toMatchObject({ status: 0, stderr: "" });
  expect(await listPods(robot.stdout)).toContain("No resources found in default namespace.");
  const nobody = await kubeconfigFor("--service-account=default/nobody", ofServer());
  expect(nobody).toMatchObject({ status: 1, stdout: "" });
  expect(nobody.stderr).toContain('answered 404: serviceaccounts "nobody" not found');
});

test("the command of the other profile makes configurations for this server too", async () => {
  const robot = await kubeconfigBy("orch-apiserver", "--service-account=default/robot", ofServer());
  expect(robot).toMatchObject({ status: 0, stderr: "" });
  expect(await listPods(robot.stdout)).toContain("No resources found in default namespace.");
  const jane = await kubeconfigBy("orch-apiserver", "--user=jane", "--group=devs", ofServer());
  expect(await listPods(jane.stdout)).toContain("No resources found in default namespace.");
});

test("errors are one line", async () => {
  for (const [args, problem] of [
    [[ofServer()], "--user or --service-account is required"],
    [["--user=a", "--service-account=b/c", ofServer()], "cannot be combined with --user"],
    [["--service-account=b", ofServer()], 'expected NAMESPACE/NAME, got "b"'],
    [["--user=jane", `--data-dir=${home}`], "there is no administrator's kubeconfig"],
    [["--user=jane", ofServer(), `--cert-dir=${home}`], "name its directory with --cert-dir"],
    [["--users=jane"], "--users"],
  ] as const) {
    const run = await kubeconfigFor(...args);
    expect(run).toMatchObject({ status: 1, stdout: "" });
    expect(run.stderr).toMatch(/^error: .*\n$/);
    expect(run.stderr).toContain(problem);
  }
  expect((await kubeconfigFor("--help")).stdout).toContain("kubeconfig --service-account NAMESPACE/NAME");
});
