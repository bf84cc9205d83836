import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { runClient } from "../support/run-client.js";
import { type ServerProcess, startServer } from "../support/server-process.js";
import { execute, isInstalled } from "./toolchain.js";

/**
 * Programs in other languages, each with a client library from its language's package registry. They run where the toolchain is
 * installed: `npm run test:clients`.
 */
interface Family {
  readonly language: string;
  readonly folder: string;
  readonly toolchain: readonly string[];
  /** Commands to run in a copy of the folder. */
  readonly build: readonly (readonly string[])[];
  readonly run: readonly string[];
}

const families: readonly Family[] = [
  {
    language: "Python (kubernetes)",
    folder: "python",
    toolchain: ["python3", "--version"],
    build: [
      ["python3", "-m", "venv", "venv"],
      ["venv/bin/pip", "install", "--quiet", "kubernetes==37.0.2"],
    ],
    run: ["venv/bin/python", "client.py"],
  },
  {
    language: "Go (client-go)",
    folder: "go",
    toolchain: ["go", "version"],
    build: [["go", "build", "-o", "client", "."]],
    run: ["./client"],
  },
  {
    language: "Java (fabric8)",
    folder: "java",
    toolchain: ["mvn", "--version"],
    build: [["mvn", "-q", "-B", "package", "dependency:copy-dependencies"]],
    run: ["java", "-cp", ["target/classes", "target/dependency/*"].join(delimiter), "example.Client"],
  },
  {
    language: "Rust (kube)",
    folder: "rust",
    toolchain: ["cargo", "--version"],
    build: [["cargo", "build", "--quiet"]],
    run: ["target/debug/client"],
  },
];

const buildTimeoutMs = 1_800_000;
const directory = mkdtempSync(join(tmpdir(), "clients-"));
let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
});

afterAll(async () => {
  await server.dispose();
  rmSync(directory, { recursive: true, force: true });
});

for (const { language, folder, toolchain, build, run } of families) {
  const isMissing = !isInstalled(toolchain);
  const why = isMissing ? ` (skipped: ${toolchain[0]} is not installed)` : "";
  test.skipIf(isMissing)(`${language} works with the server${why}`, { timeout: buildTimeoutMs }, async () => {
    const cwd = join(directory, folder);
    cpSync(join(import.meta.dirname, folder), cwd, { recursive: true });
    for (const command of build) await execute(command, cwd);
    const printed = await execute([...run, server.kubeconfig], cwd);
    const steps = printed.trim().split("\n");
    expect(steps.every((line) => line.startsWith("ok "))).toBe(true);
    expect(steps).toEqual(
      expect.arrayContaining(["ok version", "ok create and get", "ok watch", "ok conflict", "ok delete"]),
    );
  });
}

test.skipIf(!isInstalled(["go", "version"]))(
  "Prometheus' own parser accepts the metrics, and its rules for names all but a few",
  { timeout: buildTimeoutMs },
  async () => {
    const cwd = join(directory, "prometheus");
    cpSync(join(import.meta.dirname, "prometheus"), cwd, { recursive: true });
    await execute(["go", "build", "-o", "check", "."], cwd);
    const api = new ApiClient(server);
    await api.get("/api/v1/namespaces");
    const { text } = await api.get("/metrics");
    await api.close();
    const { status, stdout, stderr } = await runClient(join(cwd, "check"), [], {
      kubeconfig: server.kubeconfig,
      home: cwd,
      input: text,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("metric apiserver_request_total\n");
    const lint = stdout.split("\n").filter((line) => line.startsWith("lint "));
    // Names that Kubernetes chose, and the library for metrics of the process.
    const known =
      /^lint (apiserver_admission_step_admission_duration_seconds_summary|apiserver_flowcontrol_latest_s|apiserver_longrunning_gauge|authentication_attempts|authenticated_user_requests|nodejs_active_\w+_total): /;
    expect(lint.filter((line) => !known.test(line))).toEqual([]);
  },
);
