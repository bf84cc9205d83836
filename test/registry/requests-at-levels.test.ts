import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import { type FeatureGateName, gateAt } from "../../src/apimachinery/levels/feature-gates/feature-gates.js";
import { builtinResources } from "../../src/apis/builtin-resources.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import { deprecationWarning } from "../../src/endpoints/catalog/deprecation-warning.js";
import { systemRandom } from "../../src/server/endpoints/random.js";
import type { Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** Small things that requests meet at each level: before a behaviour, with it, and at the newest; with its gate on and off. */

type Gates = readonly (readonly [FeatureGateName, boolean])[];

const maps = "/api/v1/namespaces/default/configmaps";
const grounds = new Map<string, Promise<ApiGround>>();

afterAll(async () => {
  for (const ground of grounds.values()) await (await ground).dispose();
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function at(apiLevel: ApiLevel, gates: Gates = []): Promise<ApiGround["api"]> {
  const key = `${apiLevel} ${JSON.stringify(gates)}`;
  const ground = grounds.get(key) ?? openApiGround({ apiLevel, featureGates: new Map(gates) });
  grounds.set(key, ground);
  return (await ground).api;
}

describe("a generated name that is taken", () => {
  const gate = (isOn: boolean): Gates => [["RetryGenerateName", isOn]];

  test.each<[ApiLevel, Gates, boolean]>([
    ["1.29", [], false],
    ["1.30", [], false],
    ["1.30", gate(true), true],
    ["1.31", [], true],
    ["1.31", gate(false), false],
    ["1.36", [], true],
  ])("at %s with %j is made again: %s", async (level, gates, isMadeAgain) => {
    const api = await at(level, gates);
    const suffix = vi.spyOn(systemRandom, "nameSuffix").mockReturnValue("taken");
    const create = () => api.post(maps, { metadata: { generateName: "made-" } });
    expect((await create()).body.metadata.name).toBe("made-taken");
    suffix.mockClear();
    const again = await create();
    expect([again.code, again.body.reason]).toEqual([409, "AlreadyExists"]);
    expect(suffix).toHaveBeenCalledTimes(isMadeAgain ? 8 : 1);
    suffix.mockReturnValueOnce("taken").mockReturnValueOnce("freed");
    expect((await create()).code).toBe(isMadeAgain ? 201 : 409);
  });
});

test.each<[ApiLevel, string, number]>([
  ["1.33", "a", 409],
  ["1.33", "", 404],
  ["1.34", "a", 404],
])("at %s the scale of uid %j of a missing workload is refused with %i", async (level, uid, code) => {
  const api = await at(level);
  const answer = await api.put("/apis/apps/v1/namespaces/default/deployments/none/scale", {
    metadata: { name: "none", namespace: "default", uid },
    spec: { replicas: 1 },
  });
  expect(answer.code, JSON.stringify(answer.body)).toBe(code);
  if (code === 409) expect(answer.body.message).toContain("UID in precondition: a, UID in object meta: ");
});

test.each<[ApiLevel, string, boolean]>([
  ["1.31", "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true", true],
  ["1.32", "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true", false],
  ["1.32", "sendInitialEvents=true&resourceVersionMatch=NotOlderThan", true],
  ["1.32", "sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true", true],
  ["1.32", "resourceVersion=5&allowWatchBookmarks=true", true],
  ["1.36", "allowWatchBookmarks=true", false],
])("at %s a watch with %s has a table: %s", async (level, query, hasTable) => {
  const api = await at(level, [["WatchList", true]]);
  expect(api.operation("GET", `${maps}?watch=true&${query}`)).toMatchObject({ answers: "watch", hasTable });
});

test("priority classes of the system go only with all classes", async () => {
  const api = await at("1.36");
  const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
  const name = "system-node-critical";
  expect((await api.post(classes, { metadata: { name }, value: 2000001000 })).code).toBe(201);
  const refused = await api.delete(`${classes}/${name}`);
  expect([refused.code, refused.body.message]).toEqual([
    403,
    `priorityclasses.scheduling.k8s.io "${name}" is forbidden: this is a system priority class and cannot be deleted`,
  ]);
  expect((await api.delete(classes)).code).toBe(200);
  expect((await api.get(`${classes}/${name}`)).code).toBe(404);
});

describe("removed metadata fields", () => {
  test.each<[ApiLevel, boolean | undefined]>([
    ["1.23", false],
    ["1.24", true],
    ["1.29", true],
    ["1.30", undefined],
    ["1.36", undefined],
  ])("at %s, the removal of links is final: %s", async (level, isLocked) => {
    const state = gateAt("RemoveSelfLink", level);
    expect(state && state.locked === true).toBe(isLocked);
    const created = await (await at(level)).post(maps, { metadata: { name: "here" } });
    expect(created.body.metadata.selfLink).toBeUndefined();
  });

  test.each<[ApiLevel, boolean]>([
    ["1.23", true],
    ["1.24", true],
    ["1.25", false],
    ["1.36", false],
  ])("at %s the type has clusterName: %s; it is never kept", async (level, has) => {
    const { fields } = testApiContext({ level }).schemas.message("meta/v1.ObjectMeta");
    expect(fields.some(({ name }: { readonly name: string }) => name === "clusterName")).toBe(has);
    const api = await at(level);
    const created = await api.post(maps, { metadata: { name: "far", clusterName: "elsewhere" } });
    expect([created.code, created.body.metadata.clusterName]).toEqual([201, undefined]);
  });
});

test.each<[ApiLevel, string | undefined]>([
  ["1.32", undefined],
  ["1.33", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
  ["1.36", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
])("at %s endpoints warn: %s", (level, warning) => {
  const definition = builtinResources(testApiContext({ level })).find(
    ({ resource }) => resource === "endpoints",
  );
  const [version] = definition?.versions ?? [];
  expect(definition && version && deprecationWarning(definition, version, level)).toBe(warning);
});

test.each<[ApiLevel, string, string, string | undefined]>([
  ["1.28", "clustertrustbundles", "v1alpha1", undefined],
  ["1.29", "clustertrustbundles", "v1alpha1", "is deprecated in v1.29+, unavailable in v1.32+"],
  ["1.31", "clustertrustbundles", "v1alpha1", "is deprecated in v1.29+, unavailable in v1.32+"],
  ["1.32", "clustertrustbundles", "v1alpha1", undefined],
  ["1.29", "ipaddresses", "v1alpha1", undefined],
  ["1.30", "ipaddresses", "v1alpha1", "is deprecated in v1.30+, unavailable in v1.33+"],
  ["1.30", "servicecidrs", "v1alpha1", "is deprecated in v1.30+, unavailable in v1.33+"],
  ["1.31", "volumeattributesclasses", "v1alpha1", undefined],
  ["1.32", "volumeattributesclasses", "v1alpha1", "is deprecated in v1.32+, unavailable in v1.35+"],
  [
    "1.34",
    "volumeattributesclasses",
    "v1alpha1",
    "is deprecated in v1.32+, unavailable in v1.35+; use storage.k8s.io/v1 VolumeAttributesClass",
  ],
])("at %s, requests for %s in %s have the warning %j", (level, resource, name, warning) => {
  const definition = builtinResources(testApiContext({ level })).find((each) => each.resource === resource);
  const version = definition?.versions.find((each) => each.version === name);
  expect(
    definition && version && deprecationWarning(definition, version, level)?.replace(/^\S+ \S+ /, ""),
  ).toBe(warning);
});

test.each<ApiLevel>(["1.23", "1.30", "1.36"])("at %s keys are read as they are written", async (level) => {
  const api = await at(level);
  const body: Json = { metadata: { name: "keys", LABELS: { a: "b" } }, Data: { a: "b" }, data: { c: "d" } };
  const created = (await api.post(maps, body)).body;
  expect([created.data, created.metadata.labels]).toEqual([{ c: "d" }, undefined]);
});

describe("refusals of what is not stored are in the words of the level", () => {
  test.each<[ApiLevel, string]>([
    ["1.31", "must have at most 128 bytes"],
    ["1.32", "may not be more than 128 bytes"],
  ])("at %s, a field manager %s", async (level, words) => {
    const { body } = await (await at(level)).post(`${maps}?fieldManager=${"x".repeat(129)}`, {
      metadata: { name: "managed" },
    });
    expect(body.message).toBe(`CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: ${words}`);
  });

  test.each<[ApiLevel, string]>([
    ["1.33", '"null"'],
    ["1.34", "null"],
  ])("at %s, a review without attributes has %s", async (level, value) => {
    const reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    const { body } = await (await at(level)).post(reviews, { spec: {} });
    expect(body.message).toBe(
      `.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: ${value}: exactly one of nonResourceAttributes or resourceAttributes must be specified`,
    );
  });
});

describe("a list with several wrong options", () => {
  const token = Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: 5, start: "a\0" })).toString(
    "base64url",
  );

  test.each<[ApiLevel, string, string]>([
    ["1.23", "limit=x&labelSelector=a=/&fieldSelector=a=b", 'strconv.ParseInt: parsing "x": invalid syntax'],
    ["1.36", "watch=1&limit=x&fieldSelector=a=b", 'strconv.ParseInt: parsing "x": invalid syntax'],
    ["1.23", "resourceVersionMatch=Exact&fieldSelector=a=b", 'ListOptions.meta.k8s.io "" is invalid'],
    ["1.36", "watch=1&resourceVersionMatch=Exact&fieldSelector=a=b", 'ListOptions.meta.k8s.io "" is invalid'],
    ["1.36", "resourceVersionMatch=Exact&labelSelector=a=/", "unable to parse requirement"],
    ["1.29", `continue=${token}&resourceVersion=x`, "invalid resource version"],
    ["1.30", `continue=${token}&resourceVersion=x`, "specifying resource version is not allowed"],
  ])("at %s, %s is refused for the first of them: %s", async (level, query, message) => {
    const { body } = await (await at(level)).get(`${maps}?${query}`);
    expect(body.message).toContain(message);
  });

  test.each<[ApiLevel, boolean]>([
    ["1.31", false],
    ["1.32", true],
    ["1.35", true],
    ["1.36", false],
  ])("at %s is refused before a representation is chosen: %s", async (level, isFirst) => {
    const api = await at(level);
    for (const query of ["limit=x", "watch=1&limit=x"]) {
      const operation = api.operation("GET", `${maps}?${query}`);
      const check = "checkOptions" in operation ? operation.checkOptions : undefined;
      if (isFirst) expect(check).toThrow('strconv.ParseInt: parsing "x": invalid syntax');
      else expect(check).toBeUndefined();
    }
  });
});
