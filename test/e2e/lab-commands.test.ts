import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LabServer, startLab } from "../support/lab-server.js";

let lab: LabServer;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.dispose());

/** What the command prints, or its error. */
function run(...argv: string[]): Promise<string> {
  const script = join(process.cwd(), "bin/orch-apiserver.mjs");
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [script, ...argv],
      { env: { ...process.env, KUBECONFIG: lab.kubeconfig } },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}

test("snapshots are made, listed, rewound to and deleted from the command line", async () => {
  expect(await run("snapshot", "create", "start")).toMatch(/^name=start createdAt=\S+Z\n$/);
  await lab.api.post("/api/v1/namespaces/default/configmaps", { metadata: { name: "a" } });
  expect(await run("snapshot", "rewind", "start")).toBe("created=0 updated=0 deleted=1\n");
  expect(await run("snapshot", "list")).toMatch(/^name=start createdAt=\S+Z\n$/);
  expect(await run("snapshot", "delete", "start")).toBe("deleted=start\n");
  expect(await run("snapshot", "rewind", "start")).toMatch(
    /^error: .*answered 404: snapshots "start" not found\n$/,
  );
  expect(await run("snapshot", "undo")).toContain("error: want one of: create");
  expect(await run("snapshot", "--help")).toContain("snapshot rewind NAME");
});

test("the clock is moved from the command line", async () => {
  expect(await run("clock", "freeze")).toMatch(/ frozen=true\n$/);
  const before = lab.server.clock.now().getTime();
  const after = /^now=(\S+) frozen=true\n$/.exec(await run("clock", "advance", "90m"))?.[1] ?? "";
  expect(Date.parse(after) - before).toBe(90 * 60_000);
  expect(await run("clock", "resume")).toMatch(/ frozen=false\n$/);
  expect(await run("clock", "advance", "soon")).toContain("not a duration");
});
