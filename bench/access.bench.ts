/** The cost of authentication: gets of one pod with each kind of credential, cached by the server and not. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTokenIssuer } from "../src/access/authentication/service-account-issuer.js";
import { parseSigningKey } from "../src/access/authentication/token-keys.js";
import { ApiClient } from "../test/support/api-client.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import type { Target } from "./load/http1-client.js";
import { runLoad } from "./load/run-load.js";
import { targetOf } from "./load/target.js";
import { Figures } from "./support/figures.js";
import { residentBytes } from "./support/process-memory.js";

const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const namespace = "default";
const connections = 32;
/** More tokens than the server caches: each is forgotten before it is used again. */
const manyTokens = 10_000;
const figures = new Figures();

await main();

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
  figures.end();
}

async function measure(server: ServerProcess): Promise<void> {
  const target = targetOf(server);
  const job = { target, protocol: "http1", connections, namespace, name: "bench" } as const;
  await runLoad({ ...job, operation: "create", count: 1, durationMs: 5000 });
  // V8 compiles hot code in the first seconds.
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

/** Signed here with the server's own key: asking the server for each would take longer than using them. */
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
    key: parseSigningKey(readFileSync(keyFile, "utf8"), keyFile),
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
