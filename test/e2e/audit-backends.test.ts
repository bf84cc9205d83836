import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type AuditEvent, auditGround, eventsOf, everything } from "../support/audit-ground.js";
import { deployment } from "../support/fixtures.js";
import {
  clientConfigText,
  type PeerAnswer,
  type RemotePeer,
  startRemotePeer,
} from "../support/remote-peer.js";
import { TestAuthority } from "../support/test-authority.js";

/** Where audit events go: files and disks that fill up, webhooks that go away, servers that are killed. */

const configMaps = "/api/v1/namespaces/default/configmaps";
const audit = auditGround();
const { start, startProcess, logged, eventsFor } = audit;
let peer: RemotePeer | undefined;

afterEach(async () => {
  await peer?.close();
  peer = undefined;
});

test("after kill -9 every acknowledged write is in the log, in whole lines, over restarts and rotations", async () => {
  const args = [`--audit-log-path=${audit.log}`, "--audit-log-mode=blocking-strict", "--audit-log-maxsize=1"];
  const rules = [{ level: "RequestResponse", verbs: ["create"] }];
  let dataDirectory: string | undefined;
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round++) {
    const { server, api } = await startProcess(
      args,
      rules,
      { omitStages: ["RequestReceived"] },
      dataDirectory,
    );
    dataDirectory = server.dataDirectory;
    const before = acknowledged.length;
    const write = async (writer: number): Promise<void> => {
      for (let count = 0; ; count++) {
        const name = `r${round}-w${writer}-${count}`;
        const answer = await api.post(configMaps, { metadata: { name }, data: { k: "v".repeat(4000) } });
        if (answer.status === 201) acknowledged.push(name);
      }
    };
    const writers = Array.from({ length: 8 }, (_, writer) => write(writer).catch(() => {}));
    await expect.poll(() => acknowledged.length - before).toBeGreaterThan(100);
    await server.stop("SIGKILL");
    await Promise.all(writers);
  }
  const { server } = await start(args, rules, {}, dataDirectory);
  await server.stop();
  const files = readdirSync(join(audit.directory, "logs"));
  expect(files.length).toBeGreaterThan(1);
  const events = files.flatMap((file) => eventsOf(readFileSync(join(audit.directory, "logs", file), "utf8")));
  const names = new Set(events.map(({ objectRef }) => (objectRef as { name: string }).name));
  expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
});

test("in batch mode, kill -9 loses no more than what waited", async () => {
  const args = [`--audit-log-path=${audit.log}`, "--audit-log-mode=batch"];
  const rules = [{ level: "RequestResponse", verbs: ["create"] }];
  const { server, api } = await startProcess(args, rules, { omitStages: ["RequestReceived"] });
  const names: string[] = [];
  const write = async (): Promise<void> => {
    for (let count = 0; ; count++) {
      const answer = await api.post(configMaps, {
        metadata: { name: `n${count}` },
        data: { k: "v".repeat(4000) },
      });
      if (answer.status === 201) names.push(`n${count}`);
    }
  };
  const writer = write().catch(() => {});
  await expect.poll(() => readFileSync(audit.log, "utf8").split("\n").length).toBeGreaterThan(100);
  await server.stop("SIGKILL");
  await writer;
  const { dataDirectory } = server;
  const next = await start(args, rules, {}, dataDirectory);
  // A line that was not finished is cut off at the start.
  const kept = logged().map(({ objectRef }) => (objectRef as { name: string }).name);
  expect(kept.length).toBeGreaterThan(99);
  const last = Number(kept.at(-1)?.slice(1));
  expect(kept).toEqual(Array.from({ length: last + 1 }, (_, count) => `n${count}`));
  expect(names.length).toBeGreaterThanOrEqual(last);
  await next.server.stop();
});

test("a full disk in batch mode fails no request, and shows", async () => {
  const { api, server } = await start(["--audit-log-path=/dev/full", "--audit-log-mode=batch"], everything);
  expect((await api.post(configMaps, { metadata: { name: "a" } })).status).toBe(201);
  const metrics = async (): Promise<string> => (await api.get("/metrics")).text;
  await expect.poll(metrics).toMatch(/apiserver_audit_error_total\{plugin="log"\} [1-9]/);
  const text = await metrics();
  expect(text).toMatch(/^apiserver_audit_event_total [1-9]/m);
  expect(text).toMatch(/^apiserver_audit_level_total\{level="RequestResponse"\} [1-9]/m);
  expect(text).toMatch(/^apiserver_audit_requests_rejected_total 0$/m);
  expect(server.output()).toContain("audit events were lost");
});

test.each(["v1", "v1beta1", "v1alpha1"])("log and webhook have events of %s", async (version) => {
  const file = await webhook(() => ({ status: 200 }));
  const apiVersion = `audit.k8s.io/${version}`;
  const { api } = await start(
    [
      `--audit-log-path=${audit.log}`,
      `--audit-log-version=${apiVersion}`,
      file,
      `--audit-webhook-version=${apiVersion}`,
      "--audit-webhook-mode=blocking",
    ],
    [{ level: "Metadata", verbs: ["create"] }],
    { omitStages: ["RequestReceived"] },
  );
  const path = "/apis/apps/v1/namespaces/default/deployments";
  const created = await api.post(path, deployment("d"));
  const objectRef =
    version === "v1alpha1" ? { apiVersion: "apps/v1" } : { apiGroup: "apps", apiVersion: "v1" };
  const [event] = eventsFor(created);
  expect(event).toMatchObject({ kind: "Event", apiVersion, objectRef });
  expect(event !== undefined && "timestamp" in event).toBe(version !== "v1");
  const { kind, apiVersion: _, ...rest } = event ?? {};
  expect(JSON.parse(peer?.requests.at(-1)?.body ?? "")).toMatchObject({
    kind: "EventList",
    apiVersion,
    items: [rest],
  });
});

