import { afterEach, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { disposeAll } from "../support/server-process.js";

const maps = "/api/v1/namespaces/kube-public/configmaps";
const gate = "--feature-gates=ShardedListAndWatch=true";
const range = (start: string, end: string, field = "object.metadata.uid") =>
  `shardRange(${field}, '${start}', '${end}')`;
const lower = range("0x0000000000000000", "0x8000000000000000");
const upper = range("0x8000000000000000", "0x10000000000000000");
const started: ServerHere[] = [];
const clients: ApiClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await disposeAll(started);
});

async function start(...args: readonly string[]): Promise<ApiClient> {
  const server = await startServerHere({ args });
  started.push(server);
  const api = new ApiClient(server);
  clients.push(api);
  return api;
}

const query = (selector: string) => `shardSelector=${encodeURIComponent(selector)}`;
const names = (items: readonly { metadata: { name: string } }[]) =>
  items.map(({ metadata }) => metadata.name);

test.each([
  ["1.35", []],
  ["1.36", []],
])("at %s without the gate a shard selector means nothing", async (level, args) => {
  const api = await start(`--api-level=${level}`, ...args);
  await api.post(maps, { metadata: { name: "a" } });
  const all = (await api.get(maps)).body;
  const { body } = await api.get(`${maps}?${query("nonsense")}`);
  expect(names(body.items)).toEqual(names(all.items));
  expect(body.metadata.shardInfo).toBeUndefined();
});

test.each([[[]], [["--watch-cache=false"]]])(
  "lists and watches of two halves share the objects (%j)",
  async (args) => {
    const api = await start("--api-level=1.36", gate, ...args);
    for (let n = 0; n < 20; n++) await api.post(maps, { metadata: { name: `map-${n}` } });
    const all = (await api.get(maps)).body;
    const [first, second] = [
      (await api.get(`${maps}?${query(lower)}`)).body,
      (await api.get(`${maps}?${query(upper)}&resourceVersion=0`)).body,
    ];
    expect([...names(first.items), ...names(second.items)].sort()).toEqual(names(all.items).sort());
    expect(first.items.length).toBeGreaterThan(0);
    expect(second.items.length).toBeGreaterThan(0);
    expect(first.metadata.shardInfo).toEqual({ selector: lower });
    expect(all.metadata.shardInfo).toBeUndefined();

    const page = (await api.get(`${maps}?${query(lower)}&limit=1`)).body;
    const rest = (
      await api.get(
        `${maps}?${query(lower)}&limit=500&continue=${encodeURIComponent(page.metadata.continue)}`,
      )
    ).body;
    expect([...names(page.items), ...names(rest.items)]).toEqual(names(first.items));
    const both = (await api.get(`${maps}?${query(`${lower} || ${upper}`)}`)).body;
    expect(names(both.items)).toEqual(names(all.items));
    const ofNamespace = range("0x0000000000000000", "0x10000000000000000", "object.metadata.namespace");
    expect(
      (await api.get(`/api/v1/configmaps?${query(ofNamespace)}`)).body.items.length,
    ).toBeGreaterThanOrEqual(all.items.length);

    const table = await api.ask("GET", `${maps}?${query(lower)}`, {
      headers: { Accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    });
    expect(table.body.metadata.shardInfo).toEqual({ selector: lower });
    expect(table.body.rows).toHaveLength(first.items.length);
    const proto = await api.ask("GET", `${maps}?${query(lower)}`, {
      headers: { Accept: "application/vnd.kubernetes.protobuf" },
    });
    expect(proto.bytes.includes(lower)).toBe(true);

    const ended = new AbortController();
    const { resourceVersion } = all.metadata;
    const watch = api.watch(
      `${maps}?watch=1&${query(lower)}&resourceVersion=${resourceVersion}`,
      ended.signal,
    );
    const next = watch.next();
    for (const name of [...names(second.items), ...names(first.items)].filter((name) =>
      name.startsWith("map-"),
    )) {
      await api.patch(`${maps}/${name}`, "application/merge-patch+json", { data: { a: "b" } });
    }
    const { value } = await next;
    expect(value?.type).toBe("MODIFIED");
    expect(names(first.items)).toContain(value?.object.metadata.name);
    const page1 = (await api.get("/metrics")).text;
    expect(page1).toContain('apiserver_watch_shards_total{group="",resource="configmaps"} 1');
    expect(page1).toMatch(/^apiserver_watch_filtered_events_total\{group="",resource="configmaps"\} [1-9]/m);
    ended.abort();
    await expect
      .poll(async () => (await api.get("/metrics")).text)
      .toContain('apiserver_watch_shards_total{group="",resource="configmaps"} 0');
  },
);

test("a selector that is none is refused", async () => {
  const api = await start("--api-level=1.36", gate);
  for (const path of [`${maps}?`, `${maps}?watch=1&`]) {
    const { status, body } = await api.get(`${path}${query("shardRange(1)")}`);
    expect([status, body.message]).toEqual([
      400,
      "invalid shard selector: shardRange() requires exactly 3 arguments, got 1",
    ]);
  }
});
