import { readFileSync } from "node:fs";
import { CoreV1Api, KubeConfig, type V1ConfigMap } from "@kubernetes/client-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ground, openGround } from "../support/fixtures.js";

/** Thousands of objects, in chunks and in watches that begin with the state: what the client has not read yet is not made yet. */

const small = { count: 10_000, bytes: 1_000 };
const large = { count: 1_000, bytes: 50_000 };
const mapsIn = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;
const watches = 8;
/** Of a watch: what waits for its client in the server, and in its sockets. */
const waitingMaxMb = 8;
const streamed =
  "watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=100";

let ground: Ground;

beforeAll(async () => {
  ground = await openGround(["--api-level=1.35", "--max-requests-inflight=1000"]);
  for (const [kind, { count, bytes }] of Object.entries({ small, large })) {
    const text = "x".repeat(bytes);
    await ground.api.post("/api/v1/namespaces", { metadata: { name: kind } });
    const names = Array.from({ length: count }, (_, index) => `${kind}-${index}`).values();
    const write = async (): Promise<void> => {
      for (const name of names) {
        const { status } = await ground.api.post(mapsIn(kind), {
          metadata: { name, labels: { kind } },
          data: { text },
        });
        if (status !== 201) throw new Error(`a write was answered ${status}`);
      }
    };
    await Promise.all(Array.from({ length: 32 }, write));
  }
}, 300_000);

afterAll(() => ground.dispose());

async function eventsSent(): Promise<number> {
  const { text } = await ground.api.get("/metrics");
  const line = /^apiserver_watch_events_total\{group="",version="v1",resource="configmaps"\} (\d+)$/m;
  return Number(line.exec(text)?.[1] ?? 0);
}

/** The types of all events up to the bookmark that ends the state, by how often each came, and whether each object came once. */
async function stateOf(kind: string): Promise<object> {
  const names = new Set<string>();
  let added = 0;
  const ended = new AbortController();
  for await (const { type, object } of ground.api.watch(
    `${mapsIn(kind)}?labelSelector=kind%3D${kind}&${streamed}`,
    ended.signal,
  )) {
    if (type === "BOOKMARK" && object.metadata.annotations?.["k8s.io/initial-events-end"] === "true") break;
    expect(type).toBe("ADDED");
    added++;
    names.add(object.metadata.name);
  }
  return { added, different: names.size };
}

test("small objects listed in chunks equal the full list", async () => {
  const config = new KubeConfig();
  config.loadFromFile(ground.server.kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  const whole = await core.listNamespacedConfigMap({ namespace: "small" });
  const names = Array.from({ length: small.count }, (_, index) => `small-${index}`).sort();
  const wholeNames = whole.items.map((item) => item.metadata?.name);
  expect(wholeNames.filter((name) => name !== "kube-root-ca.crt")).toEqual(names);

  const chunked: V1ConfigMap[] = [];
  let next: string | undefined;
  do {
    const page = await core.listNamespacedConfigMap({
      namespace: "small",
      limit: 777,
      ...(next !== undefined && { _continue: next }),
    });
    chunked.push(...page.items);
    next = page.metadata?._continue;
  } while (next !== undefined && next !== "");
  expect(chunked).toEqual(whole.items);
});

test.each([
  ["small", small.count],
  ["large", large.count],
])("all %s objects come once, then the bookmark", { timeout: 300_000 }, async (kind, count) => {
  const before = await eventsSent();
  expect(await stateOf(kind)).toEqual({ added: count, different: count });
  await expect.poll(eventsSent).toBe(before + count + 1);
});

function residentMb(): number {
  const status = readFileSync(`/proc/${ground.server.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

test.runIf(process.platform === "linux").each(["application/json", "application/vnd.kubernetes.protobuf"])(
  "clients that do not read %s cost the server little memory, and hold nobody up",
  { timeout: 300_000 },
  async (accept) => {
    const whole = (large.count * large.bytes) / 1e6;
    const before = residentMb();
    const sent = await eventsSent();
    const ended = new AbortController();
    const readers = Array.from({ length: watches }, () =>
      ground.api.stream(
        `${mapsIn("large")}?labelSelector=kind%3Dlarge&${streamed}`,
        { accept },
        ended.signal,
      ),
    );
    await Promise.all(readers.map((reader) => reader.next()));
    // The others are served meanwhile.
    expect(await stateOf("large")).toEqual({ added: large.count, different: large.count });
    expect(await eventsSent()).toBeLessThan(sent + large.count + 1 + (watches * large.count) / 3);
    expect(residentMb() - before).toBeLessThan(Math.min(watches * waitingMaxMb, (watches * whole) / 3));
    ended.abort();
    for (const reader of readers) await reader.return(undefined).catch(() => undefined);
  },
);
