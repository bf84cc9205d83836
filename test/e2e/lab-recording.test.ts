import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LabServer, startLab } from "../support/lab-server.js";

const { replay }: typeof import("../../src/index.js") = await import(join(process.cwd(), "bin/library.mjs"));

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

test("a recording has the requests, users and answers, and no secret", async () => {
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
  expect(await lab.server.recorder.text()).toBe(recording);
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
    const noConfig = join(directory, "none", "admin.kubeconfig");
    expect(await run("replay", file, "--data-dir", join(directory, "none"))).toEqual({
      code: 2,
      text: `error: ${noConfig}: no such kubeconfig: name one with --kubeconfig, or the server's data directory with --data-dir\n`,
    });
  } finally {
    await Promise.all([other.dispose(), third.dispose()]);
  }
});

test("bodies of every representation are recorded as JSON, and tables are asked for again", async () => {
  const { api, server } = lab;
  const text = (mediaType: string, name: string) => ({
    contentType: mediaType,
    raw: `{apiVersion: v1, kind: Secret, metadata: {name: ${name}}, data: {password: ${hidden}}}`,
    headers: { accept: "application/vnd.kubernetes.protobuf" },
  });
  server.recorder.start();
  const yaml = await api.ask("POST", `${core}/secrets`, text("application/yaml", "yaml"));
  expect(yaml.status).toBe(201);
  // What was answered is what is sent: an object in the binary form.
  const bytes = Buffer.from(yaml.bytes.toString("latin1").replace("yaml", "twin"), "latin1");
  const binary = "application/vnd.kubernetes.protobuf";
  const twin = await api.ask("PUT", `${core}/secrets/yaml`, { contentType: binary, raw: yaml.bytes });
  expect(twin.status).toBe(200);
  expect((await api.ask("PUT", `${core}/secrets/yaml`, { contentType: binary, raw: bytes })).status).toBe(
    400,
  );
  const applied = await api.ask("PATCH", `${core}/configmaps/applied?fieldManager=test`, {
    contentType: "application/apply-patch+yaml",
    raw: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\ndata:\n  a: b\n",
    headers: { accept: binary },
  });
  expect(applied.status).toBe(201);
  const table = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
  const one = `${core}/configmaps?fieldSelector=metadata.name%3Dapplied`;
  expect((await api.ask("GET", one, { headers: { accept: table } })).body.kind).toBe("Table");
  await server.recorder.stop();
  const recorded = await server.recorder.text();
  expect(recorded).not.toContain(hidden);
  expect(recorded).not.toContain("hunter2");
  const calls = recorded
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(calls.every(({ body, answer }) => body?.omitted === undefined && answer.omitted === undefined)).toBe(
    true,
  );
  expect(calls[0]).toMatchObject({
    contentType: "application/json",
    body: { json: { kind: "Secret", metadata: { name: "yaml" } } },
    answer: { json: { kind: "Secret", metadata: { name: "yaml" } } },
  });
  expect(calls[3].answer.json).toMatchObject({ kind: "ConfigMap", data: { a: "b" } });
  expect(calls[4].accept).toBe(table);

  const other = await startLab();
  try {
    await other.api.post("/api/v1/namespaces", { metadata: { name: "shop" } });
    const report = await replay(server.recorder.read(), { kubeconfig: other.server.kubeconfig });
    expect(report).toEqual({ replayed: 5, skipped: 0, differences: [] });
  } finally {
    await other.dispose();
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
