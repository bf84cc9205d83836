import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { mergePatch } from "../support/fixtures.js";
import { linesUntil, OneConnection } from "../support/one-connection.js";
import { startServer } from "../support/server-process.js";
import { endTwoThreads, metricValue, startTwoThreads, type TwoThreads } from "../support/two-threads.js";

// `npm run test:threads` runs other suites with two threads. Here is what they cannot show.

const configMaps = "/api/v1/namespaces/default/configmaps";
const directory = mkdtempSync(join(tmpdir(), "serving-threads-"));
const auditLog = join(directory, "audit.log");
let scene: TwoThreads;

beforeAll(async () => {
  const tokens = join(directory, "tokens.csv");
  writeFileSync(tokens, "secret-of-ann,ann,1\n");
  const policy = join(directory, "policy.yaml");
  writeFileSync(policy, "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: RequestResponse\n");
  scene = await startTwoThreads({
    args: [
      "--api-level=1.35",
      "--authorization-mode=RBAC",
      `--token-auth-file=${tokens}`,
      `--audit-log-path=${auditLog}`,
      `--audit-policy-file=${policy}`,
    ],
  });
});
afterAll(async () => {
  await endTwoThreads();
  rmSync(directory, { recursive: true });
});

const directions = [
  ["main", "reader-1"],
  ["reader-1", "main"],
  ["reader-1", "reader-1"],
] as const;

test("what is written on a thread is read on every thread as soon as it is answered", async () => {
  const { on } = scene;
  for (const [from, to] of directions) {
    const writer = on[from];
    const reader = on[to];
    const object = { metadata: { name: "one" }, data: { turn: "0" } };
    expect((await writer.ask("POST", configMaps, object)).status).toBe(201);
    for (let turn = 1; turn <= 50; turn++) {
      const data = { turn: String(turn) };
      const written = await writer.ask(
        "PATCH",
        `${configMaps}/one`,
        { data },
        { "content-type": mergePatch },
      );
      expect(written.status).toBe(200);
      const { resourceVersion } = written.body.metadata;
      const got = await reader.ask("GET", `${configMaps}/one`);
      expect(got.body).toMatchObject({ data, metadata: { resourceVersion } });
      const listed = await reader.ask("GET", `${configMaps}?fieldSelector=metadata.name=one`);
      expect(listed.body.items).toMatchObject([{ data, metadata: { resourceVersion } }]);
    }
    expect((await writer.ask("DELETE", `${configMaps}/one`)).status).toBe(200);
    expect((await reader.ask("GET", `${configMaps}/one`)).status).toBe(404);
  }
});

test("watches on all threads tell the same", async () => {
  const { api, on } = scene;
  // Which is made at the start.
  const authority = `${configMaps}/kube-root-ca.crt`;
  await expect.poll(async () => (await on.main.ask("GET", authority)).status).toBe(200);
  const initial = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
  const path = `${configMaps}?watch=1&${initial}`;
  const watches = await Promise.all([on.main.open("GET", path), on["reader-1"].open("GET", path)]);
  for (let each = 0; each < 20; each++) {
    await api.post(configMaps, { metadata: { name: `w-${each}` }, data: { text: "x".repeat(each) } });
    if (each % 3 === 0) await api.delete(`${configMaps}/w-${each}`);
  }
  const [main, reader] = await Promise.all(watches.map((watch) => eventsUntil(watch, '"w-19"')));
  expect(main).toHaveLength(28);
  expect(reader).toEqual(main);
});

