import { afterAll, describe, expect, test, vi } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../src/apimachinery/levels/feature-gates/feature-gates.js";
import type { Answer, Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** What definitions can ask for at each level: before a behaviour, with it, and at the newest; with its gate on and off. */

type Gates = readonly (readonly [FeatureGateName, boolean])[];

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const grounds = new Map<string, Promise<ApiGround>>();

afterAll(async () => {
  for (const ground of grounds.values()) await (await ground).dispose();
});

function groundAt(level: ApiLevel, gates: Gates): Promise<ApiGround> {
  const key = `${level} ${JSON.stringify(gates)}`;
  const ground = grounds.get(key) ?? opened(level, gates);
  grounds.set(key, ground);
  return ground;
}

async function opened(apiLevel: ApiLevel, gates: Gates): Promise<ApiGround> {
  const ground = await openApiGround({ apiLevel, featureGates: new Map(gates) });
  await ground.server.customResources.start();
  return ground;
}

let kinds = 0;

/** A definition of a kind of its own, whose `spec` has the schema. */
function definitionOf(spec: Json, ofVersion: Json = {}): Json {
  const plural = `boats${kinds++}`;
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  return {
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural, kind: plural },
      versions: [{ name: "v1", served: true, storage: true, schema, ...ofVersion }],
    },
  };
}

async function served(level: ApiLevel, definition: Json, gates: Gates = []) {
  const { api, server } = await groundAt(level, gates);
  const { plural } = definition.spec.names;
  const defined = await api.post(definitions, definition);
  expect(defined.code, JSON.stringify(defined.body)).toBe(201);
  await vi.waitFor(() => expect(server.catalog.find("example.com", "v1", plural)).toBeDefined(), 15_000);
  const path = `/apis/example.com/v1/${plural}`;
  const create = (name: string, spec: Json): Promise<Answer> =>
    api.post(path, { apiVersion: "example.com/v1", kind: plural, metadata: { name }, spec });
  return { api, path, create, definition: defined.body };
}

const properties = { sails: { type: "integer" }, colour: { type: "string" } };
const ruled = (...rules: readonly Json[]): Json => ({
  type: "object",
  properties,
  "x-kubernetes-validations": rules,
});
const few = { rule: "self.sails < 10", message: "too many" };

