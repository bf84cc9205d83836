import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from "@kubernetes/client-node";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { FaultSpec } from "../../src/index.js";
import type { ApiClient } from "../support/api-client.js";
import { type LabServer, startLab } from "../support/lab-server.js";
import { startWebhookServer } from "../support/webhook-server.js";

let lab: LabServer;
let api: ApiClient;
const log: string[] = [];

beforeAll(async () => {
  lab = await startLab({ log: (line) => log.push(line) });
  ({ api } = lab);
});
afterAll(() => lab.dispose());
afterEach(async () => {
  await Promise.all(Object.values(ways).map((way) => way.end()));
});

const rules = "/apis/lab.orch.io/v1/faults";
const rule = (spec: FaultSpec, name = "rule") => ({
  apiVersion: "lab.orch.io/v1",
  kind: "Fault",
  metadata: { name },
  spec,
});

/** A way to give a server its rules, one at a time. */
interface Way {
  /** Adds it, or replaces the one before. */
  inject(spec: FaultSpec): Promise<void>;
  /** The name that it has in the metrics. */
  readonly name: string;
  hits(): number | undefined;
  end(): Promise<void>;
}

const hitsOf = (wanted: string) => lab.server.faults.list().find(({ name }) => name === wanted)?.hits;
const ways: Readonly<Record<"library" | "object", Way>> = {
  library: {
    name: "rule",
    inject: async (spec) => void lab.server.faults.inject(spec, "rule"),
    hits: () => hitsOf("rule"),
    end: async () => lab.server.faults.inject({ effect: { delay: "0s" } }, "rule").remove(),
  },
  object: {
    name: "object/rule",
    async inject(spec) {
      await expect.poll(async () => (await api.get(rules)).status).toBe(200);
      await api.delete(`${rules}/rule`);
      const { status, text } = await api.post(rules, rule(spec));
      expect(status, text).toBe(201);
    },
    hits: () => hitsOf("object/rule"),
    end: async () => void (await api.delete(`${rules}/rule`)),
  },
};

const maps = "/api/v1/namespaces/default/configmaps";
let number = 0;
const body = (labels = {}) => ({ metadata: { name: `map-${++number}`, labels } });
const onMaps = { resources: ["configmaps"] };

async function eventsOf(path: string, count: number): Promise<string[]> {
  const seen: string[] = [];
  const stop = new AbortController();
  for await (const { type, object } of api.watch(path, stop.signal)) {
    seen.push(`${type} ${object.code ?? object.metadata.name}`);
    if (seen.length === count) break;
  }
  return seen;
}

