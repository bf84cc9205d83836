import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ensureLocalPki } from "../../src/server/pki/local-pki.js";
import { ApiClient } from "../support/api-client.js";
import { startServerHere } from "../support/in-process-server.js";
import { startServer } from "../support/server-process.js";

const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function run(
  command: string,
  ...args: string[]
): Promise<{ status: number; stdout: string; stderr: string }> {
  const directory = mkdtempSync(join(tmpdir(), "options-"));
  directories.push(directory);
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(process.cwd(), "bin", `${command}.mjs`), ...args],
      { cwd: directory, timeout: 60_000 },
      (error, stdout, stderr) =>
        resolve({ status: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
  });
}

test("--version and --help print and exit", async () => {
  expect(await run("orch-apiserver", "--version")).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^v1\.23\./),
  });
  const help = await run("orch-apiserver", "--help");
  expect(help.status).toBe(0);
  expect(help.stdout).toContain("--store-servers");
  expect((await run("kube-apiserver", "--help")).stdout).toContain("--etcd-servers");
});

test.each([
  ["an unknown option", ["--secure-prt=1"], /^error: --secure-prt.*--secure-port/],
  ["a bad value", ["--secure-port=x"], /^error: --secure-port/],
  ["a bad combination", ["--tls-cert-file=/nothing.crt"], /^error: --tls-/],
  ["an unknown gate", ["--feature-gates=Moon=true"], /^error: --feature-gates.*Moon/],
  ["an unknown API", ["--runtime-config=moon/v1=true"], /^error: --runtime-config: unknown api groups? moon/],
  ["a cloud provider", ["--cloud-provider=moon"], /^error: --cloud-provider: no cloud provider is built /],
])("%s ends the start with one line and status 1", async (_what, args, line) => {
  const { status, stdout, stderr } = await run("orch-apiserver", "--bind-address=127.0.0.1", ...args);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toMatch(line);
});

const garbage = "package.json";
const files = [
  "client-ca-file",
  "token-auth-file",
  "service-account-key-file",
  "nodeagent-certificate-authority",
];
const store = "--store-servers=http://127.0.0.1:9";

/** Options that name `package.json` name a file of garbage. */
function garbled(args: readonly string[]): readonly string[] {
  const own = mkdtempSync(join(tmpdir(), "options-"));
  directories.push(own);
  const path = join(own, garbage);
  writeFileSync(path, "garbage");
  return [
    `--data-dir=${own}/data`,
    `--cert-dir=${own}/pki`,
    ...args.map((arg) => arg.replaceAll(garbage, path)),
  ];
}

test.each<[string, readonly string[]]>([
  ...files.map((name): [string, string[]] => [name, [`--${name}=/nothing`]]),
  ["tls-cert-file", ["--tls-cert-file=/nothing", "--tls-private-key-file=/nothing"]],
  ["tls-sni-cert-key", ["--tls-sni-cert-key=/nothing,/nothing"]],
  ["client-ca-file", [`--client-ca-file=${garbage}`]],
  ["tls-cert-file", [`--tls-cert-file=${garbage}`, `--tls-private-key-file=${garbage}`]],
  ["store-cafile", ["--store-cafile=/nothing", store]],
  ["encryption-provider-config", ["--encryption-provider-config=/nothing"]],
  ["egress-selector-config-file", ["--egress-selector-config-file=/nothing"]],
  ["data-dir", [`--data-dir=${garbage}`]],
  ["cert-dir", [`--cert-dir=${garbage}`]],
  ["bind-address", ["--bind-address=192.0.2.77"]],
  ["tls-cipher-suites", ["--tls-cipher-suites=TLS_RSA_WITH_RC4_128_SHA"]],
])("what fails because of --%s is said by its name (%j)", async (name, args) => {
  await expect(startServerHere({ profile: "orch", args: garbled(args) })).rejects.toThrow(
    new RegExp(`^--${name}: .*$`),
  );
});

test.each([
  ["client-ca-file", [`--client-ca-file=${garbage}`]],
  ["write-kubeconfig", ["--write-kubeconfig=/nothing/there"]],
])(
  "the command prints what fails because of --%s in one line, and ends with status 1",
  async (name, args) => {
    const { status, stderr } = await run(
      "orch-apiserver",
      "--bind-address=127.0.0.1",
      "--secure-port=16443",
      ...garbled(args),
    );
    expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(`^error: --${name}: `)]);
    expect(status).toBe(1);
  },
);

test("a store that cannot be reached ends the start with status 1", async () => {
  const { status, stderr } = await run("orch-apiserver", "--bind-address=127.0.0.1", store);
  expect(stderr).toMatch(/^error: --store-servers: .*127\.0\.0\.1:9.*\n$/);
  expect(status).toBe(1);
});

test("--runtime-config takes a group and a version out of discovery and serving", async () => {
  const server = await startServerHere({
    args: ["--runtime-config=batch/v1beta1=false,autoscaling/v2=false,storage.k8s.io/v1alpha1=true"],
  });
  const api = new ApiClient(server);
  try {
    const batch = (await api.get("/apis/batch")).body.versions.map((v: { version: string }) => v.version);
    expect(batch).toEqual(["v1"]);
    expect((await api.get("/apis/batch/v1beta1/cronjobs")).status).toBe(404);
    expect((await api.get("/apis/autoscaling/v2/horizontalpodautoscalers")).status).toBe(404);
    expect((await api.get("/apis/autoscaling/v1/horizontalpodautoscalers")).status).toBe(200);
    expect((await api.get("/apis/storage.k8s.io/v1alpha1/csistoragecapacities")).status).toBe(200);
  } finally {
    await api.close();
    await server.dispose();
  }
});