describe("rules", () => {
  const gate = (isOn: boolean): Gates => [["CustomResourceValidationExpressions", isOn]];

  test.each<[ApiLevel, Gates, boolean]>([
    ["1.24", [], false],
    ["1.24", gate(true), true],
    ["1.25", [], true],
    ["1.25", gate(false), false],
    ["1.36", [], true],
  ])("at %s with %j are enforced: %s", async (level, gates, isEnforced) => {
    const { create } = await served(level, definitionOf(ruled(few)), gates);
    const { code, body } = await create("a", { sails: 12 });
    expect(code).toBe(isEnforced ? 422 : 201);
    if (isEnforced) expect(body.details.causes).toMatchObject([{ field: "spec", message: /too many$/ }]);
  });

  test.each<[ApiLevel, boolean]>([
    ["1.24", false],
    ["1.25", true],
    ["1.36", true],
  ])("at %s cost what their schema lets them: %s", async (level, isBounded) => {
    const { api } = await groundAt(level, []);
    const lists = (bounds: Json): Json => ({
      type: "object",
      properties: { names: { type: "array", ...bounds, items: { type: "string", ...bounds } } },
      "x-kubernetes-validations": [{ rule: "self.names.all(a, self.names.all(b, a == b || a.contains(b)))" }],
    });
    const { code, body } = await api.post(definitions, definitionOf(lists({})));
    expect(code).toBe(isBounded ? 422 : 201);
    if (isBounded) expect(body.message).toContain("estimated rule cost exceeds budget by factor of");
    const bounded = definitionOf({
      ...lists({ maxItems: 10 }),
      properties: { names: { type: "array", maxItems: 10, items: { type: "string", maxLength: 20 } } },
    });
    expect((await api.post(definitions, bounded)).code).toBe(201);
  });

  test.each<[ApiLevel, boolean]>([
    ["1.26", false],
    ["1.27", true],
    ["1.36", true],
  ])("at %s make their message: %s", async (level, isMade) => {
    const messageExpression = "self.sails < 100 ? string(self.sails) : ' '";
    const { create } = await served(level, definitionOf(ruled({ ...few, messageExpression })));
    const told = async (sails: number) => (await create("a", { sails })).body.details.causes[0].message;
    expect(await told(12)).toContain(isMade ? ": 12" : ": too many");
    expect(await told(120)).toContain(": too many");
  });

  test.each<[ApiLevel, boolean]>([
    ["1.27", false],
    ["1.28", true],
    ["1.36", true],
  ])("at %s say why and where: %s", async (level, isSaid) => {
    const told = { ...few, reason: "FieldValueForbidden", fieldPath: ".sails" };
    const { api, create } = await served(level, definitionOf(ruled(told)));
    const { details } = (await create("a", { sails: 12 })).body;
    const [reason, field] = isSaid ? ["FieldValueForbidden", "spec.sails"] : ["FieldValueInvalid", "spec"];
    expect(details.causes).toMatchObject([{ reason, field }]);
    const lost = await api.post(definitions, definitionOf(ruled({ ...few, fieldPath: ".nothing" })));
    expect(lost.code).toBe(isSaid ? 422 : 201);
  });

  const ratchets = (isOn: boolean): Gates => [["CRDValidationRatcheting", isOn]];

  test.each<[ApiLevel, Gates, boolean]>([
    ["1.28", ratchets(true), false],
    ["1.29", [], false],
    ["1.29", ratchets(true), true],
    ["1.30", [], true],
    ["1.30", ratchets(false), false],
    ["1.36", [], true],
  ])("at %s with %j may have no old value: %s", async (level, gates, isOptional) => {
    const rule = "oldSelf.hasValue() || self.sails > 2";
    const definition = definitionOf(ruled({ rule, message: "too few", optionalOldSelf: true }));
    if (!isOptional) {
      const { api } = await groundAt(level, gates);
      expect((await api.post(definitions, definition)).code).toBe(422);
      return;
    }
    const { api, path, create } = await served(level, definition, gates);
    expect((await create("a", { sails: 1 })).code).toBe(422);
    expect((await create("a", { sails: 3 })).code).toBe(201);
    expect((await api.mergePatch(`${path}/a`, { spec: { sails: 1 } })).code).toBe(200);
  });
});

describe("an update of what has become invalid", () => {
  const gate = (isOn: boolean): Gates => [["CRDValidationRatcheting", isOn]];

  test.each<[ApiLevel, Gates, boolean]>([
    ["1.27", [], false],
    ["1.28", [], false],
    ["1.28", gate(true), true],
    ["1.30", [], true],
    ["1.30", gate(false), false],
    ["1.36", [], true],
  ])("at %s with %j may leave it as it is: %s", async (level, gates, isKept) => {
    const made = await served(level, definitionOf({ type: "object", properties }), gates);
    const { api, path, create, definition } = made;
    expect((await create("a", { sails: 12, colour: "red" })).code).toBe(201);
    const stricter = structuredClone(definition);
    stricter.spec.versions[0].schema.openAPIV3Schema.properties.spec = {
      ...ruled({ rule: "self.colour != 'red'", message: "not red" }),
      properties: { ...properties, sails: { type: "integer", maximum: 10 } },
    };
    const name = definition.metadata.name;
    const current = (await api.get(`${definitions}/${name}`)).body.metadata;
    expect((await api.put(`${definitions}/${name}`, { ...stricter, metadata: current })).code).toBe(200);
    await expect.poll(async () => (await create("b", { sails: 12 })).code, { timeout: 15_000 }).toBe(422);
    const labelled = await api.mergePatch(`${path}/a`, { metadata: { labels: { a: "b" } } });
    expect(labelled.code).toBe(isKept ? 200 : 422);
    expect((await api.mergePatch(`${path}/a`, { spec: { sails: 13 } })).code).toBe(422);
  });
});

