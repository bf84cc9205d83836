import { describe, expect, test } from "vitest";
import type { ApiClient } from "../support/api-client.js";
import { startServerHere } from "../support/in-process-server.js";
import { sharedGrounds } from "../support/shared-grounds.js";

const maps = "/api/v1/namespaces/default/configmaps";
const ground = sharedGrounds();
const start = (level: string, ...args: readonly string[]) => ground(`--api-level=${level}`, ...args);

async function figure(api: ApiClient, line: string): Promise<number | undefined> {
  const { text } = await api.get("/metrics");
  const found = text.split("\n").find((each) => each.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
}

describe("lists of the most recent state", () => {
  test.each([
    ["1.30", undefined],
    [
      "1.31",
      'apiserver_watch_cache_consistent_read_total{resource="/configmaps",success="true",fallback="false"}',
    ],
    [
      "1.36",
      'apiserver_watch_cache_consistent_read_total{group="",resource="configmaps",success="true",fallback="false"}',
    ],
  ])("are the newest at %s, and counted as the level does", async (level, line) => {
    const { api } = await start(level);
    for (const name of ["a", "b", "c"]) await api.post(maps, { metadata: { name } });
    const before = line === undefined ? 0 : ((await figure(api, line)) ?? 0);
    expect((await api.get(maps)).body.items.length).toBeGreaterThanOrEqual(3);
    const { text } = await api.get("/metrics");
    if (line === undefined) expect(text).not.toContain("consistent_read_total");
    else expect(await figure(api, line)).toBe(before + 1);
  });

  test.each(["1.31", "1.33"])("at %s the store answers them where the gate is off", async (level) => {
    const { api } = await start(level, "--feature-gates=ConsistentListFromCache=false");
    await api.post(maps, { metadata: { name: "a" } });
    const line = 'watch_cache_store_reads_total{resource="configmaps",verb="list"}';
    const before = (await figure(api, line)) ?? 0;
    expect((await api.get(maps)).status).toBe(200);
    await api.get(`${maps}?resourceVersion=0`);
    expect(await figure(api, line)).toBe(before + 1);
    expect((await api.get("/metrics")).text).not.toContain("consistent_read_total{");
  });
});

test.each(["1.32", "1.33", "1.34", "1.36"])(
  "at %s a limit counts, and pages are of one version",
  async (level) => {
    const { api } = await start(level);
    const ns = "/api/v1/namespaces";
    for (const name of ["a", "b", "c"])
      await api.post(`${ns}/kube-public/configmaps`, { metadata: { name } });
    const list = `${ns}/kube-public/configmaps`;
    const names = async (query: string) => {
      const { body } = await api.get(`${list}?${query}`);
      const own = body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
      return { names: own, body };
    };
    const whole = await names("limit=500");
    const { resourceVersion } = whole.body.metadata;
    const total = whole.names.length;
    const first = await names(`limit=1&resourceVersion=${resourceVersion}`);
    expect(first.names).toHaveLength(1);
    expect(first.body.metadata.remainingItemCount).toBe(total - 1);
    await api.delete(`${list}/c`);
    const rest = await names(`limit=500&continue=${encodeURIComponent(first.body.metadata.continue)}`);
    expect([...first.names, ...rest.names]).toEqual(whole.names);
    expect(rest.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
    const exact = await names(`resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
    expect(exact.names).toEqual(whole.names);
    expect((await names("")).names).toEqual(whole.names.filter((name: string) => name !== "c"));
  },
);

describe("a watch without a version", () => {
  const gate = (isOn: boolean) => `--feature-gates=WatchFromStorageWithoutResourceVersion=${isOn}`;
  test.each([
    ["1.26", [], true],
    ["1.27", [], true],
    ["1.27", [gate(true)], false],
    ["1.32", [gate(true)], false],
    ["1.36", [], true],
  ])("at %s with %j is one of the cache: %s", async (level, args, isOfCache) => {
    const { api } = await start(level, ...args);
    await api.post(maps, { metadata: { name: "a" } });
    await api.get(`${maps}?resourceVersion=0`);
    const line = `watch_cache_watchers{${level === "1.36" ? 'group="",' : ""}resource="configmaps"}`;
    const ended = new AbortController();
    const watched = async (query: string): Promise<void> => {
      const watch = api.watch(`${maps}?watch=1${query}`, ended.signal);
      for (;;) if ((await watch.next()).value?.object.metadata.name === "a") return;
    };
    const before = (await figure(api, line)) ?? 0;
    await watched("");
    expect(await figure(api, line)).toBe(isOfCache ? before + 1 : before);
    await watched("&resourceVersion=0");
    expect(await figure(api, line)).toBe(isOfCache ? before + 2 : before + 1);
    ended.abort();
  });
});

describe("the post-start hook storage-readiness", () => {
  const hook = "/readyz/poststarthook/storage-readiness";
  const on = "--feature-gates=WatchCacheInitializationPostStartHook=true";

  test.each([
    ["1.35", [], 404],
    ["1.31", [on], 200],
    ["1.36", [], 200],
    ["1.36", ["--feature-gates=WatchCacheInitializationPostStartHook=false"], 404],
  ])("at %s with %j answers %s", async (level, args, status) => {
    const { api } = await start(level, ...args);
    await expect.poll(async () => (await api.get(hook)).status).toBe(status);
    if (status === 200) {
      // The caches are filled before anyone asked.
      const of = `${level === "1.36" ? 'group="",' : ""}resource="replicationcontrollers"`;
      expect(await figure(api, `apiserver_watch_cache_initializations_total{${of}}`)).toBe(1);
      await expect.poll(async () => (await api.get("/readyz")).text).toBe("ok");
    }
  });

  test("its time is an option of 1.31", async () => {
    await expect(
      startServerHere({ args: ["--api-level=1.30", "--storage-initialization-timeout=1s"] }),
    ).rejects.toThrow(
      "--storage-initialization-timeout: unknown option at API level 1.30: it was added in 1.31",
    );
    const { api } = await start("1.36", "--storage-initialization-timeout=0s");
    await expect.poll(async () => (await api.get(hook)).status).toBe(200);
  });
});

test.each([
  ["1.31", [], undefined],
  ["1.32", [], undefined],
  ["1.32", ["--feature-gates=RemoteRequestHeaderUID=true"], ["X-Remote-Uid"]],
  ["1.33", [], ["X-Remote-Uid"]],
  ["1.36", [], ["X-Remote-Uid"]],
])("at %s with %j extension servers are told of headers with uids: %j", async (level, args, expected) => {
  const { api } = await start(level, ...args);
  const map = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
  await expect
    .poll(async () => (await api.get(map)).body.data?.["requestheader-username-headers"])
    .toBeDefined();
  const uids = (await api.get(map)).body.data["requestheader-uid-headers"];
  expect(uids && JSON.parse(uids)).toEqual(expected);
});
