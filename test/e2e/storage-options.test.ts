import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { startServerHere } from "../support/in-process-server.js";
import { startServer, type TestServer } from "../support/server-process.js";

const maps = "/api/v1/namespaces/default/configmaps";
const events = "/api/v1/namespaces/default/events";
const started: { server: TestServer; api: ApiClient }[] = [];

afterEach(async () => {
  for (const { server, api } of started.splice(0)) {
    await api.close();
    await server.dispose();
  }
});

async function start(args: readonly string[], profile: "orch" | "kubernetes" = "kubernetes") {
  return keep(await startServerHere({ args, profile }));
}

function keep<Server extends TestServer>(server: Server) {
  const each = { server, api: new ApiClient(server) };
  started.push(each);
  return each;
}

/** Of the store on disk, by a copy of it. */
async function compactedRevision({ dataDirectory }: TestServer): Promise<number> {
  const copy = join(dataDirectory, "copy");
  const program = join(process.cwd(), "bin", "orch-apiserver.mjs");
  const run = (...args: readonly string[]) =>
    promisify(execFile)(process.execPath, [program, "store", ...args]);
  await run("backup", copy, "--data-dir", dataDirectory);
  return Number(/compacted (\d+)/.exec((await run("check", copy)).stdout)?.[1]);
}

test("--event-ttl: an event goes by itself, a watch sees it go, and nothing else goes", async () => {
  const { api } = await start(["--event-ttl=2s"]);
  await api.post(maps, { metadata: { name: "stays" } });
  const involvedObject = { kind: "Pod", name: "p", namespace: "default" };
  const created = await api.post(events, { metadata: { name: "e" }, involvedObject });
  expect(created.status).toBe(201);
  const { resourceVersion } = created.body.metadata;
  for await (const { type, object } of api.watch(`${events}?watch=1&resourceVersion=${resourceVersion}`)) {
    expect([type, object.metadata.name]).toEqual(["DELETED", "e"]);
    break;
  }
  expect((await api.get(`${events}/e`)).status).toBe(404);
  expect((await api.get(`${maps}/stays`)).status).toBe(200);
});

test.each([
  ["application/json", '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"in-a-form"'],
  ["application/vnd.kubernetes.protobuf", "k8s\0\n\x0f\n\x02v1\x12\tConfigMap"],
])("--storage-media-type %s", async (mediaType, bytes) => {
  const { server, api } = await start([`--storage-media-type=${mediaType}`]);
  await api.post(maps, { metadata: { name: "in-a-form" } });
  await server.stop();
  expect(readFileSync(join(server.dataDirectory, "store", "data.mdb")).includes(bytes)).toBe(true);
});

test("--store-compaction-interval compacts the embedded store, and 0 does not", async () => {
  const [often, never] = await Promise.all([
    start(["--etcd-compaction-interval=500ms"]),
    start(["--store-compaction-interval=0"]),
  ]);
  const first = (await often.api.post(maps, { metadata: { name: "m" } })).body.metadata.resourceVersion;
  await never.api.post(maps, { metadata: { name: "m" } });
  await expect
    .poll(async () => {
      await often.api.post(maps, { metadata: { generateName: "m" } });
      return (await often.api.get(`${maps}?resourceVersion=${first}&resourceVersionMatch=Exact`)).status;
    })
    .toBe(410);
  expect(await compactedRevision(often.server)).toBeGreaterThanOrEqual(Number(first));
  expect(await compactedRevision(never.server)).toBe(0);
});

test("metrics tell of objects and sizes, in the words of each profile", async () => {
  for (const [profile, prefix] of [
    ["kubernetes", "etcd"],
    ["orch", "store"],
  ] as const) {
    const { api, server } = await start([], profile);
    for (const name of ["a", "b", "c"]) await api.post("/api/v1/namespaces/default/pods", pod(name));
    const { status, headers, text } = await api.get("/metrics");
    expect(status).toBe(200);
    expect(headers["content-type"]).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toMatch(/^apiserver_storage_objects\{resource="pods"\} 3$/m);
    expect(text).toMatch(/^apiserver_storage_objects\{resource="deployments\.apps"\} 0$/m);
    const size = new RegExp(`^${prefix}_db_total_size_in_bytes\\{endpoint="(.*)"\\} (\\d+)$`, "m").exec(text);
    expect(size?.[1]).toBe(join(server.dataDirectory, "store"));
    expect(Number(size?.[2])).toBeGreaterThan(4096);
    expect(text).toMatch(new RegExp(`^${profile}_build_info\\{major="1",minor="23",`, "m"));
    expect((await api.get("/")).body.paths).toContain("/metrics");
  }
});