describe("fields that objects are selected by", () => {
  const gate = (isOn: boolean): Gates => [["CustomResourceFieldSelectors", isOn]];

  test.each<[ApiLevel, Gates, boolean]>([
    ["1.29", [], false],
    ["1.30", [], false],
    ["1.30", gate(true), true],
    ["1.31", [], true],
    ["1.31", gate(false), false],
    ["1.36", [], true],
  ])("at %s with %j are declared: %s", async (level, gates, isDeclared) => {
    const fields = { selectableFields: [{ jsonPath: ".spec.colour" }] };
    const sent = definitionOf({ type: "object", properties }, fields);
    const { api, path, create, definition } = await served(level, sent, gates);
    const { selectableFields } = definition.spec.versions[0];
    expect(selectableFields).toEqual(isDeclared ? fields.selectableFields : undefined);
    await create("a", { colour: "red" });
    await create("b", { colour: "blue" });
    const selected = await api.get(`${path}?fieldSelector=spec.colour%3Dred`);
    expect(selected.code).toBe(isDeclared ? 200 : 400);
    if (!isDeclared) return;
    expect(selected.body.items.map(({ metadata }: Json) => metadata.name)).toEqual(["a"]);
    expect((await api.delete(`${path}?fieldSelector=spec.colour%3Dred`)).code).toBe(200);
    const left = (await api.get(path)).body.items;
    expect(left.map(({ metadata }: Json) => metadata.name)).toEqual(["b"]);
    expect((await api.get(`${path}?fieldSelector=spec.sails%3D1`)).code).toBe(400);
  });
});

test.each<[ApiLevel, Gates, boolean]>([
  ["1.34", [], false],
  ["1.35", [], false],
  ["1.35", [["CRDObservedGenerationTracking", true]], true],
  ["1.36", [], true],
  ["1.36", [["CRDObservedGenerationTracking", false]], false],
])(
  "at %s with %j the status of a definition keeps a client's observed generation: %s",
  async (level, gates, keeps) => {
    const { api, definition } = await served(level, definitionOf({ type: "object", properties }), gates);
    const path = `${definitions}/${definition.metadata.name}`;
    const { status } = (await api.get(path)).body;
    expect(status.observedGeneration).toBeUndefined();
    for (const condition of status.conditions) expect(condition.observedGeneration).toBeUndefined();
    const [first] = status.conditions;
    const observed = { observedGeneration: 1, conditions: [{ ...first, observedGeneration: 1 }] };
    const answer = await api.mergePatch(`${path}/status`, { status: observed });
    expect(answer.code).toBe(200);
    const expected = keeps ? 1 : undefined;
    expect(answer.body.status.observedGeneration).toBe(expected);
    expect(answer.body.status.conditions[0].observedGeneration).toBe(expected);
  },
);

test.each<ApiLevel>(["1.23", "1.36"])(
  "at %s nobody owns the creation time of an embedded object",
  async (level) => {
    const embedded = {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    };
    const { create } = await served(
      level,
      definitionOf({ type: "object", properties: { template: embedded } }),
    );
    const template = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" } };
    const { code, body } = await create("e", { template });
    expect(code, JSON.stringify(body)).toBe(201);
    const [{ fieldsV1 }] = body.metadata.managedFields;
    expect(fieldsV1["f:spec"]["f:template"]["f:metadata"]).toEqual({ ".": {}, "f:name": {} });
  },
);

test("rules are not checked where an embedded object lacks its type", async () => {
  const embedded = {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  };
  const rules = { "x-kubernetes-validations": [{ rule: "false", message: "never" }] };
  const { create } = await served(
    "1.36",
    definitionOf({ type: "object", properties: { template: embedded }, ...rules }),
  );
  const told = async (template: Json) => {
    const { code, body } = await create("e", { template });
    expect(code).toBe(422);
    return body.details.causes.map(({ field, message }: Json) => `${field}: ${message}`);
  };
  expect(await told({ apiVersion: "v1", kind: "Pod" })).toEqual(["spec: Invalid value: never"]);
  expect(await told({})).toEqual([
    "spec.template.apiVersion: Required value",
    "spec.template.kind: Required value",
    expect.stringContaining("<nil>: Invalid value: null: some validation rules were not checked"),
  ]);
});

