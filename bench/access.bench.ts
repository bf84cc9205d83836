/** The cost of authenticating and authorizing: gets of one pod by each kind of credential, cached and not, and in each authorization mode. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTokenIssuer, keySigner } from "../src/access/authentication/service-account-issuer.js";
import { parseSigningKey } from "../src/access/authentication/token-keys.js";
import { ApiClient } from "../test/support/api-client.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import type { Target } from "./load/http1-client.js";
import { runLoad } from "./load/run-load.js";
import { targetOf } from "./load/target.js";
import { Figures } from "./support/figures.js";
import { getsInTurns } from "./support/gets-in-turns.js";
import { privateBytes, residentBytes } from "./support/process-memory.js";
import { quantile } from "./support/statistics.js";

const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const turns = Number(process.env.BENCH_TURNS ?? 3);
const namespace = "default";
const connections = 32;
/** Processes per mode. */
const processes = 3;
/** More tokens than the server caches: each is forgotten before it is used again. */
const manyTokens = 10_000;
const figures = new Figures();

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "access-bench-"));
  const service = await startTokenService(directory);
  try {
    writeFileSync(join(directory, "tokens.csv"), "from-the-file,alice,1\n");
    const server = await startServer({
      dataDirectory: join(directory, "data"),
      args: [
        `--token-auth-file=${join(directory, "tokens.csv")}`,
        `--authentication-token-webhook-config-file=${join(directory, "webhook.json")}`,
      ],
    });
    try {
      await measure(server);
    } finally {
      await server.stop();
    }
  } finally {
    service.close();
    rmSync(directory, { recursive: true, force: true });
  }
  await compareModes();
  figures.end();
}

interface Content {
  readonly name: string;
  /** What is compared with AlwaysAllow over the same objects. */
  readonly mode: string;
  readonly args: readonly string[];
  /** The client's bearer token. */
  readonly token: string;
  readonly path: string;
  prepare(api: ApiClient): Promise<void>;
}

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const asked = `/api/v1/namespaces/${namespace}/pods/bench`;
const withoutAccounts = "--disable-admission-plugins=ServiceAccount";

const contents: readonly Content[] = [
  ...[10, 10_000].map((count) => ({
    name: `${count.toLocaleString("en")} bindings`,
    mode: "RBAC",
    args: [],
    token: "alice-token",
    path: asked,
    prepare: (api: ApiClient) => makeBindings(api, count),
  })),
  {
    name: "1,000 nodes and 50,000 pods",
    mode: "Node,RBAC",
    args: [withoutAccounts],
    token: "node-token",
    path: `/api/v1/namespaces/${namespace}/secrets/secret-0`,
    prepare: makeNodes,
  },
];

/**
 * The same user gets the same object under AlwaysAllow and under the mode, with the same objects in the store; with RBAC one binding
 * allows it, and the node gets a secret of one of its pods. Each mode has several processes, which take turns: two processes of the same
 * server differ by several percent throughout their lives, depending on how V8 happened to optimize their code. None of them has created
 * the objects itself: after thousands of writes, gets are slower in any mode.
 */
async function compareModes(): Promise<void> {
  for (const content of contents) await compareOver(content);
}

