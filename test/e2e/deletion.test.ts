import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiAnswer } from "../support/api-client.js";
import {
  causesOf,
  deployment,
  type GroundHere,
  mergePatch,
  openGroundHere,
  pod,
  until,
} from "../support/fixtures.js";

let ground: GroundHere;
const core = "/api/v1/namespaces/default";
const apps = "/apis/apps/v1/namespaces/default";
const maps = `${core}/configmaps`;

beforeAll(async () => {
  ground = await openGroundHere();
});

afterAll(async () => {
  await ground.dispose();
});

const get = (path: string): Promise<ApiAnswer> => ground.api.get(path);
const post = (path: string, body: unknown): Promise<ApiAnswer> => ground.api.post(path, body);
const remove = (path: string, body?: unknown): Promise<ApiAnswer> => ground.api.delete(path, body);
const patch = (path: string, body: unknown): Promise<ApiAnswer> => ground.api.patch(path, mergePatch, body);
const isGone = (path: string): Promise<boolean> =>
  until(
    () => get(path),
    ({ status }) => status === 404,
  ).then(({ status }) => status === 404);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The first events about one object after a version. */
async function eventsOf(
  path: string,
  name: string,
  since: string,
  count: number,
): Promise<{ type: string; object: ApiAnswer["body"] }[]> {
  const stop = new AbortController();
  const events: { type: string; object: ApiAnswer["body"] }[] = [];
  const query = `watch=1&resourceVersion=${since}&fieldSelector=metadata.name%3D${name}`;
  for await (const event of ground.api.watch(`${path}?${query}`, stop.signal)) {
    events.push(event);
    if (events.length === count) break;
  }
  stop.abort();
  return events;
}

