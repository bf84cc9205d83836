import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { apiServices, availability } from "../support/api-services.js";
import { clientBinaries } from "../support/client-binaries.js";
import { freePort } from "../support/free-ports.js";
import { runClient } from "../support/run-client.js";
import { credentialsOf, type ServerProcess, startServer } from "../support/server-process.js";
import { TestAuthority, type TestCertificate } from "../support/test-authority.js";
import { execute, isInstalled } from "./toolchain.js";

/**
 * An extension server that is built on Kubernetes' published library, as metrics servers and API servers of operators are: its
 * authentication and authorization are delegated to this server. The Go module proxy gives its sources.
 */
const moduleVersion = "k8s.io/sample-apiserver@v0.23.17";
const group = "wardle.example.com";
const namespace = "wardle";
const versions = ["v1alpha1", "v1beta1"];
const missing = [
  ["go", "version"],
  ["etcd", "--version"],
].find((command) => !isInstalled(command))?.[0];
const buildTimeoutMs = 1_800_000;
const directory = mkdtempSync(join(tmpdir(), "sample-apiserver-"));

let server: ServerProcess;
let api: ApiClient;
/** With which this server vouches for users. */
let proxyPair: TestCertificate;
let extensionPort: number;
let extensionOutput = "";
const processes: ChildProcess[] = [];

describe.skipIf(missing !== undefined)(
  `sample-apiserver${missing === undefined ? "" : ` (skipped: ${missing} is not installed)`}`,
  { timeout: 120_000 },
  () => {
    beforeAll(async () => {
      const program = await build();
      server = await startServer({ args: ["--authorization-mode=RBAC"] });
      const made = (file: string) => readFileSync(join(server.dataDirectory, "pki", file), "utf8");
      proxyPair = { certPem: made("front-proxy-client.crt"), keyPem: made("front-proxy-client.key") };
      api = new ApiClient(server);
      const authority = await TestAuthority.create("extension servers");
      const names = [`api.${namespace}.svc`];
      await startExtension(program, await authority.issue({ commonName: "api", usage: "server", names }));
      await register(authority.caPem);
    }, buildTimeoutMs);

    afterAll(async () => {
      await api?.close();
      for (const each of processes.reverse()) {
        each.kill();
        if (each.exitCode === null) await once(each, "exit");
      }
      await server?.dispose();
      rmSync(directory, { recursive: true, force: true });
    });

    test("kubectl creates, reads, changes, applies and deletes its objects", async () => {
      const manifest = { ...flunder("one"), spec: { reference: "a-fischer", referenceType: "Fischer" } };
      expect(await kubectl(["create", "-f", "-"], manifest)).toContain(
        "flunder.wardle.example.com/one created",
      );
      const misspelt = { ...manifest, spec: { referenze: "a-fischer" } };
      await expect(kubectl(["create", "-f", "-"], misspelt)).rejects.toThrow('unknown field "referenze"');
      expect(await kubectl(["get", "flunders"])).toMatch(/^NAME +CREATED AT\none /m);
      expect(await kubectl(["get", "flunder", "one", "-o", "jsonpath={.spec.fischerReference}"])).toBe(
        "a-fischer",
      );
      await kubectl(["label", "flunder", "one", "a=b"]);
      const applied = { ...flunder("one"), metadata: { name: "one", labels: { c: "d" } } };
      expect(await kubectl(["apply", "--server-side", "--force-conflicts", "-f", "-"], applied)).toContain(
        "applied",
      );
      const changed = { ...flunder("one"), spec: { reference: "b-fischer", referenceType: "Fischer" } };
      expect(await kubectl(["apply", "-f", "-"], changed)).toContain("configured");
      expect(await kubectl(["get", "flunders", "-l", "c=d", "-o", "name"])).toContain("one");
      expect(await kubectl(["delete", "flunder", "one"])).toContain("deleted");
    });

    test("kubectl watches", async () => {
      const watch = runClient(clientBinaries().kubectl123, ["get", "flunders", "--watch", "-o", "name"], {
        ...client(),
        until: /watched/,
      });
      await kubectl(["create", "-f", "-"], flunder("watched"));
      expect((await watch).stdout).toContain("flunder.wardle.example.com/watched");
      await kubectl(["delete", "flunder", "watched"]);
    });

    test("discovery and OpenAPI have both of its versions", async () => {
      const listed = await kubectl(["api-resources", "--api-group", group, "--no-headers"]);
      expect(listed).toMatch(/fischers +wardle.example.com\/v1alpha1 +false +Fischer/);
      expect(listed).toMatch(/flunders +wardle.example.com\/v1beta1 +true +Flunder/);
      for (const binary of [clientBinaries().kubectl123, clientBinaries().kubectlCurrent]) {
        const explain = ["explain", "flunder.spec", "--api-version", `${group}/v1beta1`];
        expect(await kubectl(explain, undefined, binary)).toContain(
          "FlunderSpec is the specification of a Flunder.",
        );
      }
      const { definitions } = (await api.get("/openapi/v2")).body;
      expect(Object.keys(definitions).filter((name) => /_v\d+$/.test(name))).toEqual([]);
    });

    test("it asks this server who may do what, and who a token is", async () => {
      const path = `/apis/${group}/v1beta1/namespaces/default/flunders`;
      await kubectl(["create", "clusterrole", "reader", "--verb=get,list", `--resource=flunders.${group}`]);
      await kubectl(["create", "serviceaccount", "robot"]);
      const token = await api.post("/api/v1/namespaces/default/serviceaccounts/robot/token", {});
      const subjects = [
        { user: "jane", asks: () => askThere(path, { "x-remote-user": "jane" }, proxyPair) },
        {
          user: "system:serviceaccount:default:robot",
          asks: () => askThere(path, { authorization: `Bearer ${token.body.status.token}` }),
        },
      ];
      for (const { user, asks } of subjects) {
        const refused = await asks();
        expect(refused.status).toBe(403);
        expect(refused.text).toContain(`User \\"${user}\\" cannot list resource \\"flunders\\" in API group`);
        const binding = ["clusterrolebinding", user.replaceAll(":", "-"), "--clusterrole=reader"];
        await kubectl(["create", ...binding, `--user=${user}`]);
        // It remembers a refusal for ten seconds.
        await expect.poll(async () => (await asks()).status, { timeout: 30_000 }).toBe(200);
      }
      const throughThisServer = await api.ask("GET", path, { headers: { "Impersonate-User": "jane" } });
      expect([throughThisServer.status, throughThisServer.body.kind]).toEqual([200, "FlunderList"]);

      expect((await askThere(path, { authorization: "Bearer made-up" })).status).toBe(401);
      const forged = { "x-remote-user": "admin", "x-remote-group": "system:masters" };
      expect((await askThere(path, forged)).text).toContain("system:anonymous");
    });
  },
);

