import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LabServer, startLab } from "../support/lab-server.js";

const { replay }: typeof import("../../src/index.js") = await import(join(process.cwd(), "dist/index.js"));

let lab: LabServer;
let recording: string;
const directory = mkdtempSync(join(tmpdir(), "recording-"));
const core = "/api/v1/namespaces/shop";
const hidden = Buffer.from("hunter2-hunter2").toString("base64");

beforeAll(async () => {
  lab = await startLab();
  const { api } = lab;
  await api.ask("POST", "/lab/recording/start");
  await api.post("/api/v1/namespaces", { metadata: { name: "shop" } });
  const made = await api.post(`${core}/configmaps`, { metadata: { name: "a" }, data: { colour: "red" } });
  await api.ask("PUT", `${core}/configmaps/a`, { body: { ...made.body, data: { colour: "blue" } } });
  // The version is outdated by now.
  await api.ask("PUT", `${core}/configmaps/a`, { body: made.body });
  const generated = await api.post(`${core}/configmaps`, { metadata: { generateName: "some-" } });
  await api.get(`${core}/configmaps/${generated.body.metadata.name}`);
  await api.post(`${core}/secrets`, { metadata: { name: "s" }, data: { password: hidden } });
  await api.ask("PATCH", `${core}/secrets/s`, {
    body: [{ op: "add", path: "/data/more", value: hidden }],
    contentType: "application/json-patch+json",
  });
  await api.get(`${core}/secrets/s`);
  await api.post(`${core}/services`, { metadata: { name: "web" }, spec: { ports: [{ port: 80 }] } });
  await api.get(`${core}/configmaps/none`);
  const guest = lab.clientOf(await lab.server.kubeconfigFor({ user: "guest", groups: [] }));
  await guest.get(`${core}/configmaps`);
  await api.delete(`${core}/configmaps/a`);
  expect((await api.ask("POST", "/lab/recording/stop")).body).toMatchObject({
    recording: false,
    full: false,
  });
  recording = (await api.get("/lab/recording/download")).text;
});
afterAll(async () => {
  await lab.dispose();
  rmSync(directory, { recursive: true, force: true });
});

test("a recording has the requests, users and answers, and no secret", () => {
  const calls = recording
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(calls.map(({ status }) => status)).toEqual([
    201, 201, 200, 409, 201, 200, 201, 200, 200, 201, 404, 403, 200,
  ]);
  expect(calls[1]).toMatchObject({
    method: "POST",
    target: `${core}/configmaps`,
    body: { json: { data: { colour: "red" } } },
    answer: { json: { kind: "ConfigMap", data: { colour: "red" } } },
  });
  expect(calls[11].user.name).toBe("guest");
  expect(recording).not.toContain(hidden);
  expect(lab.server.recorder.text()).toBe(recording);
});

test("a recording is replayed on a new server without a difference, and an injected fault is told", async () => {
  const other = await startLab();
  const third = await startLab();
  try {
    expect(await replay(recording, { kubeconfig: other.server.kubeconfig })).toEqual({
      replayed: 13,
      skipped: 0,
      differences: [],
    });
    third.server.faults.inject({
      match: { verbs: ["update"], resources: ["configmaps"] },
      when: { nth: 1 },
      effect: { status: { code: 503 } },
    });
    const file = join(directory, "run.jsonl");
    writeFileSync(file, recording);
    const { code, text } = await run("replay", file, "--kubeconfig", third.kubeconfig);
    expect(text).toContain(`3: PUT ${core}/configmaps/a\n  status: 200 -> 503\n`);
    expect(code).toBe(1);
    expect(await run("replay", join(directory, "none"), "--kubeconfig", third.kubeconfig)).toMatchObject({
      code: 2,
      text: expect.stringContaining("ENOENT"),
    });
  } finally {
    await Promise.all([other.dispose(), third.dispose()]);
  }
});

function run(...argv: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const script = join(process.cwd(), "bin/orch-apiserver.mjs");
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [script, ...argv], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 0, text: stdout + stderr }),
    );
  });
}