test("rules are not checked where the name is missing", async () => {
  const { api, path } = await served(
    "1.36",
    definitionOf({ type: "object", "x-kubernetes-validations": [{ rule: "false", message: "never" }] }),
  );
  const kind = path.slice(path.lastIndexOf("/") + 1);
  const { code, body } = await api.post(path, { apiVersion: "example.com/v1", kind, metadata: {}, spec: {} });
  expect(code).toBe(422);
  expect(body.details.causes.map(({ field }: Json) => field)).toEqual(["metadata.name", "<nil>"]);
});

test("a definition can be deleted although its status names a version that is not there", async () => {
  const { api, definition } = await served("1.36", definitionOf({ type: "object" }));
  const own = `${definitions}/${definition.metadata.name}`;
  const stored = { storedVersions: ["v1", "v9"] };
  expect((await api.mergePatch(`${own}/status`, { status: stored })).code).toBe(200);
  expect((await api.delete(own)).code).toBe(200);
  await vi.waitFor(async () => expect((await api.ask("GET", own)).code).toBe(404), 5_000);
});

describe("a status", () => {
  const member = { type: "object", properties: { size: { type: "integer" } } };
  const statusSchema = {
    type: "object",
    properties: {
      crew: { type: "integer" },
      ports: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
      template: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: member } },
    },
  };

  /** Writes the statuses to an object whose spec its definition does not allow any more. */
  async function written(level: ApiLevel, statuses: readonly Json[]) {
    const spec = { type: "object", properties: { sails: { type: "integer" } } };
    const definition = definitionOf(spec, { subresources: { status: {} } });
    definition.spec.versions[0].schema.openAPIV3Schema.properties.status = statusSchema;
    const { api, path, create } = await served(level, definition);
    expect((await create("a", { sails: 12 })).code).toBe(201);
    const stricter = (await api.get(`${definitions}/${definition.metadata.name}`)).body;
    stricter.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.sails.maximum = 10;
    expect((await api.put(`${definitions}/${definition.metadata.name}`, stricter)).code).toBe(200);
    await expect.poll(async () => (await create("b", { sails: 12 })).code).toBe(422);
    const answers: Answer[] = [];
    for (const status of statuses) answers.push(await api.mergePatch(`${path}/a/status`, { status }));
    return answers.map(({ code, body }) =>
      code === 200 ? code : body.message.replace(/.* is invalid: /, ""),
    );
  }

  // From 1.28 on, texts name the path within the status, and until 1.30 the field does too.
  test.each<[ApiLevel, boolean, field: string, path: string]>([
    ["1.25", true, "status.crew", "status.crew"],
    ["1.27", true, "status.crew", "status.crew"],
    ["1.28", false, "crew", "crew"],
    ["1.30", false, "crew", "crew"],
    ["1.31", false, "status.crew", "crew"],
    ["1.36", false, "status.crew", "crew"],
  ])("at %s is refused for an invalid spec: %s", async (level, isRefused, field, path) => {
    const [valid, invalid] = await written(level, [{ crew: 1 }, { crew: "a" }]);
    const ofSpec = "spec.sails: Invalid value: 12: spec.sails in body should be less than or equal to 10";
    const ofStatus = `${field}: Invalid value: "string": ${path} in body must be of type integer: "string"`;
    expect(valid).toBe(isRefused ? ofSpec : 200);
    if (isRefused) expect(invalid).toContain(ofStatus);
    else expect(invalid).toBe(ofStatus);
  });

  test.each<[ApiLevel, boolean]>([
    ["1.30", true],
    ["1.32", true],
    ["1.33", false],
    ["1.36", false],
  ])("at %s is refused for values that it keeps: %s", async (level, isRefused) => {
    const definition = definitionOf({ type: "object" }, { subresources: { status: {} } });
    definition.spec.versions[0].schema.openAPIV3Schema.properties.status = statusSchema;
    const { api, path, create } = await served(level, definition);
    for (const name of ["a", "b"]) {
      await create(name, {});
      expect((await api.mergePatch(`${path}/${name}/status`, { status: { crew: 12 } })).code).toBe(200);
    }
    const name = `${definitions}/${definition.metadata.name}`;
    const stricter = (await api.get(name)).body;
    const { properties } = stricter.spec.versions[0].schema.openAPIV3Schema.properties.status;
    properties.crew.maximum = 10;
    properties.crew["x-kubernetes-validations"] = [{ rule: "self < 11" }];
    expect((await api.put(name, stricter)).code).toBe(200);
    const change = (of: string, status: Json) => api.mergePatch(`${path}/${of}/status`, { status });
    await expect.poll(async () => (await change("a", { crew: 13 })).code).toBe(422);
    const { code, body } = await change("b", { ports: ["x"] });
    expect(code, JSON.stringify(body)).toBe(isRefused ? 422 : 200);
  });

  test.each<[ApiLevel, string | number]>([
    ["1.25", 200],
    ["1.26", 'status.ports[1]: Duplicate value: "a"'],
    ["1.36", 'status.ports[1]: Duplicate value: "a"'],
  ])("at %s is refused for items of a set that repeat: %s", async (level, expected) => {
    const definition = definitionOf({ type: "object" }, { subresources: { status: {} } });
    definition.spec.versions[0].schema.openAPIV3Schema.properties.status = statusSchema;
    const { api, path, create } = await served(level, definition);
    await create("a", {});
    const { code, body } = await api.mergePatch(`${path}/a/status`, { status: { ports: ["a", "a"] } });
    expect(code === 200 ? code : body.message.replace(/.* is invalid: /, "")).toBe(expected);
    const template = { metadata: { name: "-" } };
    const embedded = await api.mergePatch(`${path}/a/status`, { status: { ports: [], template } });
    expect(embedded.code, JSON.stringify(embedded.body)).toBe(200);
  });

  test.each<[ApiLevel, readonly string[]]>([
    ["1.25", [".status.crew", "status"]],
    ["1.26", [".status.crew", "status.ports[1]", "status"]],
    ["1.36", [".status.crew", "status.ports[1]", "status"]],
  ])("at %s tells what is wrong with its scale before lists and rules", async (level, fields) => {
    const scale = { specReplicasPath: ".spec.sails", statusReplicasPath: ".status.crew" };
    const spec = { type: "object", properties };
    const definition = definitionOf(spec, { subresources: { status: {}, scale } });
    const rules = [{ rule: "self.crew >= 0", message: "too few" }];
    const status = { ...statusSchema, "x-kubernetes-validations": rules };
    definition.spec.versions[0].schema.openAPIV3Schema.properties.status = status;
    const { api, path, create } = await served(level, definition);
    expect((await create("a", { sails: 1 })).code).toBe(201);
    const written = { status: { crew: -1, ports: ["x", "x"] } };
    const { code, body } = await api.mergePatch(`${path}/a/status`, written);
    expect(code).toBe(422);
    expect(body.details.causes.map((cause: Json) => cause.field)).toEqual(fields);
  });
});

