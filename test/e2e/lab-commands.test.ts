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
  expect(await run("snapshot", "undo")).toContain("error: expected one of: create");
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

test("the versions of an object are shown from the command line, and one is written again", async () => {
  const deployments = "/apis/apps/v1/namespaces/shop/deployments";
  await lab.api.post("/api/v1/namespaces", { metadata: { name: "shop" } });
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } };
  const { body } = await lab.api.ask("POST", `${deployments}?fieldManager=maker`, {
    body: { metadata: { name: "web" }, spec: { replicas: 1, selector: { matchLabels: labels }, template } },
  });
  await lab.api.ask("PATCH", `${deployments}/web?fieldManager=scaler`, {
    body: { spec: { replicas: 3 } },
    contentType: "application/merge-patch+json",
  });
  const first = body.metadata.resourceVersion;
  const shown = await run("history", "deploy", "web", "-n", "shop");
  expect(shown).toMatch(new RegExp(`^${first} created by maker\\n\\d+ updated by scaler\\n`));
  expect(shown).toContain("  spec.replicas: 1 -> 3\n");
  expect(await run("history", "Deployment.apps", "web", "-n", "shop", "--undo", first)).toBe(
    `undone=${first}\n`,
  );
  expect((await lab.api.get(`${deployments}/web`)).body.spec.replicas).toBe(1);
  expect(await run("history", "namespace", "shop")).toMatch(/^\d+ created\b/);
  expect(await run("history", "deploy", "web")).toContain("not found");
  expect(await run("history", "nothing", "web")).toBe('error: the server has no resource "nothing"\n');
  expect(await run("clock", "show", "-n", "shop")).toContain("are options of history");
});

test("forks are started, listed and stopped from the command line", async () => {
  const [, name = ""] = /^name=(\S+) url=https:\S+\n$/.exec(await run("fork", "start")) ?? [];
  expect(name).not.toBe("");
  expect(await run("fork", "list")).toContain(`name=${name} url=`);
  expect(await run("fork", "stop", name)).toBe(`deleted=${name}\n`);
  expect(await run("fork", "list")).toBe("");
});