describe.each(Object.entries(ways))("by %s", (_name, way) => {
  test.each([
    [409, "Conflict", undefined],
    [410, "Expired", undefined],
    [429, "TooManyRequests", 7],
    [500, "InternalError", undefined],
    [503, "ServiceUnavailable", 3],
    [504, "Timeout", undefined],
  ] as const)("answers %i in the place of the server", async (code, reason, retryAfterSeconds) => {
    log.length = 0;
    await way.inject({
      match: { ...onMaps, verbs: ["create"] },
      when: { nth: 2 },
      effect: { status: { code, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) } },
    });
    expect((await api.post(maps, body())).status).toBe(201);
    expect(way.hits()).toBe(0);
    const hit = await api.post(maps, body());
    expect([hit.status, hit.body.kind, hit.body.reason]).toEqual([code, "Status", reason]);
    expect(hit.headers["retry-after"]).toBe(retryAfterSeconds?.toString());
    expect((await api.post(maps, body())).status).toBe(201);
    expect(way.hits()).toBe(1);
    expect((await api.get(`${maps}/map-${number - 1}`)).status).toBe(404);
    expect((await api.get("/metrics")).text).toMatch(
      new RegExp(`^apiserver_lab_faults_total{fault="${way.name}"} [1-9]`, "m"),
    );
    // A busy server also tells of slow requests.
    expect(log).toContainEqual(expect.stringMatching(/a fault was injected.*configmaps/));
  });

  test("a full queue and an expired token look as they do", async () => {
    await way.inject({ match: onMaps, effect: { queueFull: true } });
    const busy = await api.get(maps);
    expect([busy.status, busy.headers["retry-after"]]).toEqual([429, "1"]);
    await way.inject({ match: onMaps, effect: { tokenExpired: true } });
    expect((await api.get(maps)).status).toBe(401);
  });

  test("a connection is cut before anything is done, or after it is done", async () => {
    const cut = (how: "Before" | "AfterCommit") =>
      way.inject({ match: { ...onMaps, verbs: ["create"] }, effect: { cut: how } });
    await cut("Before");
    await expect(api.post(maps, body())).rejects.toThrow();
    const before = number;
    await cut("AfterCommit");
    await expect(api.post(maps, body())).rejects.toThrow();
    await way.end();
    expect((await api.get(`${maps}/map-${before}`)).status).toBe(404);
    expect((await api.get(`${maps}/map-${number}`)).status).toBe(200);
  });

  test("objects are chosen by their labels", async () => {
    await api.post(maps, body({ app: "web" }));
    const web = number;
    await api.post(maps, body({ app: "db" }));
    await way.inject({ match: { labelSelector: "app=web" }, effect: { status: { code: 500 } } });
    expect((await api.get(`${maps}/map-${web}`)).status).toBe(500);
    expect((await api.get(`${maps}/map-${number}`)).status).toBe(200);
  });

  test("a watch ends early, or is told that its history is gone", async () => {
    const from = (await api.get(maps)).body.metadata.resourceVersion;
    for (let i = 0; i < 4; i++) await api.post(maps, body());
    const names = [3, 2, 1, 0].map((back) => `ADDED map-${number - back}`);
    const path = `${maps}?watch=true&resourceVersion=${from}`;
    const watch = (end: "Close" | "Expired") =>
      way.inject({ match: { ...onMaps, verbs: ["watch"] }, effect: { watch: { end, afterEvents: 2 } } });
    await watch("Close");
    expect(await eventsOf(path, 10)).toEqual(names.slice(0, 2));
    await watch("Expired");
    expect(await eventsOf(path, 10)).toEqual([...names.slice(0, 2), "ERROR 410"]);
    await way.inject({ match: { ...onMaps, verbs: ["watch"] }, effect: { delay: "50ms" } });
    expect(await eventsOf(path, 4)).toEqual(names);
  });

  test("a list at any version is an old one, and the newest is the newest", async () => {
    await way.inject({ match: { ...onMaps, verbs: ["list"] }, effect: { staleBy: 2 } });
    await api.post(maps, body());
    await api.post(maps, body());
    const names = async (query: string) =>
      (await api.get(`${maps}${query}`)).body.items.map((each: { metadata: object }) => each.metadata);
    const last = expect.objectContaining({ name: `map-${number}` });
    expect(await names("?resourceVersion=0")).not.toContainEqual(last);
    expect(await names("")).toContainEqual(last);
  });

  test("gets and lists are as old as they may be, and a watch from any state repeats what came since", async () => {
    const versions: string[] = [];
    for (let i = 0; i < 4; i++) versions.push((await api.post(maps, body())).body.metadata.resourceVersion);
    const [first, second, third, newest] = versions;
    const last = `map-${number}`;
    // More than the server writes itself meanwhile.
    await way.inject({ match: onMaps, effect: { staleBy: 40 } });
    const statusOf = async (query: string) => (await api.get(`${maps}/${last}${query}`)).status;
    expect(await statusOf("")).toBe(200);
    expect(await statusOf("?resourceVersion=0")).toBe(404);
    expect(await statusOf(`?resourceVersion=${second}`)).toBe(404);
    expect(await statusOf(`?resourceVersion=${newest}`)).toBe(200);
    const versionOf = async (query: string) =>
      (await api.get(`${maps}${query}`)).body.metadata.resourceVersion;
    expect(Number(await versionOf("?resourceVersion=0"))).toBeLessThan(Number(first));
    expect(await versionOf(`?resourceVersion=${third}`)).toBe(third);
    expect(await versionOf(`?resourceVersion=${second}&resourceVersionMatch=NotOlderThan`)).toBe(second);
    expect(way.hits()).toBe(6);
    expect(await versionOf(`?resourceVersion=${second}&resourceVersionMatch=Exact`)).toBe(second);
    expect(Number(await versionOf(""))).toBeGreaterThanOrEqual(Number(newest));
    expect(way.hits()).toBe(6);
    const seen: string[] = [];
    const stop = new AbortController();
    for await (const { object } of api.watch(`${maps}?watch=true&resourceVersion=0`, stop.signal)) {
      seen.push(object.metadata.name);
      if (object.metadata.name === last) break;
    }
    expect(seen.slice(-4)).toEqual([3, 2, 1, 0].map((back) => `map-${number - back}`));
    expect(way.hits()).toBe(7);
  });

  test("a request is late, and a webhook is: in time, or beyond its time", async () => {
    const hooks = await startWebhookServer();
    const group = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    const webhook = {
      name: "late.example.com",
      clientConfig: { url: hooks.url("/late"), caBundle: hooks.caBundle },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      // A call that is held for longer fails; a busy machine needs some time for the others.
      timeoutSeconds: 4,
    };
    const made = await api.post(group, { metadata: { name: "late" }, webhooks: [webhook] });
    expect(made.status).toBe(201);
    try {
      const took = async (spec: FaultSpec) => {
        await way.inject(spec);
        const began = performance.now();
        const { status, body: answer } = await api.post(maps, body());
        return { status, message: answer.message, atLeast: performance.now() - began };
      };
      const request = await took({ match: { ...onMaps, verbs: ["create"] }, effect: { delay: "300ms" } });
      expect(request.status).toBe(201);
      expect(request.atLeast).toBeGreaterThanOrEqual(299);
      const late = await took({ match: { webhooks: ["late.*"] }, effect: { webhookDelay: "200ms" } });
      expect(late.status).toBe(201);
      expect(late.atLeast).toBeGreaterThanOrEqual(199);
      const called = hooks.seen.length;
      const tooLate = await took({ match: { webhooks: ["late.*"] }, effect: { webhookDelay: "12s" } });
      expect(tooLate.status).toBe(500);
      expect(tooLate.message).toContain("context deadline exceeded");
      expect(hooks.seen).toHaveLength(called);
      expect((await took({ match: { webhooks: ["others"] }, effect: { webhookDelay: "12s" } })).status).toBe(
        201,
      );
    } finally {
      await api.delete(`${group}/late`);
      await hooks.close();
    }
  });
});

