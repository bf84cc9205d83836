import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
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
  await api.close();
});