async function newMap(name: string, metadata: object = {}): Promise<ApiAnswer["body"]> {
  const answer = await post(maps, { metadata: { name, ...metadata } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

describe("the answer", () => {
  test("a removed object's is a Status; kinds that return it, return it", async () => {
    const { metadata } = await newMap("gone");
    expect((await remove(`${maps}/gone`)).body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Success",
      details: { name: "gone", kind: "configmaps", uid: metadata.uid },
    });
    await post(`${apps}/deployments`, deployment("gone"));
    const { body } = await remove(`${apps}/deployments/gone`);
    expect(body).toMatchObject({
      status: "Success",
      details: { name: "gone", group: "apps", kind: "deployments" },
    });
    await post(`${core}/pods`, pod("gone"));
    expect((await remove(`${core}/pods/gone`)).body).toMatchObject({
      kind: "Pod",
      metadata: { name: "gone" },
    });
    await post(`${core}/services`, { metadata: { name: "gone" }, spec: { ports: [{ port: 80 }] } });
    expect((await remove(`${core}/services/gone`)).body).toMatchObject({ kind: "Service" });
    await post(`${core}/serviceaccounts`, { metadata: { name: "gone" } });
    expect((await remove(`${core}/serviceaccounts/gone`)).body).toMatchObject({ kind: "ServiceAccount" });
    expect((await remove(`${maps}/gone`)).body).toMatchObject({ code: 404, reason: "NotFound" });
  });

  test("who asked for a cascade by the older option and must wait is told so by 202", async () => {
    const finalizers = ["example.com/hold"];
    for (const [name, query, status] of [
      ["waits-1", "?propagationPolicy=Foreground", 200],
      ["waits-2", "?orphanDependents=false", 202],
      ["waits-3", "", 200],
      ["waits-4", "?propagationPolicy=Background", 200],
    ] as const) {
      await newMap(name, { finalizers });
      const answer = await remove(`${maps}/${name}${query}`);
      expect([name, answer.status, answer.body.kind]).toEqual([name, status, "ConfigMap"]);
      expect(answer.body.metadata.deletionTimestamp).toMatch(/Z$/);
      expect(answer.body.metadata.deletionGracePeriodSeconds).toBe(0);
      await patch(`${maps}/${name}`, { metadata: { finalizers: null } });
      expect(await isGone(`${maps}/${name}`)).toBe(true);
    }
  });
});

describe("options", () => {
  test.each([
    [
      "another uid",
      { preconditions: { uid: "x" } },
      "?uid=x",
      /^Operation cannot be fulfilled on ConfigMap "guarded": the UID in the precondition \(x\) does not match the UID in record \(.*\)\. The object might have been deleted and then recreated$/,
    ],
    [
      "another version",
      { preconditions: { resourceVersion: "1" } },
      "?resourceVersion=1",
      /^Operation cannot be fulfilled on ConfigMap "guarded": the ResourceVersion in the precondition \(1\) does not match the ResourceVersion in record \(\d+\)\. The object might have been modified$/,
    ],
  ])("a precondition of %s is a conflict, in body and query", async (_what, body, query, message) => {
    await newMap("guarded");
    for (const answer of [await remove(`${maps}/guarded`, body), await remove(`${maps}/guarded${query}`)]) {
      expect(answer.body).toMatchObject({ code: 409, reason: "Conflict" });
      expect(answer.body.message).toMatch(message);
    }
    const { metadata } = (await get(`${maps}/guarded`)).body;
    const held = await remove(`${maps}/guarded`, {
      preconditions: { uid: metadata.uid, resourceVersion: metadata.resourceVersion },
    });
    expect(held.status).toBe(200);
  });

  test.each([
    [
      "an unknown policy",
      { propagationPolicy: "Sometimes" },
      422,
      /propagationPolicy: Unsupported value: "Sometimes"/,
    ],
    [
      "policy and orphanDependents",
      { propagationPolicy: "Orphan", orphanDependents: true },
      422,
      /cannot be both set/,
    ],
    ["a wrong type", { gracePeriodSeconds: "soon" }, 400, /gracePeriodSeconds/],
    ["another kind", { kind: "ConfigMap", apiVersion: "v1" }, 400, /./],
  ])("%s is refused", async (_what, body, status, message) => {
    await post(maps, { metadata: { name: "optional" } });
    const answer = await remove(`${maps}/optional`, body);
    expect([answer.status, answer.body.kind]).toEqual([status, "Status"]);
    expect(answer.body.message).toMatch(message);
    expect((await get(`${maps}/optional`)).status).toBe(200);
  });

  test("a policy that the query leaves empty is none of the three", async () => {
    await post(maps, { metadata: { name: "optional" } });
    const answer = await remove(`${maps}/optional?propagationPolicy=`);
    expect([answer.status, causesOf(answer)]).toEqual([
      422,
      [
        'propagationPolicy: Unsupported value: "": supported values: "Foreground", "Background", "Orphan", "nil"',
      ],
    ]);
    expect((await get(`${maps}/optional`)).status).toBe(200);
  });

  test("a dry run in the query counts beside a body without one", async () => {
    await post(maps, { metadata: { name: "optional" } });
    expect(
      (await remove(`${maps}/optional?dryRun=All`, { kind: "DeleteOptions", apiVersion: "v1" })).status,
    ).toBe(200);
    expect((await get(`${maps}/optional`)).status).toBe(200);
  });

  test.each(["v1", "apps/v1", "policy/v1"])("options of version %s are read", async (apiVersion) => {
    await post(maps, { metadata: { name: "versioned" } });
    const answer = await remove(`${maps}/versioned`, {
      kind: "DeleteOptions",
      apiVersion,
      gracePeriodSeconds: 0,
    });
    expect(answer.status, answer.text).toBe(200);
  });
});

describe("pods", () => {
  const running = async (name: string, metadata: object = {}): Promise<void> => {
    const answer = await post(`${core}/pods`, pod(name, { nodeName: "n1" }, metadata));
    expect(answer.status, answer.text).toBe(201);
  };

  test("one that runs nowhere goes at once", async () => {
    await post(`${core}/pods`, pod("unbound"));
    expect((await remove(`${core}/pods/unbound`)).status).toBe(200);
    expect((await get(`${core}/pods/unbound`)).status).toBe(404);
  });

  test("one that goes at once is seen as terminating first, and answered as it last was", async () => {
    const since = (await post(`${core}/pods`, pod("seen"))).body.metadata.resourceVersion;
    const dry = (await remove(`${core}/pods/seen?dryRun=All`)).body.metadata;
    expect([dry.deletionGracePeriodSeconds, dry.resourceVersion]).toEqual([0, since]);
    const { uid, resourceVersion } = (await get(`${core}/pods/seen`)).body.metadata;
    const answer = await remove(`${core}/pods/seen`, { preconditions: { uid, resourceVersion } });
    expect([answer.status, answer.body.metadata.deletionGracePeriodSeconds], answer.text).toEqual([200, 0]);
    const events = await eventsOf(`${core}/pods`, "seen", since, 2);
    expect(events.map(({ type }) => type)).toEqual(["MODIFIED", "DELETED"]);
    for (const { object } of events) expect(object.metadata.deletionGracePeriodSeconds).toBe(0);
    expect(answer.body.metadata.resourceVersion).toBe(events[0]?.object.metadata.resourceVersion);
  });

  test("one that has ended goes at once", async () => {
    await running("ended");
    await patch(`${core}/pods/ended/status`, { status: { phase: "Succeeded" } });
    await remove(`${core}/pods/ended`);
    expect((await get(`${core}/pods/ended`)).status).toBe(404);
  });

  test("one that runs stays for its grace period, which may be shortened and not lengthened", async () => {
    await running("graceful");
    const path = `${core}/pods/graceful`;
    const before = Date.now();
    const first = (await remove(path)).body.metadata;
    expect(first.deletionGracePeriodSeconds).toBe(30);
    const deletedAt = Date.parse(first.deletionTimestamp) - 30_000;
    expect(deletedAt).toBeGreaterThan(before - 1000); // whole seconds
    expect(deletedAt).toBeLessThanOrEqual(Date.now());
    const again = (await remove(path)).body.metadata;
    expect([again.deletionTimestamp, again.resourceVersion]).toEqual([
      first.deletionTimestamp,
      first.resourceVersion,
    ]);
    const longer = (await remove(path, { gracePeriodSeconds: 60 })).body.metadata;
    expect(longer.deletionTimestamp).toBe(first.deletionTimestamp);
    const shorter = (await remove(path, { gracePeriodSeconds: 10 })).body.metadata;
    expect(shorter.deletionGracePeriodSeconds).toBe(10);
    expect(Date.parse(first.deletionTimestamp) - Date.parse(shorter.deletionTimestamp)).toBe(20_000);
    expect((await remove(`${path}?gracePeriodSeconds=0`)).body.kind).toBe("Pod");
    expect((await get(path)).status).toBe(404);
  });

  test("finalizers hold one without grace", async () => {
    await running("held", { finalizers: ["example.com/hold"] });
    const path = `${core}/pods/held`;
    await remove(path, { gracePeriodSeconds: 5 });
    const { metadata } = (await remove(path, { gracePeriodSeconds: 0 })).body;
    expect([metadata.deletionGracePeriodSeconds, metadata.finalizers]).toEqual([0, ["example.com/hold"]]);
    await patch(path, { metadata: { finalizers: [] } });
    expect((await get(path)).status).toBe(404);
  });
});

describe("finalizers", () => {
  test("take two phases, and cannot be added in the second", async () => {
    await newMap("phased", { finalizers: ["example.com/a", "example.com/b"] });
    const path = `${maps}/phased`;
    const marked = (await remove(path)).body.metadata;
    expect(marked.finalizers).toEqual(["example.com/a", "example.com/b"]);
    const added = await patch(path, {
      metadata: { finalizers: ["example.com/a", "example.com/b", "example.com/c"] },
    });
    expect(added.status).toBe(422);
    // The kind's own validation looks at metadata again.
    expect(causesOf(added)).toEqual(
      Array(2).fill(
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/c"}',
      ),
    );
    expect((await post(maps, { metadata: { name: "phased" } })).body.message).toBe(
      'object is being deleted: configmaps "phased" already exists',
    );
    const less = await patch(path, { metadata: { finalizers: ["example.com/b"] } });
    expect(less.body.metadata.deletionTimestamp).toBe(marked.deletionTimestamp);
    expect((await patch(path, { metadata: { finalizers: [] } })).status).toBe(200);
    expect((await get(path)).status).toBe(404);
  });

  test("the last that is taken away takes the object along: nobody sees it without", async () => {
    await newMap("released", { finalizers: ["example.com/a"] });
    const path = `${maps}/released`;
    const since = (await remove(path)).body.metadata.resourceVersion;
    const dry = await ground.api.patch(`${path}?dryRun=All`, mergePatch, { metadata: { finalizers: null } });
    expect([dry.status, dry.body.metadata.finalizers]).toEqual([200, undefined]);
    expect((await get(path)).status).toBe(200);
    const answer = await patch(path, { metadata: { finalizers: null, labels: { a: "b" } } });
    expect([answer.status, answer.body.metadata.finalizers, answer.body.metadata.labels]).toEqual([
      200,
      undefined,
      { a: "b" },
    ]);
    expect(answer.body.metadata.resourceVersion).toBe(since);
    expect(await eventsOf(maps, "released", since, 1)).toMatchObject([
      { type: "DELETED", object: { metadata: { finalizers: ["example.com/a"] } } },
    ]);
  });

  test("have names", async () => {
    const answer = await post(maps, { metadata: { name: "odd", finalizers: ["odd"] } });
    expect(answer.status).toBe(422);
    expect(causesOf(answer)[0]).toMatch(/^metadata\.finalizers/);
  });
});

describe("dependents", () => {
  const owned = (owner: ApiAnswer["body"], more: object = {}): object => ({
    ownerReferences: [
      { apiVersion: "v1", kind: "ConfigMap", name: owner.metadata.name, uid: owner.metadata.uid, ...more },
    ],
  });

  test("go after their owner", async () => {
    const owner = await newMap("owner-b");
    await newMap("owned-b", owned(owner));
    await remove(`${maps}/owner-b`, { propagationPolicy: "Background" });
    expect((await get(`${maps}/owner-b`)).status).toBe(404);
    expect(await isGone(`${maps}/owned-b`)).toBe(true);
  });

  test("go before their owner in the foreground, as far as they block it", async () => {
    const owner = await newMap("owner-f");
    await newMap("blocking-f", {
      ...owned(owner, { blockOwnerDeletion: true }),
      finalizers: ["example.com/hold"],
    });
    await newMap("loose-f", { ...owned(owner), finalizers: ["example.com/hold"] });
    const answer = await remove(`${maps}/owner-f`, { propagationPolicy: "Foreground" });
    expect(answer.body.metadata.finalizers).toEqual(["foregroundDeletion"]);
    const blocking = await until(
      () => get(`${maps}/blocking-f`),
      ({ body }) => body.metadata.deletionTimestamp !== undefined,
    );
    expect(blocking.body.metadata.deletionTimestamp).toBeDefined();
    await pause(300);
    expect((await get(`${maps}/owner-f`)).status).toBe(200);
    await patch(`${maps}/blocking-f`, { metadata: { finalizers: null } });
    expect(await isGone(`${maps}/owner-f`)).toBe(true);
    await patch(`${maps}/loose-f`, { metadata: { finalizers: null } });
    expect(await isGone(`${maps}/loose-f`)).toBe(true);
  });

  test.each([
    ["propagationPolicy", { propagationPolicy: "Orphan" }],
    ["orphanDependents", { orphanDependents: true }],
  ])("stay without their owner when asked by %s", async (_what, options) => {
    const owner = await newMap("owner-o");
    await newMap("owned-o", owned(owner));
    await remove(`${maps}/owner-o`, options);
    expect(await isGone(`${maps}/owner-o`)).toBe(true);
    const left = await get(`${maps}/owned-o`);
    expect([left.status, left.body.metadata.ownerReferences]).toEqual([200, undefined]);
    await remove(`${maps}/owned-o`);
  });

  const jobSpec = {
    template: { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a" }] } },
  };
  const batchKinds = {
    jobs: jobSpec,
    cronjobs: { schedule: "1 2 3 4 5", jobTemplate: { spec: jobSpec } },
  };

  test.each([
    ["batch/v1", "jobs", true],
    ["batch/v1", "cronjobs", false],
    ["batch/v1beta1", "cronjobs", true],
  ] as const)("of what %s %s deletes stay by default: %s %s", async (version, resource, stay) => {
    const path = `/apis/${version}/namespaces/default/${resource}/owner-d`;
    const created = await post(`/apis/batch/v1/namespaces/default/${resource}`, {
      metadata: { name: "owner-d" },
      spec: batchKinds[resource],
    });
    await newMap("owned-d", owned(created.body, { apiVersion: "batch/v1", kind: created.body.kind }));
    const answer = await remove(path);
    expect(answer.body.metadata.finalizers).toEqual(stay ? ["orphan"] : undefined);
    expect(await isGone(path)).toBe(true);
    if (!stay) expect(await isGone(`${maps}/owned-d`)).toBe(true);
    else {
      expect((await get(`${maps}/owned-d`)).body.metadata.ownerReferences).toBeUndefined();
      await remove(`${maps}/owned-d`);
    }
  });

  test("are spoken of to whoever deletes jobs and does not say what becomes of them", async () => {
    const jobs = "/apis/batch/v1/namespaces/default/jobs";
    const warning =
      '299 - "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning"';
    const warned = async (path: string, body?: unknown): Promise<unknown> => {
      await post(jobs, { metadata: { name: "warned" }, spec: jobSpec });
      const { status, headers } = await remove(path, body);
      expect(status).toBe(200);
      await isGone(`${jobs}/warned`);
      return headers.warning;
    };
    expect(await warned(`${jobs}/warned`)).toBe(warning);
    expect(await warned(jobs)).toBe(warning);
    expect(await warned(`${jobs}/warned`, { orphanDependents: true })).toBeUndefined();
    expect(await warned(`${jobs}/warned?propagationPolicy=Background`)).toBeUndefined();
    expect(await warned(`${jobs}?propagationPolicy=Background`)).toBeUndefined();
  });

  test("of an owner that another replaced go", async () => {
    const first = await newMap("owner-r");
    await remove(`${maps}/owner-r`, { propagationPolicy: "Background" });
    await newMap("owner-r");
    await newMap("owned-r", owned(first));
    expect(await isGone(`${maps}/owned-r`)).toBe(true);
    expect((await get(`${maps}/owner-r`)).status).toBe(200);
  });

  describe("of an owner in another namespace", () => {
    let owner: ApiAnswer["body"];

    beforeAll(async () => {
      await post("/api/v1/namespaces", { metadata: { name: "elsewhere" } });
      owner = (await post("/api/v1/namespaces/elsewhere/configmaps", { metadata: { name: "owner-n" } })).body;
    });

    const warnings = async (): Promise<readonly ApiAnswer["body"][]> =>
      (await get(`${core}/events?fieldSelector=reason%3DOwnerRefInvalidNamespace`)).body.items;
    const about = (subject: object, namespace: string): object => ({
      involvedObject: subject,
      type: "Warning",
      message: `ownerRef [v1/ConfigMap, namespace: ${namespace}, name: owner-n, uid: ${owner.metadata.uid}] does not exist in namespace "${namespace}"`,
      source: { component: "garbage-collector-controller" },
      count: 1,
    });

    test("go, as there is none in theirs, and an event says so", async () => {
      const { metadata } = await newMap("owned-n", owned(owner));
      expect(await isGone(`${maps}/owned-n`)).toBe(true);
      const { namespace, name, uid } = metadata;
      const subject = { kind: "ConfigMap", namespace, name, uid, apiVersion: "v1" };
      await expect.poll(warnings).toMatchObject([about(subject, "default")]);
    });

    test("stay when they are in none, and one event says so", async () => {
      const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
      const { body } = await post(roles, { metadata: { name: "owned-n", ...owned(owner) } });
      const subject = {
        kind: "ClusterRole",
        name: "owned-n",
        uid: body.metadata.uid,
        apiVersion: "rbac.authorization.k8s.io/v1",
      };
      const ofRole = async () =>
        (await warnings()).filter((event) => event.involvedObject.kind === "ClusterRole");
      await expect.poll(ofRole).toMatchObject([about(subject, "")]);
      await patch(`${roles}/owned-n`, { metadata: { labels: { a: "b" } } });
      // The collector has seen the change when it has seen a later one.
      await newMap("owned-later", owned(owner));
      expect(await isGone(`${maps}/owned-later`)).toBe(true);
      expect(await ofRole()).toHaveLength(1);
      expect((await remove(`${roles}/owned-n`)).status).toBe(200);
    });

    test("are not told from those of an owner that is gone", async () => {
      const names = async () => (await warnings()).map(({ involvedObject }) => involvedObject.name);
      await expect.poll(async () => (await names()).sort()).toEqual(["owned-later", "owned-n", "owned-n"]);
    });
  });

  test("of an owner that cannot be looked up stay", async () => {
    const scope = "rbac.authorization.k8s.io";
    const owners = {
      "of-no-kind": { apiVersion: "example.com/v1", kind: "Odd" },
      "of-no-version": { apiVersion: `${scope}/v9`, kind: "ClusterRole" },
      "of-none": { apiVersion: `${scope}/v1`, kind: "ClusterRole" },
    };
    for (const [name, owner] of Object.entries(owners)) {
      await newMap(name, { ownerReferences: [{ ...owner, name: "nobody", uid: "u" }] });
    }
    expect(await isGone(`${maps}/of-none`)).toBe(true);
    for (const name of ["of-no-kind", "of-no-version"]) {
      expect((await get(`${maps}/${name}`)).status).toBe(200);
      await patch(`${maps}/${name}`, { metadata: { ownerReferences: null } });
    }
  });

  test("in a circle go with their owner in the foreground, though each blocks the next", async () => {
    const first = await newMap("circle-1");
    const second = await newMap("circle-2", owned(first, { blockOwnerDeletion: true }));
    const third = await newMap("circle-3", owned(second, { blockOwnerDeletion: true }));
    await patch(`${maps}/circle-1`, { metadata: owned(third, { blockOwnerDeletion: true }) });
    await remove(`${maps}/circle-1`, { propagationPolicy: "Foreground" });
    for (const name of ["circle-1", "circle-2", "circle-3"])
      expect(await isGone(`${maps}/${name}`)).toBe(true);
  });

  test("that have the orphaning finalizer let go of theirs", async () => {
    const owner = await newMap("owner-p");
    const middle = await newMap("owned-p", { ...owned(owner), finalizers: ["orphan"] });
    await newMap("last-p", owned(middle));
    await remove(`${maps}/owner-p`);
    expect(await isGone(`${maps}/owned-p`)).toBe(true);
    const left = await get(`${maps}/last-p`);
    expect([left.status, left.body.metadata.ownerReferences]).toEqual([200, undefined]);
    await remove(`${maps}/last-p`);
  });

  test("with another living owner stay", async () => {
    const one = await newMap("owner-1");
    const two = await newMap("owner-2");
    const references = [one, two].map(({ metadata }) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      name: metadata.name,
      uid: metadata.uid,
    }));
    await newMap("owned-2", { ownerReferences: references });
    await remove(`${maps}/owner-1`, { propagationPolicy: "Background" });
    const left = await until(
      () => get(`${maps}/owned-2`),
      ({ body }) => body.metadata?.ownerReferences?.length === 1,
    );
    expect(left.body.metadata.ownerReferences).toEqual([references[1]]);
  });

  test("a reference that stands there twice is kept once, with a warning", async () => {
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "u" };
    const answer = await ground.api.ask("POST", `${maps}?dryRun=All`, {
      body: { metadata: { name: "twice", ownerReferences: [reference, reference] } },
    });
    expect(answer.body.metadata.ownerReferences).toEqual([reference]);
    expect(String(answer.headers.warning)).toContain(
      ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+",
    );
  });

  test("a reference must be whole, and one controller is enough", async () => {
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "u" };
    const answers = [
      { ...reference, apiVersion: "" },
      { ...reference, kind: "" },
      { ...reference, name: "" },
      { ...reference, uid: "" },
      { ...reference, apiVersion: "v1", kind: "Event" },
    ].map((ownerReference) => post(maps, { metadata: { name: "r", ownerReferences: [ownerReference] } }));
    const fields = (await Promise.all(answers)).map((answer) => [answer.status, causesOf(answer)[0]]);
    expect(fields).toEqual([
      [422, 'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty'],
      [422, 'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty'],
      [422, 'metadata.ownerReferences.name: Invalid value: "": name must not be empty'],
      [422, 'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty'],
      [
        422,
        'metadata.ownerReferences: Invalid value: v1.OwnerReference{APIVersion:"v1", Kind:"Event", Name:"a", UID:"u", Controller:(*bool)(nil), BlockOwnerDeletion:(*bool)(nil)}: /v1, Kind=Event is disallowed from being an owner',
      ],
    ]);
    const two = await post(maps, {
      metadata: {
        name: "r",
        ownerReferences: [
          { ...reference, controller: true },
          { ...reference, name: "b", uid: "w", controller: true },
        ],
      },
    });
    expect(causesOf(two)[0]).toContain("Only one reference can have Controller set to true");
  });
});