async function build(): Promise<string> {
  const downloaded: unknown = JSON.parse(
    execFileSync("go", ["mod", "download", "-json", moduleVersion], { encoding: "utf8" }),
  );
  const sources = join(directory, "sources");
  cpSync((downloaded as { Dir: string }).Dir, sources, { recursive: true }); // what `go help mod download` says
  execFileSync("chmod", ["-R", "u+rwX", sources]);
  const program = join(directory, "sample-apiserver");
  const environment = { ...process.env, GOFLAGS: "-mod=mod" };
  await execute(["go", "build", "-o", program, "."], sources, environment);
  return program;
}

/** As its own manifests say: a service account that may have reviews made and read who the front proxies are. */
async function startExtension(program: string, certificate: TestCertificate): Promise<void> {
  await kubectl(["create", "namespace", namespace]);
  await kubectl(["create", "serviceaccount", "apiserver", "-n", namespace]);
  const account = `--serviceaccount=${namespace}:apiserver`;
  const bind = (...args: string[]) => kubectl(["create", ...args, account]);
  await bind("clusterrolebinding", "wardle-delegator", "--clusterrole=system:auth-delegator");
  const reader = "--role=extension-apiserver-authentication-reader";
  await bind("rolebinding", "wardle-reader", "-n", "kube-system", reader);
  const hooks = "mutatingwebhookconfigurations,validatingwebhookconfigurations";
  await kubectl([
    "create",
    "clusterrole",
    "wardle",
    "--verb=get,list,watch",
    `--resource=namespaces,${hooks}`,
  ]);
  await bind("clusterrolebinding", "wardle", "--clusterrole=wardle");
  const token = await api.post(`/api/v1/namespaces/${namespace}/serviceaccounts/apiserver/token`, {});
  const kubeconfig = write(
    "extension.kubeconfig",
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        {
          name: "it",
          cluster: { server: server.url, "certificate-authority-data": base64(credentialsOf(server).ca) },
        },
      ],
      users: [{ name: "it", user: { token: token.body.status.token } }],
      contexts: [{ name: "it", context: { cluster: "it", user: "it" } }],
      "current-context": "it",
    }),
  );
  const store = await startStore();
  extensionPort = await freePort();
  const child = spawn(program, [
    "--bind-address=127.0.0.1",
    `--secure-port=${extensionPort}`,
    `--etcd-servers=${store}`,
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    `--tls-cert-file=${write("serving.crt", certificate.certPem)}`,
    `--tls-private-key-file=${write("serving.key", certificate.keyPem)}`,
  ]);
  processes.push(child);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (piece: Buffer) => {
      extensionOutput += piece.toString("utf8");
    });
  }
}