test("what waits in a buffer is written when the server stops", async () => {
  const args = ["--audit-log-mode=batch", "--audit-log-batch-max-size=1000", "--audit-log-batch-max-wait=1h"];
  const { api, server } = await start(
    [`--audit-log-path=${audit.log}`, ...args],
    [{ level: "Metadata", verbs: ["create"] }],
  );
  await api.post(configMaps, { metadata: { name: "a" } });
  expect(readFileSync(audit.log, "utf8")).toBe("");
  await server.stop();
  expect(logged().map(({ stage }) => stage)).toEqual(["RequestReceived", "ResponseComplete"]);
});

test("standard output, and lines of text", async () => {
  const { api, server } = await startProcess(["--audit-log-path=-", "--audit-log-format=legacy"], everything);
  await api.get(configMaps);
  await expect
    .poll(() => server.output())
    .toMatch(
      /^\S+ AUDIT: id="[^"]+" stage="ResponseComplete" ip="127.0.0.1" method="list" .* response="200"$/m,
    );
});

/** A webhook that answers with `next`, and the option that names it. */
async function webhook(next: () => PeerAnswer | "hang"): Promise<string> {
  const authority = await TestAuthority.create("audit-ca");
  peer = await startRemotePeer({ authority }, next);
  const file = join(audit.directory, "webhook.yaml");
  writeFileSync(file, clientConfigText({ server: `${peer.url}/audit`, caPem: authority.caPem, user: {} }));
  return `--audit-webhook-config-file=${file}`;
}

const received = (): AuditEvent[] =>
  (peer?.requests ?? []).flatMap(({ body }) => (JSON.parse(body) as { items: readonly AuditEvent[] }).items);

test("a webhook gets lists of events, again after it was broken, and the rest at the end", async () => {
  let isBroken = true;
  const file = await webhook(() => ({ status: isBroken ? 500 : 200 }));
  const { api, server } = await start(
    [
      file,
      "--audit-webhook-batch-max-size=2",
      "--audit-webhook-batch-max-wait=1h",
      "--audit-webhook-initial-backoff=20ms",
    ],
    [{ level: "Request", verbs: ["create"] }],
  );
  await api.post(configMaps, { metadata: { name: "a" } });
  await expect.poll(() => peer?.requests.length).toBeGreaterThan(1);
  isBroken = false;
  const tried = peer?.requests.length ?? 0;
  await expect.poll(() => peer?.requests.length).toBeGreaterThan(tried);
  const { path, body, headers } = peer?.requests.at(-1) ?? {};
  expect(path).toBe("/audit");
  expect(headers).not.toHaveProperty("authorization");
  const list = JSON.parse(body ?? "");
  expect(list).toMatchObject({ kind: "EventList", apiVersion: "audit.k8s.io/v1", metadata: {} });
  expect(list.items).toMatchObject([
    { stage: "RequestReceived" },
    { stage: "ResponseComplete", requestObject: { metadata: { name: "a" } } },
  ]);
  expect(list.items[0]).not.toHaveProperty("kind");

  await api.ask("POST", configMaps, { body: { metadata: { name: "b" } } });
  await api.post(`${configMaps}?timeout=no`, {});
  await server.stop();
  expect(received().at(-1)).toMatchObject({ stage: "ResponseStarted", responseStatus: { code: 400 } });
});

test("a webhook that does not answer holds up no request in batch mode, and its buffer does not grow", async () => {
  const file = await webhook(() => "hang");
  const { api, server } = await startProcess(
    [file, "--audit-webhook-batch-max-size=1", "--audit-webhook-batch-buffer-size=5"],
    [{ level: "Metadata", verbs: ["get"] }],
  );
  for (let count = 0; count < 40; count++)
    expect((await api.get("/api/v1/namespaces/default")).status).toBe(200);
  const { text } = await api.get("/metrics");
  expect(text).toMatch(/apiserver_audit_error_total\{plugin="buffered"\} [1-9]/);
  peer?.disconnect();
  await server.stop("SIGKILL");
});

test("strictly, a webhook that is away fails requests, which work when it is back", async () => {
  let status = 500;
  const file = await webhook(() => ({ status }));
  const args = [file, "--audit-webhook-mode=blocking-strict", "--audit-webhook-initial-backoff=1ms"];
  const { api } = await start(args, [{ level: "Metadata", verbs: ["create"] }]);
  expect((await api.post(configMaps, { metadata: { name: "a" } })).status).toBe(500);
  status = 200;
  expect((await api.post(configMaps, { metadata: { name: "a" } })).status).toBe(201);
  expect(received().at(-1)).toMatchObject({ stage: "ResponseComplete", responseStatus: { code: 201 } });
});