test("without periods neither is looked at; with short ones the figures follow", async () => {
  const off = await start(["--store-count-metric-poll-period=0", "--store-db-metric-poll-interval=0"]);
  const { text } = await off.api.get("/metrics");
  expect(text).not.toMatch(/^apiserver_storage_objects\{/m);
  expect(text).not.toMatch(/_db_total_size_in_bytes\{/);

  const { api } = await start(["--store-count-metric-poll-period=100ms"]);
  expect((await api.get("/metrics")).text).toMatch(/^apiserver_storage_objects\{resource="pods"\} 0$/m);
  await api.post("/api/v1/namespaces/default/pods", pod("a"));
  await expect.poll(async () => (await api.get("/metrics")).text).toMatch(/resource="pods"\} 1$/m);
});

test.each([
  [["--watch-cache=false"]],
  [["--default-watch-cache-size=0"]],
  [["--watch-cache-sizes=configmaps#0"]],
  [["--watch-cache-sizes=configmaps#5"]],
])("the answers are the same with %j", async (args) => {
  const { api } = await start(args);
  const versions: string[] = [];
  for (const name of ["a", "b", "c"]) {
    const labels = { odd: name === "b" ? "no" : "yes" };
    versions.push((await api.post(maps, { metadata: { name, labels } })).body.metadata.resourceVersion);
  }
  const names = (list: { items: { metadata: { name: string } }[] }) =>
    list.items.map(({ metadata }) => metadata.name).filter((name) => name.length === 1);
  for (const query of ["", "&resourceVersion=0", `&resourceVersion=${versions[2]}`]) {
    expect(names((await api.get(`${maps}?labelSelector=odd${query}`)).body)).toEqual(["a", "b", "c"]);
    expect(names((await api.get(`${maps}?labelSelector=odd%3Dyes${query}`)).body)).toEqual(["a", "c"]);
    expect(names((await api.get(`${maps}?fieldSelector=metadata.name%3Db${query}`)).body)).toEqual(["b"]);
  }
  const exact = `${maps}?labelSelector=odd&resourceVersionMatch=Exact&resourceVersion=${versions[1]}`;
  expect(names((await api.get(exact)).body)).toEqual(["a", "b"]);
  const page = (await api.get(`${maps}?labelSelector=odd&limit=2`)).body;
  const rest = await api.get(`${maps}?labelSelector=odd&limit=2&continue=${page.metadata.continue}`);
  expect([...names(page), ...names(rest.body)]).toEqual(["a", "b", "c"]);
  const seen: string[] = [];
  for await (const { type, object } of api.watch(`${maps}?watch=1&resourceVersion=${versions[0]}`)) {
    seen.push(`${type} ${object.metadata.name}`);
    if (seen.length === 2) await api.delete(`${maps}/a`);
    if (seen.length === 3) break;
  }
  expect(seen).toEqual(["ADDED b", "ADDED c", "DELETED a"]);
  const future = await api.get(`${maps}?resourceVersion=999999999&resourceVersionMatch=NotOlderThan`);
  expect(future.status).toBe(504);
});

test("a watch of a resource without a cache ends when the server stops", async () => {
  const { server, api } = keep(await startServer({ args: ["--watch-cache=false"] }));
  const seen: string[] = [];
  const watching = (async () => {
    for await (const { object } of api.watch(`${maps}?watch=1`)) seen.push(object.metadata.name);
  })();
  await api.post(maps, { metadata: { name: "seen" } });
  await expect.poll(() => seen).toContain("seen");
  const stopped = server.stop("SIGTERM");
  await watching;
  expect(await stopped).toBe(0);
});

function pod(name: string) {
  return { metadata: { name }, spec: { containers: [{ name: "c", image: "i" }] } };
}

test("a cache size for what is no resource is warned of", async () => {
  const { server } = await start(["--watch-cache-sizes=pods#7,deployment.apps#7"]);
  expect(server.output()).toMatch(
    /names a resource that this server does not have .*"--watch-cache-sizes" group="apps" resource="deployment"/,
  );
  expect(server.output()).not.toContain('resource="pods"');
});