describe("deletecollection", () => {
  const fill = async (namespace: string): Promise<string> => {
    await post("/api/v1/namespaces", { metadata: { name: namespace } });
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    for (const [name, labels] of [
      ["a", { tier: "x" }],
      ["b", { tier: "x" }],
      ["c", { tier: "y" }],
      ["d", {}],
    ] as const) {
      await post(path, { metadata: { name, labels } });
    }
    return path;
  };
  const names = async (path: string): Promise<string[]> =>
    (await get(path)).body.items
      .map((item: { metadata: { name: string } }) => item.metadata.name)
      .filter((name: string) => name.length === 1);

  test("takes what the label selector matches and answers with the list", async () => {
    const path = await fill("many-1");
    const answer = await remove(`${path}?labelSelector=tier%3Dx`);
    expect(answer.body.kind).toBe("ConfigMapList");
    expect(answer.body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
      "a",
      "b",
    ]);
    expect(await names(path)).toEqual(["c", "d"]);
  });

  test("takes what the field selector matches, no more than the limit, all", async () => {
    const path = await fill("many-2");
    await remove(`${path}?fieldSelector=metadata.name%3Dd`);
    expect(await names(path)).toEqual(["a", "b", "c"]);
    const chunk = await remove(`${path}?limit=2`);
    expect([chunk.body.items.length, await names(path)]).toEqual([2, ["c"]]);
    expect((await remove(`${path}?dryRun=All`)).status).toBe(200);
    expect(await names(path)).toEqual(["c"]);
    await remove(path);
    expect(await names(path)).toEqual([]);
  });

  test("keeps to grace and finalizers", async () => {
    await post("/api/v1/namespaces", { metadata: { name: "many-3" } });
    const path = "/api/v1/namespaces/many-3/pods";
    for (const name of ["a", "b"]) await post(path, pod(name, { nodeName: "n1" }));
    await remove(path, { gracePeriodSeconds: 7 });
    const graces = (await get(path)).body.items.map(
      (item: { metadata: { deletionGracePeriodSeconds: number } }) =>
        item.metadata.deletionGracePeriodSeconds,
    );
    expect(graces).toEqual([7, 7]);
    await remove(path, { gracePeriodSeconds: 0 });
    expect(await names(path)).toEqual([]);
  });
});