test.each<[ApiLevel, number, string]>([
  ["1.33", 405, ""],
  ["1.34", 403, 'boats.example.com "late" is forbidden: '],
])("at %s a create while the definition terminates is answered with %i", async (level, code, prefix) => {
  const { api, path, create, definition } = await served(level, definitionOf({ type: "object", properties }));
  const held = { metadata: { name: "held", finalizers: ["example.com/hold"] } };
  const { names } = definition.spec;
  const sent = { apiVersion: "example.com/v1", kind: names.kind, ...held };
  expect((await api.post(path, sent)).code).toBe(201);
  expect((await api.delete(`${definitions}/${definition.metadata.name}`)).code).toBe(200);
  const refused = await vi.waitFor(async () => {
    const answer = await create("late", {});
    expect(answer.code).not.toBe(201);
    return answer;
  }, 15_000);
  expect(refused.code).toBe(code);
  expect(refused.body.message).toBe(
    `${prefix.replace("boats", names.plural)}create not allowed while custom resource definition is terminating`,
  );
  await api.mergePatch(`${path}/held`, { metadata: { finalizers: null } });
});

test.each<[ApiLevel, readonly string[]]>([
  ["1.24", ["spec.odd"]],
  ["1.25", ["metadata.odd", "spec.odd", "spec.template.metadata.odd"]],
])("%s: unknown fields that are warned of, in metadata since 1.25", async (level, fields) => {
  const template = {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    properties: { spec: { type: "object" } },
  };
  const { api, path } = await served(level, definitionOf({ type: "object", properties: { template } }), [
    ["ServerSideFieldValidation", true],
  ]);
  const metadata = { name: "a", odd: 1 };
  const spec = { odd: 1, template: { apiVersion: "v1", kind: "Pod", metadata } };
  const kind = path.slice(path.lastIndexOf("/") + 1);
  const answer = await api.post(path, { apiVersion: "example.com/v1", kind, metadata, spec });
  expect(answer.code).toBe(201);
  expect(answer.warnings).toEqual(fields.map((field) => `299 - "unknown field \\"${field}\\""`));
});

