import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { disposeAll, type ServerProcess, startServer } from "../support/server-process.js";

const started: ServerProcess[] = [];
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "package-"));
});

afterEach(async () => {
  await disposeAll(started);
  rmSync(home, { recursive: true, force: true });
});

test("installed without scripts and without what development needs, the server stores and reads", async () => {
  for (const name of ["package.json", "package-lock.json", "bin", "dist"]) {
    cpSync(name, join(home, name), { recursive: true });
  }
  const flags = ["--ignore-scripts", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund"];
  execFileSync("npm", ["ci", ...flags], { cwd: home, stdio: "pipe" });
  expect(existsSync(join(home, "node_modules/typescript"))).toBe(false);
  const server = await startServer({ program: join(home, "bin") });
  started.push(server);
  const api = new ApiClient(server);
  const maps = "/api/v1/namespaces/default/configmaps";
  expect((await api.post(maps, { metadata: { name: "a" }, data: { key: "value" } })).status).toBe(201);
  expect((await api.get(`${maps}/a`)).body.data).toEqual({ key: "value" });
  expect((await api.get("/console/")).status).toBe(200);
  await api.close();
});

test("the package has what its user needs, and types of the library that stand alone, for modules and for CommonJS", () => {
  execFileSync("node", ["scripts/bundle-types.mjs"], { stdio: "pipe" });
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { encoding: "utf8" }),
  );
  const paths: readonly string[] = packed.files.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      "bin/orch-apiserver.mjs",
      "dist/program.cjs",
      "dist/console/index.html.gz",
      "docs/library.md",
    ]),
  );
  // Not what maps, and not what one version of a runtime compiled.
  expect(paths.filter((path) => /\.(map|cache|c?ts)$/.test(path))).toEqual([
    "dist/index.d.cts",
    "dist/index.d.ts",
  ]);
  expect(packed.size).toBeLessThan(2_100_000);

  const installed = join(home, "node_modules/orch-apiserver");
  mkdirSync(join(installed, "dist"), { recursive: true });
  cpSync("package.json", join(installed, "package.json"));
  for (const file of ["dist/index.d.cts", "dist/index.d.ts"]) cpSync(file, join(installed, file));
  writeFileSync(join(home, "package.json"), JSON.stringify({ type: "module" }));
  const compilerOptions = { strict: true, exactOptionalPropertyTypes: true, module: "nodenext", types: [] };
  writeFileSync(
    join(home, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true, resolveJsonModule: true } }),
  );
  writeFileSync(join(home, "program.ts"), program);
  const exported = readFileSync("src/index.ts", "utf8").replaceAll(/from "[^"]+"/g, 'from "orch-apiserver"');
  writeFileSync(join(home, "names.ts"), exported);
  const tsc = join(process.cwd(), "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", home], { stdio: "pipe" });

  // With `nodenext` a CommonJS file may import the types of a module too; with `node16` it may not.
  writeFileSync(join(home, "script.cts"), script);
  const flags = ["--strict", "--noEmit", "--ignoreConfig", "--types", "*", "--module", "node16"];
  execFileSync(process.execPath, [tsc, ...flags, join(home, "script.cts")], { stdio: "pipe", cwd: home });
});

const script = `
import { startApiServer, type StartApiServerOptions } from "orch-apiserver";
import library = require("orch-apiserver");

const settings: StartApiServerOptions = { level: "1.31" };
void startApiServer(settings).then((server) => server.stop());
void library.startApiServer(settings);
`;

const program = `
import { startApiServer, type KubeconfigSubject, type Options, type ProfileName, type RunningApiServer, type StartApiServerOptions } from "orch-apiserver";
import manifest from "orch-apiserver/package.json" with { type: "json" };

const options: Partial<Options> = { requestTimeoutMs: 5, authorizationMode: ["RBAC"], runtimeConfig: new Map() };
const profile: ProfileName = "orch";
const settings: StartApiServerOptions = { options, profile };
const server: RunningApiServer = await startApiServer(settings);
const subject: KubeconfigSubject = { user: "jane", groups: [manifest.name] };
const text: string = await server.kubeconfigFor(subject);
// @ts-expect-error durations end in Ms
const misspelt: Partial<Options> = { requestTimeout: 5 };
// @ts-expect-error no such mode
const wrong: Partial<Options> = { authorizationMode: ["Anything"] };
// @ts-expect-error lists are no text
const single: Options["authorizationMode"] = "RBAC";
`;