test("--authorization-mode is asked about whoever the client wants to be", async () => {
  const server = await startServerHere({ args: ["--authorization-mode=AlwaysDeny"] });
  const api = new ApiClient(server);
  try {
    expect((await api.get("/api/v1/pods")).status).toBe(200);
    const { body } = await api.ask("GET", "/api/v1/pods", { headers: { "impersonate-user": "jane" } });
    expect(body).toMatchObject({
      code: 403,
      message:
        'pods is forbidden: User "jane" cannot list resource "pods" in API group "" at the cluster scope: Everything is forbidden.',
    });
  } finally {
    await api.close();
    await server.dispose();
  }
});

test("a pair in --cert-dir is served and left as it is, with only --client-ca-file trusted", async () => {
  const directory = mkdtempSync(join(tmpdir(), "own-pair-"));
  directories.push(directory);
  const certDir = join(directory, "certs");
  const own = await ensureLocalPki({
    directory: join(directory, "authority"),
    now: Date.now(),
    authorityName: "another-ca",
    serving: { commonName: "another", names: ["127.0.0.1"] },
    admin: { commonName: "admin", organizations: ["system:masters"] },
  });
  const admin = await own.admin;
  if (own.serving === undefined || admin === undefined) throw new Error("no certificates");
  mkdirSync(certDir);
  copyFileSync(own.serving.certFile, join(certDir, "apiserver.crt"));
  copyFileSync(own.serving.keyFile, join(certDir, "apiserver.key"));
  const server = await startServerHere({ args: [`--cert-dir=${certDir}`, `--client-ca-file=${own.caFile}`] });
  try {
    const status = await new Promise((resolve, reject) => {
      const { port } = server;
      const tls = { ca: own.caPem, cert: admin.certPem, key: admin.keyPem };
      request({ host: "127.0.0.1", port, path: "/api/v1/pods", ...tls }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .once("error", reject)
        .end();
    });
    expect(status).toBe(200);
    expect(readFileSync(join(certDir, "apiserver.crt"), "utf8")).toBe(own.serving.certPem);
    expect(readFileSync(join(certDir, "apiserver.key"), "utf8")).toBe(own.serving.keyPem);
  } finally {
    await server.dispose();
  }
});

test("the start message says where things are", async () => {
  const server = await startServer();
  expect(server.output()).toContain(`https://127.0.0.1:${server.port}`);
  expect(server.output()).toContain(server.kubeconfig);
  await server.dispose();
});

test("options of Kubernetes that have no effect here are taken, and the log file names them once", async () => {
  const directory = mkdtempSync(join(tmpdir(), "options-log-"));
  directories.push(directory);
  const file = join(directory, "server.log");
  const server = await startServer({
    args: [
      "--logtostderr=false",
      `--log-file=${file}`,
      "--alsologtostderr",
      "--insecure-port=0",
      "--feature-gates=CPUManager=true,CSIMigrationAWS=true,SuspendJob=true",
      "--admission-control=NamespaceLifecycle,AlwaysPullImages",
    ],
  });
  try {
    const api = new ApiClient(server);
    const pod = {
      metadata: { name: "a" },
      spec: { containers: [{ name: "a", image: "a:1", imagePullPolicy: "Never" }] },
    };
    const { status, body } = await api.post("/api/v1/namespaces/default/pods", pod);
    // Neither the service account nor the tolerations that plugins add by default.
    expect(status).toBe(201);
    expect(body.spec).toMatchObject({ containers: [{ imagePullPolicy: "Always" }] });
    expect(body.spec).not.toHaveProperty("tolerations");
    expect(body.spec).not.toHaveProperty("serviceAccountName");
    await api.close();
  } finally {
    await server.dispose();
  }
  const log = readFileSync(file, "utf8");
  expect(log).toMatch(/^Log file created at: /);
  expect(log.match(/these options and feature gates have no effect.*/g)).toEqual([
    'these options and feature gates have no effect on this server names="--insecure-port CPUManager CSIMigrationAWS"',
  ]);
});

test.each([
  ["1.30", [], 200],
  ["1.31", [], 404],
  ["1.31", ["--enable-logs-handler"], 200],
  ["1.30", ["--enable-logs-handler=false"], 404],
])(
  "at %s with %j the host's logs are answered %d, to those who may get them",
  async (level, args, status) => {
    const server = await startServerHere({
      args: [`--api-level=${level}`, "--authorization-mode=RBAC", ...args],
    });
    const api = new ApiClient(server);
    expect((await api.get("/logs/")).status).toBe(status);
    expect((await api.get("/logs/../../etc/passwd")).text).not.toContain("root:");
    const { paths } = (await api.get("/openapi/v2")).body;
    expect("/logs/{logpath}" in paths).toBe(status === 200);
    const jane = await api.ask("GET", "/logs/", { headers: { "impersonate-user": "jane" } });
    expect([jane.status, jane.text]).toEqual([403, expect.stringContaining("cannot get path")]);
    await api.close();
    await server.dispose();
  },
);