const misfit = (kind: string) => `${kind} in version "v1" cannot be handled as a ${kind}`;
const unrecognized = (kind: string) => `the object provided is unrecognized (must be of type ${kind})`;
const otherVersion =
  "the API version in the data () does not match the expected API version (example.com/v1)";

test.each<[ApiLevel, query: string, (kind: string) => readonly [string, string]]>([
  [
    "1.23",
    "",
    (kind) => [
      `${misfit(kind)}: Object 'Kind' is missing in '{}'`,
      `${misfit(kind)}: Object 'apiVersion' is missing in '{"kind":"${kind}"}'`,
    ],
  ],
  ["1.24", "", (kind) => [`${misfit(kind)}: Object 'Kind' is missing in '{}'`, otherVersion]],
  ["1.25", "", (kind) => [`${unrecognized(kind)}: Object 'Kind' is missing in '{}' ({})`, otherVersion]],
  [
    "1.35",
    "?fieldValidation=Ignore",
    (kind) => [`${misfit(kind)}: Object 'Kind' is missing in '{}'`, otherVersion],
  ],
])(
  "at %s with %j a body without its kind or version is refused in Kubernetes' words",
  async (level, query, words) => {
    const definition = definitionOf({ type: "object", properties });
    const { api, path } = await served(level, definition);
    const { kind } = definition.spec.names;
    const answers = [await api.post(path + query, {}), await api.post(path + query, { kind })];
    expect(answers.map(({ code, body }) => [code, body.message])).toEqual(
      words(kind).map((text) => [400, text]),
    );
    const unreadable = await api.post(path + query, { apiVersion: "a/b/c" });
    expect(unreadable.body.message).toBe(
      `${unrecognized(kind)}: unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})`,
    );
  },
);

test("the columns of a scale say more than those of built-in kinds do", async () => {
  const definition = definitionOf(
    { type: "object", properties },
    { subresources: { scale: { specReplicasPath: ".spec.sails", statusReplicasPath: ".status.sails" } } },
  );
  const { api, path, create } = await served("1.24", definition);
  await create("scaled", { sails: 2 });
  const result = await api.result("GET", `${path}/scaled/scale`);
  const columns = result.kind === "value" ? result.view.version.columns?.columns : undefined;
  expect(columns?.map(({ name, type, format }) => [name, type, format])).toEqual([
    ["Name", "string", "name"],
    ["Desired", "integer", ""],
    ["Available", "integer", ""],
    ["Age", "date", ""],
  ]);
});