async function compareOver(content: Content): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "access-bench-"));
  const tokens = join(directory, "tokens.csv");
  writeFileSync(tokens, 'alice-token,alice,1\nnode-token,system:node:node-0,2,"system:nodes"\n');
  const filled = join(directory, "filled");
  const modes = ["AlwaysAllow", content.mode];
  const subjects = Array.from({ length: processes }, () => modes).flat();
  const servers: ServerProcess[] = [];
  try {
    await fill(filled, content);
    for (const [index, mode] of subjects.entries()) {
      const dataDirectory = join(directory, String(index));
      cpSync(filled, dataDirectory, { recursive: true });
      const args = [`--token-auth-file=${tokens}`, `--authorization-mode=${mode}`, ...content.args];
      servers.push(await startServer({ args, dataDirectory }));
    }
    const measured = await getsInTurns(
      servers.map((server) => ({
        pid: server.pid,
        target: { ...targetOf(server), cert: undefined, key: undefined, tokens: [content.token] },
        path: content.path,
      })),
      { rounds: turns * 5, turnMs: seconds * 200, connections },
    );
    const of = (mode: string, figure: (index: number) => number): number =>
      quantile(
        subjects.flatMap((each, index) => (each === mode ? [figure(index)] : [])),
        0.5,
      );
    const cost = (mode: string) => of(mode, (index) => measured[index]?.cpuUs ?? Number.NaN);
    for (const mode of modes) {
      const what = `${mode}, ${content.name}`;
      figures.record(
        `gets per second, ${what}`,
        of(mode, (index) => measured[index]?.perSecond ?? Number.NaN),
      );
      figures.record(`processor time of a get in microseconds, ${what}`, cost(mode));
      figures.record(
        `memory (MB), ${what}`,
        of(mode, (index) => privateBytes(servers[index]?.pid ?? 0)) / 2 ** 20,
      );
    }
    const more = (cost(content.mode) / cost("AlwaysAllow") - 1) * 100;
    figures.record(`%: more than AlwaysAllow, ${content.mode}, ${content.name}`, more);
  } finally {
    for (const server of servers) await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function fill(dataDirectory: string, { args, prepare }: Content): Promise<void> {
  const server = await startServer({ args, dataDirectory });
  const api = new ApiClient(server);
  try {
    await made(api, `/api/v1/namespaces/${namespace}/pods`, {
      metadata: { name: "bench" },
      spec: { automountServiceAccountToken: false, containers: [{ name: "web", image: "web" }] },
    });
    await prepare(api);
  } finally {
    await api.close();
    await server.stop();
  }
}

/** All but one of the bindings belong to other users, in other namespaces and cluster-wide. */
async function makeBindings(api: ApiClient, count: number): Promise<void> {
  const subject = (name: string) => ({ kind: "User", name, apiGroup: "rbac.authorization.k8s.io" });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
  const namespaces = Math.min(100, count);
  await inParallel(namespaces, (index) =>
    made(api, "/api/v1/namespaces", { metadata: { name: `ns-${index}` } }),
  );
  await inParallel(count - 1, (index) =>
    made(
      api,
      index % 10 === 0
        ? `${rbac}/clusterrolebindings`
        : `${rbac}/namespaces/ns-${index % namespaces}/rolebindings`,
      { metadata: { name: `b-${index}` }, roleRef, subjects: [subject(`user-${index}`)] },
    ),
  );
  await made(api, `${rbac}/namespaces/${namespace}/rolebindings`, {
    metadata: { name: "alice" },
    roleRef,
    subjects: [subject("alice")],
  });
}

/** Each pod has a secret of its own. */
async function makeNodes(api: ApiClient): Promise<void> {
  const nodes = 1000;
  await inParallel(nodes, (index) => made(api, "/api/v1/nodes", { metadata: { name: `node-${index}` } }));
  await made(api, `/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: "secret-0" } });
  await inParallel(50_000, (index) =>
    made(api, `/api/v1/namespaces/${namespace}/pods`, {
      metadata: { name: `pod-${index}` },
      spec: {
        nodeName: `node-${index % nodes}`,
        containers: [{ name: "web", image: "web" }],
        volumes: [{ name: "v", secret: { secretName: `secret-${index}` } }],
      },
    }),
  );
}

async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

async function made(api: ApiClient, path: string, body: object): Promise<void> {
  const { status, text } = await api.post(path, body);
  if (status !== 201) throw new Error(`${path}: ${text}`);
}

async function measure(server: ServerProcess): Promise<void> {
  const target = targetOf(server);
  const job = { target, protocol: "http1", connections, namespace, name: "bench" } as const;
  await runLoad({ ...job, operation: "create", count: 1, durationMs: 5000 });
  // V8 compiles the hot code in the first seconds.
  await runLoad({ ...job, operation: "get", count: 1, durationMs: 3000 });
  const before = residentBytes(server.pid);
  const get = async (what: string, changes: Partial<Target>): Promise<void> => {
    const result = await runLoad({
      ...job,
      target: { ...target, ...changes },
      operation: "get",
      count: 1,
      durationMs: seconds * 1000,
    });
    figures.record(`gets per second, ${what}`, result.perSecond);
    if (result.failures > 0) figures.record(`failures, ${what}`, result.failures);
  };
  const withTokens = (tokens: readonly string[]) => ({ cert: undefined, key: undefined, tokens });
  await get("client certificate", {});
  await get("token of the file", withTokens(["from-the-file"]));
  const accountTokens = await signTokens(server);
  await get("service account token, known", withTokens(accountTokens.slice(0, 1)));
  await get("service account token, new each time", withTokens(accountTokens));
  await get("webhook token, known", withTokens(["hook-0"]));
  await get(
    "webhook token, new each time",
    withTokens(Array.from({ length: manyTokens }, (_, i) => `hook-${i}`)),
  );
  figures.record("memory for the tokens it remembers (MB)", (residentBytes(server.pid) - before) / 2 ** 20);
}

/** Tokens, signed here with the server's own key: requesting each from the server would take longer than the measurement. */
async function signTokens(server: ServerProcess): Promise<string[]> {
  const api = new ApiClient(server);
  let account = await api.get(`/api/v1/namespaces/${namespace}/serviceaccounts/default`);
  while (account.status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    account = await api.get(`/api/v1/namespaces/${namespace}/serviceaccounts/default`);
  }
  const keyFile = join(server.dataDirectory, "pki/sa.key");
  const issuer = createTokenIssuer({
    issuer: "https://kubernetes.default.svc",
    legacyIssuer: "kubernetes/serviceaccount",
    sign: keySigner(parseSigningKey(readFileSync(keyFile, "utf8"), keyFile)),
    domain: "kubernetes.io",
  });
  const issuedAt = Math.floor(Date.now() / 1000);
  return await Promise.all(
    Array.from({ length: manyTokens / 2 }, (_, i) =>
      issuer.sign({
        subject: `system:serviceaccount:${namespace}:default`,
        audiences: ["https://kubernetes.default.svc"],
        issuedAt,
        notBefore: issuedAt,
        expiresAt: issuedAt + 3600 + i,
        namespace,
        account: { name: "default", uid: account.body.metadata.uid },
        pod: undefined,
        secret: undefined,
        warnAfter: undefined,
      }),
    ),
  );
}

/** Accepts every token. */
async function startTokenService(directory: string) {
  const service = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ status: { authenticated: true, user: { username: "hook" } } }));
    });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const { port } = service.address() as AddressInfo; // a TCP server that listens
  writeFileSync(
    join(directory, "webhook.json"),
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c" } }],
      clusters: [{ name: "c", cluster: { server: `http://127.0.0.1:${port}/` } }],
    }),
  );
  return service;
}

await main();