test("what an object of a rule says is checked, and its status tells the hits", async () => {
  await ways.object.inject({
    match: { ...onMaps, verbs: ["create"] },
    when: { times: 2 },
    effect: { status: { code: 409 } },
  });
  const statuses = [1, 2, 3].map(async () => (await api.post(maps, body())).status);
  expect((await Promise.all(statuses)).sort()).toEqual([201, 409, 409]);
  await expect.poll(async () => (await api.get(`${rules}/rule`)).body.status?.hits).toBe(2);
  await api.post(rules, rule({ effect: { delay: "soon" } }, "wrong"));
  await expect
    .poll(async () => (await api.get(`${rules}/wrong`)).body.status?.problem)
    .toContain("not a duration");
  await api.delete(`${rules}/wrong`);
  const unknown = await api.post(rules, {
    ...rule({ effect: {} }),
    spec: { effect: { status: { code: 418 } } },
  });
  expect(unknown.status).toBe(422);
  const effect = { queueFull: true };
  for (const when of [{ nth: 2 ** 60 }, { every: 2 ** 60 }, { times: 2 ** 60 }, { seed: -(2 ** 60) }]) {
    expect(await api.post(rules, rule({ when, effect }, "large"))).toMatchObject({ status: 422 });
  }
});

test("a rule counts on through a rewind, and its status tells so", async () => {
  await ways.object.inject({ match: onMaps, effect: { status: { code: 500 } } });
  const told = async () => (await api.get(`${rules}/rule`)).body.status?.hits;
  await expect.poll(told).toBe(0);
  const snapshot = await lab.server.snapshot();
  expect((await api.get(maps)).status).toBe(500);
  await expect.poll(told).toBe(1);
  await lab.server.rewind(snapshot);
  await expect.poll(told).toBe(1);
});

