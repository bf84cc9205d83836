import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { generate } from "openapi-typescript-codegen";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";

const run = promisify(execFile);
let server: ServerHere;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "generated-client-"));
  const tokens = join(directory, "tokens.csv");
  writeFileSync(tokens, 'generated-token,generated,1,"system:masters"\n');
  // Earlier levels do not tell which requests need a body.
  server = await startServerHere({ args: ["--api-level=1.35", `--token-auth-file=${tokens}`] });
});

afterAll(async () => {
  await server.dispose();
  rmSync(directory, { recursive: true, force: true });
});

/** What a user of the generated client writes: right uses, and wrong ones that must not compile. */
const program = `
import { CoreV1Service, OpenAPI, type io_k8s_api_core_v1_Pod } from "./core/index";
import { AppsV1Service } from "./apps/index";

OpenAPI.BASE = process.env.SERVER ?? "";
OpenAPI.TOKEN = "generated-token";
const pod: io_k8s_api_core_v1_Pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "generated", labels: { app: "a" } },
  spec: { containers: [{ name: "c", image: "i", ports: [{ containerPort: 80 }], resources: {} }] },
};
// @ts-expect-error a field that pods do not have
const misspelt: io_k8s_api_core_v1_Pod = { sepc: {} };
// @ts-expect-error containers have names
const nameless: io_k8s_api_core_v1_Pod = { spec: { containers: [{ image: "i" }] } };
const created = await CoreV1Service.createCoreV1NamespacedPod("default", pod);
const list = await CoreV1Service.listCoreV1NamespacedPod("default");
const names: (string | undefined)[] = list.items.map((item) => item.metadata?.name);
const one = await CoreV1Service.readCoreV1NamespacedPod("generated", "default");
const image: string | undefined = one.spec?.containers[0]?.image;
void misspelt;
void nameless;
void AppsV1Service;
console.log(JSON.stringify({ uid: typeof created.metadata?.uid, names, image }));
`;

test("a TypeScript client that is generated from the documents compiles, and creates and lists pods", async () => {
  const api = new ApiClient(server);
  for (const [name, path] of [
    ["core", "api/v1"],
    ["apps", "apis/apps/v1"],
  ] as const) {
    const { body: document } = await api.ask("GET", `/openapi/v3/${path}`);
    // Besides the `path` of the URL they take one in the query, as Kubernetes' do, and the generator has one name for both.
    for (const each of Object.keys(document.paths)) {
      if (each.endsWith("/proxy/{path}")) delete document.paths[each];
    }
    await generate({
      input: document,
      output: join(directory, name),
      httpClient: "fetch",
      useUnionTypes: true,
    });
  }
  await api.close();
  writeFileSync(join(directory, "program.ts"), program);
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2022", "dom"],
    types: ["node"],
    typeRoots: [join(process.cwd(), "node_modules/@types")],
    noEmit: true,
  };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["."] }));
  await run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", directory]).catch((error) => {
    throw new Error(error.stdout);
  });

  const outfile = join(directory, "program.mjs");
  const common = {
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
  } as const;
  await build({ ...common, entryPoints: [join(directory, "program.ts")], outfile });
  const env = {
    ...process.env,
    SERVER: server.url,
    NODE_EXTRA_CA_CERTS: join(server.dataDirectory, "pki/ca.crt"),
  };
  const { stdout } = await run(process.execPath, [outfile], { env });
  expect(JSON.parse(stdout)).toEqual({ uid: "string", names: ["generated"], image: "i" });
});