/** The events of a watch, of which a bookmark ends the initial ones, up to the one that contains `last`. */
async function eventsUntil(response: IncomingMessage, last: string): Promise<string[]> {
  const lines = await linesUntil(response, last);
  expect(lines[1]).toMatch(/^{"type":"BOOKMARK"/);
  return lines.filter((_, index) => index !== 1);
}

test("who may read is decided alike, from the moment a role or a token is written", async () => {
  const { server, api, on } = scene;
  const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
  const ann = { authorization: "Bearer secret-of-ann" };
  const plain = { ca: api.tls.ca };
  // Connections without a certificate, of which one at least is the reader's.
  const others = Array.from({ length: 8 }, () => new OneConnection(server.url, plain));
  onTestFinished(() => {
    for (const one of others) one.close();
  });
  const statuses = async (): Promise<number[]> =>
    await Promise.all(others.map(async (one) => (await one.ask("GET", configMaps, undefined, ann)).status));
  expect(await statuses()).toEqual(others.map(() => 403));
  await on["reader-1"].ask("POST", `${roles}/roles`, {
    metadata: { name: "reads" },
    rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }],
  });
  for (let turn = 0; turn < 10; turn++) {
    const bound = await on["reader-1"].ask("POST", `${roles}/rolebindings`, {
      metadata: { name: "ann" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reads" },
      subjects: [{ kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" }],
    });
    expect(bound.status).toBe(201);
    expect(await statuses()).toEqual(others.map(() => 200));
    expect((await on.main.ask("DELETE", `${roles}/rolebindings/ann`)).status).toBe(200);
    expect(await statuses()).toEqual(others.map(() => 403));
  }
});

test("a definition is served by all threads, and so is its end", async () => {
  const { on } = scene;
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const boats = "/apis/example.com/v1/namespaces/default/boats";
  await on.main.ask("POST", definitions, {
    metadata: { name: "boats.example.com" },
    spec: {
      group: "example.com",
      names: { plural: "boats", kind: "Boat" },
      scope: "Namespaced",
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  });
  await expect.poll(async () => (await on["reader-1"].ask("GET", boats)).status).toBe(200);
  const created = await on["reader-1"].ask("POST", boats, {
    apiVersion: "example.com/v1",
    kind: "Boat",
    metadata: { name: "b" },
  });
  expect(created.status).toBe(201);
  expect((await on["reader-1"].ask("GET", `${boats}/b`)).body.metadata.uid).toBe(created.body.metadata.uid);
  await on.main.ask("DELETE", `${definitions}/boats.example.com`);
  await expect.poll(async () => (await on["reader-1"].ask("GET", boats)).status).toBe(404);
});

test("metrics and the audit log tell what all threads did", async () => {
  const { on, metrics } = scene;
  const gets =
    'apiserver_request_total{verb="GET",dry_run="",group="",version="v1",resource="configmaps",subresource="",scope="resource",component="apiserver",code="404"}';
  const watches =
    'apiserver_longrunning_requests{verb="WATCH",group="",version="v1",resource="configmaps",subresource="",scope="namespace",component="apiserver"}';
  const before = metricValue(await metrics(), gets);
  for (let each = 0; each < 10; each++) {
    await on.main.ask("GET", `${configMaps}/of-main`);
    await on["reader-1"].ask("GET", `${configMaps}/of-reader`);
  }
  // A request is counted when its answer is sent.
  await expect.poll(async () => metricValue(await metrics(), gets) - before).toBe(20);
  const events = readFileSync(auditLog, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const name of ["of-main", "of-reader"]) {
    const told = events.filter(
      ({ objectRef, stage }) => objectRef?.name === name && stage === "ResponseComplete",
    );
    expect(told).toHaveLength(10);
    expect(told[0]).toMatchObject({
      user: { username: "kubernetes-admin" },
      sourceIPs: ["127.0.0.1"],
      responseStatus: { code: 404 },
    });
  }
  const open = await Promise.all(
    [on.main, on["reader-1"]].map((one) => one.open("GET", `${configMaps}?watch=1`)),
  );
  await expect.poll(async () => metricValue(await metrics(), watches)).toBe(2);
  for (const watch of open) watch.destroy();
  await expect.poll(async () => metricValue(await metrics(), watches)).toBe(0);
});

test("a stop ends the watches of all threads properly, and answers what is under way", async () => {
  const { server, on, connect, metrics } = await startTwoThreads();
  const path = `${configMaps}?watch=1&resourceVersion=0`;
  const watches = await Promise.all([on.main.open("GET", path), on["reader-1"].open("GET", path)]);
  const ends = Promise.all(watches.map((watch) => text(watch)));
  const writer = await connect("reader-1");
  const body = JSON.stringify({ metadata: { name: "late" } });
  const call = writer.begin("POST", configMaps, {
    "content-type": "application/json",
    "content-length": String(body.length),
  });
  const answered = once(call, "response");
  call.write(body.slice(0, 10));
  const underWay = 'apiserver_current_inflight_requests{request_kind="mutating"}';
  await expect.poll(async () => metricValue(await metrics(), underWay)).toBe(1);
  const stopped = server.stop();
  // Each line is whole, and so is the answer.
  for (const told of await ends) for (const line of told.trim().split("\n")) JSON.parse(line);
  call.end(body.slice(10));
  const [response] = (await answered) as [IncomingMessage];
  expect([response.statusCode, JSON.parse(await text(response)).metadata.name]).toEqual([201, "late"]);
  expect(await stopped).toBe(0);
});

test("what does not go together is refused at the start", async () => {
  await expect(startServer({ args: ["--serving-threads=2", "--lab"] })).rejects.toThrow(
    "--serving-threads: must be 1 when --lab is set",
  );
  await expect(startServer({ args: ["--serving-threads=0"] })).rejects.toThrow("--serving-threads");
});