test("the same seed hits the same requests", async () => {
  const chosen = async (seed: number) => {
    await ways.object.inject({
      match: onMaps,
      when: { share: 0.3, seed },
      effect: { status: { code: 500 } },
    });
    const statuses: number[] = [];
    for (let i = 0; i < 20; i++) statuses.push((await api.get(maps)).status);
    return statuses;
  };
  const first = await chosen(7);
  expect(new Set(first)).toEqual(new Set([200, 500]));
  expect(await chosen(7)).toEqual(first);
  expect(await chosen(8)).not.toEqual(first);
});

test("an informer survives its storm, and the report says what it did", async () => {
  const config = new KubeConfig();
  const user = await lab.server.kubeconfigFor({ user: "informing", groups: ["system:masters"] });
  config.loadFromString(user);
  const core = config.makeApiClient(CoreV1Api);
  const known = new Map<string, V1ConfigMap>();
  const informer = makeInformer(config, maps, () => core.listNamespacedConfigMap({ namespace: "default" }));
  const note = (map: V1ConfigMap) => void known.set(map.metadata?.name ?? "", map);
  informer.on("add", note);
  informer.on("update", note);
  informer.on("delete", (map) => void known.delete(map.metadata?.name ?? ""));
  let isStopped = false;
  // The library leaves it to its user to try again; stopping it is told as an error too.
  const tryAgain = (): void => void (isStopped || informer.start().catch(() => undefined));
  informer.on("error", () => setTimeout(tryAgain, 50));
  const storm = lab.server.faults.storm("informer", { seed: 3, match: { users: ["informing"] } });
  await informer.start().catch(() => undefined);
  for (let i = 0; i < 30; i++) {
    await api.post(maps, body());
    if (i % 3 === 0) await api.delete(`${maps}/map-${number}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const hits = () => Object.values(storm.report().injected).reduce((sum, each) => sum + each, 0);
  await expect.poll(hits).toBeGreaterThan(0);
  const report = storm.stop();
  const [client] = report.clients;
  expect(client).toMatchObject({ user: "informing" });
  expect(client?.hits).toBe(hits());
  const there = (await api.get(maps)).body.items.map(
    ({ metadata }: { metadata: { name: string } }) => metadata.name,
  );
  await expect.poll(() => [...known.keys()].sort()).toEqual(there.sort());
  isStopped = true;
  await informer.stop();
});

test("a storm is begun and ended at a path", async () => {
  const begun = await api.ask("POST", "/lab/storms/conflicts?seed=5&user=somebody");
  expect(begun.body).toMatchObject({ storm: "conflicts", seed: 5, injected: { "conflicts-update": 0 } });
  expect((await api.get("/lab/faults")).body.items).toContainEqual({ name: "conflicts-update", hits: 0 });
  expect((await api.delete("/lab/storms/conflicts")).status).toBe(200);
  expect((await api.delete("/lab/storms/conflicts")).status).toBe(404);
  expect((await api.ask("POST", "/lab/storms/none")).status).toBe(404);
});

test("the kinds of the lab and of the simulation are served in the profile in which their groups are protected", async () => {
  const own = await startLab({ profile: "orch", simulate: true });
  try {
    for (const path of ["/apis/lab.orch.io/v1/faults", "/apis/simulation.orch.io/v1/simulations"]) {
      await expect.poll(async () => (await own.api.get(path)).status).toBe(200);
    }
  } finally {
    await own.dispose();
  }
});

test("a server begins with a storm, which ends at its path", async () => {
  const stormy = await startLab({ options: { labStorm: { name: "conflicts", seed: 1 } } });
  try {
    const { status } = await stormy.api.post(maps, { metadata: { name: "a" } });
    expect(status).toBe(201);
    const updates = await Promise.all(
      Array.from({ length: 30 }, () => stormy.api.put(`${maps}/a`, { data: {} })),
    );
    const refused = updates.filter((answer) => answer.status === 409).length;
    expect(refused).toBeGreaterThan(0);
    const ended = await stormy.api.delete("/lab/storms/conflicts");
    expect(ended.body).toMatchObject({ seed: 1, injected: { "conflicts-update": refused } });
  } finally {
    await stormy.dispose();
  }
});