async function startStore(): Promise<string> {
  const data = join(directory, "etcd");
  mkdirSync(data);
  const [clients, peers] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const child = spawn(
    "etcd",
    [
      `--data-dir=${data}`,
      `--listen-client-urls=${clients}`,
      `--advertise-client-urls=${clients}`,
      `--listen-peer-urls=${peers}`,
      `--initial-advertise-peer-urls=${peers}`,
      `--initial-cluster=default=${peers}`,
    ],
    { stdio: "ignore" },
  );
  processes.push(child);
  return clients;
}

async function register(caPem: string): Promise<void> {
  await api.post(`/api/v1/namespaces/${namespace}/services`, {
    metadata: { name: "api" },
    spec: { type: "ExternalName", externalName: "localhost" },
  });
  for (const [index, version] of versions.entries()) {
    const created = await api.post(apiServices, {
      metadata: { name: `${version}.${group}` },
      spec: {
        group,
        version,
        groupPriorityMinimum: 1000,
        versionPriority: 15 + index,
        service: { namespace, name: "api", port: extensionPort },
        caBundle: base64(caPem),
      },
    });
    expect(created.status, created.text).toBe(201);
  }
  for (const version of versions) {
    await vi.waitFor(
      async () =>
        expect(await availability(api, version, group), extensionOutput).toMatchObject({ status: "True" }),
      { timeout: 60_000, interval: 500 },
    );
    await vi.waitFor(
      async () =>
        expect((await api.get("/openapi/v2")).body.paths, extensionOutput).toHaveProperty([
          `/apis/${group}/${version}/flunders`,
        ]),
      { timeout: 60_000, interval: 500 },
    );
  }
}

function flunder(name: string) {
  return { apiVersion: `${group}/v1alpha1`, kind: "Flunder", metadata: { name } };
}

/** Sends a request to the extension server directly, not through this server. */
async function askThere(
  path: string,
  headers: Readonly<Record<string, string>>,
  pair?: TestCertificate,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const certificate = pair && { cert: pair.certPem, key: pair.keyPem };
  const options = { host: "127.0.0.1", port: extensionPort, path, headers, ...certificate };
  return await new Promise((resolve, reject) => {
    const call = httpsRequest({ ...options, rejectUnauthorized: false, agent: false }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode, text: body }), reject);
    });
    call.on("error", reject);
    call.end();
  });
}

/** Resolves with the output; rejects with what it wrote to standard error. */
async function kubectl(
  args: readonly string[],
  input?: object,
  binary = clientBinaries().kubectl123,
): Promise<string> {
  const { stdout, stderr, status } = await runClient(binary, args, {
    ...client(),
    ...(input !== undefined && { input: JSON.stringify(input) }),
  });
  expect(status, stderr).toBe(0);
  return stdout;
}

function client() {
  return { kubeconfig: server.kubeconfig, home: mkdtempSync(join(directory, "home-")) };
}

function write(name: string, content: string): string {
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
}

function base64(content: string): string {
  return Buffer.from(content, "utf8").toString("base64");
}
