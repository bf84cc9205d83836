import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Json } from "../../test/registry/api-caller.js";
import { type ApiGround, openApiGround } from "../../test/registry/api-ground.js";

/** How verbs treat their parameters and bodies, tried with config maps. `test/registry` has what holds for every kind. */

const maps = "/api/v1/namespaces/default/configmaps";
let ground: ApiGround;
beforeAll(async () => {
  ground = await openApiGround();
});
afterAll(() => ground.dispose());

async function created(name: string, parts: Json = {}): Promise<Json> {
  const { metadata, ...rest } = parts;
  const { code, body } = await ground.api.post(maps, { metadata: { name, ...metadata }, ...rest });
  expect(code, JSON.stringify(body)).toBe(201);
  return body;
}

function causes({ details }: Json): string[] {
  return (details?.causes ?? []).map(({ field, message }: Json) => `${field}: ${message}`);
}

test("get: a version that is not there yet is waited for, and one that is no number refused", async () => {
  const { metadata } = await created("versioned");
  for (const at of ["", "0", metadata.resourceVersion]) {
    expect((await ground.api.get(`${maps}/versioned?resourceVersion=${at}`)).code).toBe(200);
  }
  expect((await ground.api.get(`${maps}/versioned?resourceVersion=x`)).code).toBe(400);
  const late = ground.api.get(`${maps}/versioned?resourceVersion=${Number(metadata.resourceVersion) + 1}`);
  await created("later");
  expect((await late).code).toBe(200);
});

test.each([
  ["an exact match without a version", "resourceVersionMatch=Exact", 422],
  ["an exact match of version zero", "resourceVersionMatch=Exact&resourceVersion=0", 422],
  ["a match that does not exist", "resourceVersionMatch=Newest&resourceVersion=1", 422],
  ["a match beside a continue token", "resourceVersionMatch=Exact&resourceVersion=1&continue=x", 422],
  ["a token that is none", "continue=x", 400],
  ["a selector that is none", "labelSelector=a%3D%3D%3Db", 400],
  ["a field that cannot be selected by", "fieldSelector=data.a%3Db", 400],
  ["a limit that is no number", "limit=many", 400],
])("list: %s is refused", async (_what, query, code) => {
  expect((await ground.api.get(`${maps}?${query}`)).code).toBe(code);
});

test("list: an exact version is the state at that version", async () => {
  const { metadata } = await created("exact", { data: { a: "1" } });
  await ground.api.mergePatch(`${maps}/exact`, { data: { a: "2" } });
  const at = `resourceVersion=${metadata.resourceVersion}`;
  const target = `${maps}?fieldSelector=metadata.name%3Dexact&resourceVersionMatch=Exact&${at}`;
  const { body } = await ground.api.get(target);
  expect(body.items.map(({ data }: Json) => data.a)).toEqual(["1"]);
  expect(body.metadata.resourceVersion).toBe(metadata.resourceVersion);
});

test("list: what remains is counted as long as nothing is selected", async () => {
  for (const index of [1, 2, 3]) await created(`counted-${index}`);
  const all = (await ground.api.get(maps)).body.items.length;
  const { body } = await ground.api.get(`${maps}?limit=1`);
  expect(body.metadata.remainingItemCount).toBe(all - 1);
  const selected = await ground.api.get(`${maps}?limit=1&labelSelector=!a`);
  expect(selected.body.metadata.remainingItemCount).toBeUndefined();
  expect(selected.body.metadata.continue).toMatch(/./);
});

test("watch: bookmarks, the initial state and its end", async () => {
  await created("initial");
  const watch = await ground.api.watch(`${maps}?fieldSelector=metadata.name%3Dinitial`);
  expect((await watch.first(1))[0]).toMatchObject({
    type: "ADDED",
    object: { metadata: { name: "initial" } },
  });
  watch.stop();
  const zero = await ground.api.watch(`${maps}?fieldSelector=metadata.name%3Dinitial&resourceVersion=0`);
  expect((await zero.first(1))[0]?.type).toBe("ADDED");
  zero.stop();
  expect((await ground.api.ask("GET", `${maps}?watch=1&resourceVersion=x`)).code).toBe(400);
  expect(
    (await ground.api.ask("GET", `${maps}?watch=1&resourceVersionMatch=Exact&resourceVersion=1`)).code,
  ).toBe(422);
});

test.each([
  ["dryRun that is not All", "dryRun=Some", { dryRun: ["Some"] }, "dryRun"],
  ["two dry runs", "dryRun=Some&dryRun=All", { dryRun: ["Some", "All"] }, "dryRun"],
  [
    "an unknown propagation",
    "propagationPolicy=Sideways",
    { propagationPolicy: "Sideways" },
    "propagationPolicy",
  ],
  [
    "propagation said twice",
    "propagationPolicy=Background&orphanDependents=true",
    { propagationPolicy: "Background", orphanDependents: true },
    "",
  ],
])("delete: %s is refused, in the query and in the body", async (what, query, body, field) => {
  const name = `refused-${what.replaceAll(/[^a-z]+/gi, "-").toLowerCase()}`;
  await created(name);
  for (const answer of [
    await ground.api.delete(`${maps}/${name}?${query}`),
    await ground.api.delete(`${maps}/${name}`, body),
  ]) {
    expect([answer.code, answer.body.details?.kind]).toEqual([422, "DeleteOptions"]);
    expect(causes(answer.body).some((cause) => cause.includes(field))).toBe(true);
  }
  expect((await ground.api.get(`${maps}/${name}`)).code).toBe(200);
});