test("several workers delete a collection, each object once, and leave what is held", async () => {
  const wide = await openGroundHere(["--delete-collection-workers=5"]);
  try {
    const names = Array.from({ length: 40 }, (_, index) => `w-${index}`);
    for (const name of names) {
      const metadata = {
        name,
        labels: { wide: "yes" },
        ...(name === "w-17" && { finalizers: ["a.io/hold"] }),
      };
      expect((await wide.api.post(maps, { metadata })).status).toBe(201);
    }
    const { body } = await wide.api.get(`${maps}?labelSelector=wide`);
    const deleted: string[] = [];
    const since = body.metadata.resourceVersion;
    const stop = new AbortController();
    const watched = (async () => {
      const path = `${maps}?watch=1&labelSelector=wide&resourceVersion=${since}`;
      for await (const { type, object } of wide.api.watch(path, stop.signal)) {
        if (type === "DELETED") deleted.push(object.metadata.name);
        if (deleted.length === names.length - 1) return;
      }
    })();
    const answer = await wide.api.delete(`${maps}?labelSelector=wide`);
    expect([answer.status, answer.body.items.length]).toEqual([200, names.length]);
    await watched;
    stop.abort();
    expect(deleted.toSorted()).toEqual(names.filter((name) => name !== "w-17").toSorted());
    const left = (await wide.api.get(`${maps}?labelSelector=wide`)).body.items;
    expect(left).toMatchObject([{ metadata: { name: "w-17", deletionTimestamp: expect.any(String) } }]);
  } finally {
    await wide.dispose();
  }
});

describe("with the garbage collector switched off", () => {
  test("an object goes at once whatever the policy, and what it owns stays", async () => {
    const off = await openGroundHere(["--enable-garbage-collector=false"]);
    try {
      for (const propagationPolicy of ["Foreground", "Background", "Orphan"]) {
        const owner = (await off.api.post(maps, { metadata: { name: "owner" } })).body.metadata;
        const reference = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.uid };
        const name = `owned-${propagationPolicy.toLowerCase()}`;
        await off.api.post(maps, {
          metadata: { name, ownerReferences: [{ ...reference, blockOwnerDeletion: true }] },
        });
        const { body } = await off.api.delete(`${maps}/owner`, { propagationPolicy });
        expect(body).toMatchObject({ kind: "Status", status: "Success" });
        expect((await off.api.get(`${maps}/owner`)).status).toBe(404);
        expect((await off.api.get(`${maps}/${name}`)).body.metadata.ownerReferences).toHaveLength(1);
      }
      // Would be collected otherwise: an object whose owner does not exist.
      await pause(500);
      expect((await off.api.get(`${maps}/owned-background`)).status).toBe(200);
    } finally {
      await off.dispose();
    }
  });
});