test("delete: a body that is no DeleteOptions is refused", async () => {
  await created("kept");
  const wrong = await ground.api.delete(`${maps}/kept`, { kind: "ConfigMap", apiVersion: "v1" });
  expect(wrong.code).toBe(400);
  expect((await ground.api.delete(`${maps}/kept`, { kind: "DeleteOptions", apiVersion: "v1" })).code).toBe(
    200,
  );
});

test("delete: finalizers of the propagation hold the object, and its answer is the object", async () => {
  for (const [propagationPolicy, finalizer] of [
    ["Orphan", "orphan"],
    ["Foreground", "foregroundDeletion"],
  ]) {
    await created(`held-${finalizer?.toLowerCase()}`);
    const target = `${maps}/held-${finalizer?.toLowerCase()}?propagationPolicy=${propagationPolicy}`;
    const { code, body } = await ground.api.delete(target);
    expect([code, body.kind, body.metadata.finalizers]).toEqual([200, "ConfigMap", [finalizer]]);
    expect(body.metadata.deletionTimestamp).toBeDefined();
  }
  await created("at-once");
  const { body } = await ground.api.delete(`${maps}/at-once?propagationPolicy=Background`);
  expect(body).toMatchObject({ status: "Success", details: { name: "at-once" } });
});

test("deletecollection: one failure ends it, and what was deleted stays so", async () => {
  for (const index of [1, 2, 3]) await created(`swept-${index}`, { metadata: { labels: { swept: "yes" } } });
  const target = `${maps}?labelSelector=swept%3Dyes`;
  const unmet = await ground.api.delete(target, { preconditions: { uid: "another" } });
  expect([unmet.code, unmet.body.reason]).toEqual([409, "Conflict"]);
  expect((await ground.api.get(target)).body.items).toHaveLength(3);
  expect((await ground.api.delete(target)).body.items).toHaveLength(3);
  expect((await ground.api.get(target)).body.items).toEqual([]);
});

test.each([
  ["no object", [], 400],
  ["another kind", { apiVersion: "v1", kind: "Secret" }, 400],
  ["another version", { apiVersion: "v2", kind: "ConfigMap" }, 400],
  [
    "managers of its own",
    { apiVersion: "v1", kind: "ConfigMap", metadata: { managedFields: [{ manager: "x" }] } },
    400,
  ],
  ["a uid of what is not there", { apiVersion: "v1", kind: "ConfigMap", metadata: { uid: "x" } }, 409],
])("apply: a configuration with %s is refused", async (what, configuration, code) => {
  const name = `applied-${what.replaceAll(/[^a-z]+/g, "-")}`;
  const target = `${maps}/${name}?fieldManager=m`;
  expect((await ground.api.apply(target, configuration)).code).toBe(code);
  expect((await ground.api.get(`${maps}/${name}`)).code).toBe(404);
});

test("apply: needs the name of its manager, and force is for nothing else", async () => {
  const configuration = { apiVersion: "v1", kind: "ConfigMap" };
  const unmanaged = await ground.api.apply(`${maps}/managed`, configuration);
  expect([unmanaged.code, causes(unmanaged.body)]).toEqual([
    422,
    ["fieldManager: Required value: is required for apply patch"],
  ]);
  await created("forced");
  const forced = await ground.api.mergePatch(`${maps}/forced?force=true`, { data: { a: "b" } });
  expect([forced.code, causes(forced.body)]).toEqual([
    422,
    ["force: Forbidden: may not be specified for non-apply patch"],
  ]);
});

test.each([
  ["nothing", "", 422],
  ["what is no JSON", "{", 400],
  ["another kind", { kind: "Secret", apiVersion: "v1" }, 400],
  ["a field of another type", { metadata: { name: "typed" }, data: { a: 1 } }, 400],
])("create: %s is refused", async (_what, body, code) => {
  const answer = await ground.api.ask("POST", maps, { body: body === "" ? {} : body });
  expect(answer.code, JSON.stringify(answer.body)).toBe(code);
});

test("create and update: unknown fields are dropped, warned of or refused, as the client asks", async () => {
  const object = { metadata: { name: "strict" }, unknown: 1 };
  expect((await ground.api.post(`${maps}?fieldValidation=Strict`, object)).code).toBe(400);
  const warned = await ground.api.post(`${maps}?fieldValidation=Warn`, object);
  expect([warned.code, warned.warnings]).toEqual([201, ['299 - "unknown field \\"unknown\\""']]);
  expect(warned.body.unknown).toBeUndefined();
  expect((await ground.api.put(`${maps}/strict?fieldValidation=Some`, object)).code).toBe(422);
});

test.each([
  ["the version in which it is kept", "v2", { v2: 2 }],
  // The answer is made from the stored object.
  ["another version", "v1", { v1: 1, v2: 2 }],
])("patch: of %s, decodes the stored object and its own result once", async (_what, version, expected) => {
  const autoscalers = `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "a" };
  const name = `decoded-${version}`;
  const { code } = await ground.api.post(autoscalers, {
    metadata: { name },
    spec: { maxReplicas: 2, scaleTargetRef },
  });
  expect(code).toBe(201);
  const { definition } = ground.server.catalog.find("autoscaling", version, "horizontalpodautoscalers") ?? {};
  const spies = (definition?.versions ?? []).map(
    (each) => [each.version, vi.spyOn(each.codec, "fromJson")] as const,
  );
  const patched = await ground.api.mergePatch(`${autoscalers}/${name}`, { spec: { maxReplicas: 3 } });
  const calls = spies.map(([of, spy]) => [of, spy.mock.calls.length] as const);
  for (const [, spy] of spies) spy.mockRestore();
  expect(patched.body.spec.maxReplicas).toBe(3);
  expect(Object.fromEntries(calls.filter(([, count]) => count > 0))).toEqual(expected);
});
