import type { HostileCase } from "./corpus.js";
import { type HostileRequest, json, range, record } from "./hostile-request.js";

const group = "definitions.example.org";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const dry = "dryRun=All";
const applyType = "application/apply-patch+yaml";

type Schema = Readonly<Record<string, unknown>>;

/** Properties of the spec. */
function schemaOf(properties: Schema, rest: Schema = {}): Schema {
  return { type: "object", properties: { spec: { type: "object", properties } }, ...rest };
}

function versionOf(name: string, schema: Schema, rest: Schema = {}): Schema {
  return { name, served: true, storage: name === "v1", schema: { openAPIV3Schema: schema }, ...rest };
}

interface Definition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Schema;
  readonly spec: Schema;
}

function definitionOf(name: string, versions: readonly Schema[], spec: Schema = {}): Definition {
  const kind = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${name}s.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural: `${name}s`, singular: name, listKind: `${kind}List` },
      versions,
      ...spec,
    },
  };
}

/** Nested `depth` times below the spec, each level as `make` says. */
function nested(depth: number, innermost: Schema, make: (inner: Schema) => Schema): Schema {
  let schema = innermost;
  for (let level = 0; level < depth; level++) schema = make(schema);
  return schema;
}

const text = { type: "string" };
const pattern = (i: number): Schema => ({ type: "string", pattern: `^[a-z]+-x{0,${i % 90}}${i}$` });
const rule = (i: number): Schema => ({ rule: `self.a${i % 50} == ${i} || self.a${(i + 1) % 50} > ${i}` });
const withRules = (count: number): Schema => ({
  type: "object",
  properties: record(50, (i) => [`a${i}`, { type: "integer" }]),
  "x-kubernetes-validations": range(count, rule),
});

/** Schemas near the limits of a body: 25,000 schemas, 100,000 fields and items, 25,000 of them in one object or list, 3 MiB. */
const schemas: Readonly<Record<string, Schema>> = {
  patterns: schemaOf(record(12_000, (i) => [`p${i}`, pattern(i)])),
  "patterns, repeated": schemaOf(
    record(4_000, (i) => [`p${i}`, { type: "string", pattern: `^((a${i}|b){30}c){30}$` }]),
  ),
  "patterns, bad": schemaOf(record(12_000, (i) => [`p${i}`, { type: "string", pattern: `(${i}` }])),
  "pattern, long": schemaOf({ p: { type: "string", pattern: "a|b".repeat(900_000) } }),
  "pattern, repetitions": schemaOf({ p: { type: "string", pattern: "a{1000}".repeat(400_000) } }),
  "pattern, some repetitions": schemaOf({ p: { type: "string", pattern: "a{1000}".repeat(140) } }),
  "pattern, classes": schemaOf({ p: { type: "string", pattern: "[^\\pL\\pN]".repeat(250_000) } }),
  "pattern, nested": schemaOf({
    p: { type: "string", pattern: `${"(".repeat(900_000)}${")".repeat(900_000)}` },
  }),
  rules: schemaOf({ given: withRules(4_000) }),
  "rules, spread": schemaOf(
    record(1_300, (i) => [`r${i}`, { ...withRules(1), properties: record(20, (k) => [`a${k}`, text]) }]),
  ),
  "rules, nested": schemaOf({
    given: nested(60, { type: "object", properties: record(20_000, (i) => [`a${i}`, text]) }, (inner) => ({
      type: "object",
      properties: { inner },
      "x-kubernetes-validations": [{ rule: "has(self.inner)" }],
    })),
  }),
  "rule, long": schemaOf({
    given: { type: "object", "x-kubernetes-validations": [{ rule: `${"1 + ".repeat(700_000)}1 == 1` }] },
  }),
  defaults: schemaOf(
    record(12_000, (i) => [
      `d${i}`,
      { type: "object", properties: { a: { type: "string", maxLength: 9 } }, default: { a: `v${i}` } },
    ]),
  ),
  "defaults, bad": schemaOf(
    record(12_000, (i) => [
      `d${i}`,
      { type: "object", properties: { a: { type: "string", maxLength: 1 } }, default: { a: `v${i}` } },
    ]),
  ),
  "defaults, unknown fields": schemaOf(
    record(12_000, (i) => [`d${i}`, { type: "object", properties: { a: text }, default: { b: `v${i}` } }]),
  ),
  "default, wide": schemaOf({
    list: {
      type: "array",
      items: { type: "object", properties: { a: { type: "string", default: "x" } } },
      default: range(24_000, () => ({ a: "v" })),
    },
  }),
  "defaults, nested": schemaOf({
    given: nested(150, { type: "object", properties: record(20_000, (i) => [`a${i}`, text]) }, (inner) => ({
      type: "object",
      properties: { inner },
      default: {},
    })),
  }),
  wide: schemaOf(record(24_000, (i) => [`a${i}`, text])),
  "wide, limits": schemaOf(
    record(24_000, (i) => [`a${i}`, { type: "string", maxLength: 5, nullable: true }]),
  ),
  "wide, no types": schemaOf(record(24_000, (i) => [`a${i}`, {}])),
  "wide, bad types": schemaOf(record(24_000, (i) => [`a${i}`, { type: "text" }])),
  "too many": schemaOf(
    record(4, (k) => [`k${k}`, { type: "object", properties: record(24_000, (i) => [`a${i}`, {}]) }]),
  ),
  objects: schemaOf(
    record(8_000, (i) => [`o${i}`, { type: "object", properties: { a: { type: "array", items: text } } }]),
  ),
  nested: schemaOf({ given: nested(300, text, (inner) => ({ type: "object", properties: { inner } })) }),
  lists: schemaOf({ given: nested(300, text, (items) => ({ type: "array", items })) }),
  "allOf, nested": schemaOf({
    given: { type: "object", allOf: [nested(300, { maxLength: 1 }, (inner) => ({ allOf: [inner] }))] },
  }),
  "anyOf, wide": schemaOf({ given: { type: "string", anyOf: range(24_000, (i) => ({ maxLength: i })) } }),
  "anyOf, unspecified": schemaOf({
    given: { type: "object", anyOf: range(12_000, (i) => ({ properties: { [`a${i}`]: { maxLength: i } } })) },
  }),
  "anyOf, with types": schemaOf({ given: { type: "string", anyOf: range(24_000, () => text) } }),
  enum: schemaOf({ given: { type: "string", enum: range(24_000, (i) => `value ${i}`) } }),
  "enum, default": schemaOf(
    record(40, (i) => [
      `e${i}`,
      { type: "string", enum: range(2_000, (k) => `value ${k}`), default: "value 1999" },
    ]),
  ),
  required: schemaOf({ given: { type: "object", required: range(24_000, (i) => `a${i}`) } }),
  "list keys": schemaOf({
    list: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": range(20_000, (i) => `k${i}`),
      items: {
        type: "object",
        required: range(20_000, (i) => `k${19_999 - i}`),
        properties: record(20_000, (i) => [`k${i}`, text]),
      },
    },
  }),
  "list keys, repeated": schemaOf({
    list: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": range(24_000, (i) => (i < 12_000 ? `k${i}` : "k11999")),
      items: { type: "object", required: ["k"], properties: record(12_000, (i) => [`k${i}`, text]) },
    },
  }),
  "long names": schemaOf({
    ["n".repeat(1_000_000)]: { type: "object", properties: record(12_000, (i) => [`a${i}`, {}]) },
  }),
  description: schemaOf({ given: { type: "string", description: "d ".repeat(1_400_000) } }),
  "embedded objects": schemaOf(
    record(7_500, (i) => [
      `e${i}`,
      {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
        default: { apiVersion: "v1", kind: "Pod", metadata: { name: "<&>" } },
      },
    ]),
  ),
  dependencies: schemaOf({
    given: { type: "object", dependencies: record(20_000, (i) => [`a${i}`, ["b"]]) },
  }),
};

/** Large definitions whose size is not in one schema. */
function otherDefinitions(): readonly (readonly [kind: string, definition: Definition])[] {
  const small = (count: number): Schema => schemaOf(record(count, (i) => [`a${i}`, pattern(i)]));
  const simple = schemaOf({ a: text });
  const columns = (count: number): Schema => ({
    additionalPrinterColumns: range(count, (i) => ({
      name: `C${i}`,
      type: "string",
      jsonPath: `.spec.list[?(@.a=="${i}")].b`,
    })),
  });
  const names = (given: Schema): Schema => ({
    names: { kind: "Odd", plural: "odds", singular: "odd", listKind: "OddList", ...given },
  });
  const versions = (count: number, make: (i: number) => Schema): Schema[] =>
    range(count, (i) => versionOf(`v${i + 1}`, make(i)));
  return [
    [
      "versions",
      definitionOf(
        "odd",
        versions(100, () => small(300)),
      ),
    ],
    [
      "versions that differ",
      definitionOf(
        "odd",
        versions(100, (i) => ({ ...small(300), description: `version ${i}` })),
      ),
    ],
    [
      "versions, all stored",
      definitionOf(
        "odd",
        range(12_000, (i) => ({ name: `v${i}`, served: true, storage: true })),
      ),
    ],
    [
      "versions of one name",
      definitionOf(
        "odd",
        versions(60, () => small(400)).map((one) => ({ ...one, name: "v1" })),
      ),
    ],
    ["columns", definitionOf("odd", [versionOf("v1", simple, columns(19_000))])],
    [
      "column, long path",
      definitionOf("odd", [
        versionOf("v1", simple, {
          additionalPrinterColumns: [{ name: "C", type: "string", jsonPath: ".a".repeat(1_400_000) }],
        }),
      ]),
    ],
    [
      "selectable fields",
      definitionOf("odd", [
        versionOf("v1", simple, { selectableFields: range(24_000, () => ({ jsonPath: ".spec.a" })) }),
      ]),
    ],
    [
      "selectable field, long path",
      definitionOf("odd", [
        versionOf("v1", simple, { selectableFields: [{ jsonPath: ".a".repeat(1_400_000) }] }),
      ]),
    ],
    [
      "short names",
      definitionOf("odd", [versionOf("v1", simple)], names({ shortNames: range(24_000, (i) => `s${i}`) })),
    ],
    [
      "categories",
      definitionOf("odd", [versionOf("v1", simple)], names({ categories: range(24_000, (i) => `bad ${i}`) })),
    ],
    [
      "review versions",
      definitionOf("odd", [versionOf("v1", simple)], {
        conversion: {
          strategy: "Webhook",
          webhook: {
            clientConfig: { url: "https://127.0.0.1:1" },
            conversionReviewVersions: range(24_000, (i) => `v${i}`),
          },
        },
      }),
    ],
  ];
}

/** The server needs a moment to serve them, and others meet them then. */
const servedSchemas = ["patterns", "rules", "defaults", "wide, limits", "nested", "embedded objects"];

/** Definitions that take long to validate, to change, to serve and to describe. */
export function definitionRequests(): readonly HostileCase[] {
  const own = (kind: string): string => `t${kind.replaceAll(/[^a-z]/g, "")}`;
  const path = (name: string, query: string): string => `${definitions}/${name}s.${group}?${query}`;
  const bad = { names: { kind: "-", plural: "bases", singular: "base", listKind: "BaseList" } };
  const base = (schema: Schema, spec: Schema = {}): Definition =>
    definitionOf("base", [versionOf("v1", schema)], spec);
  const serve: HostileRequest[] = [];
  for (const kind of servedSchemas) {
    const name = own(kind);
    const schema = schemas[kind] ?? {};
    const definition = definitionOf(name, [versionOf("v1", schema, { subresources: { status: {} } })]);
    const objects = `/apis/${group}/v1/namespaces/default/${name}s`;
    const change = (what: string, query: string, given: object, type: string): HostileRequest =>
      json(`${kind}: ${what}`, "PATCH", path(name, query), given, type);
    serve.push(
      json(`${kind}: create`, "POST", definitions, definition),
      { kind: `${kind}: list`, method: "GET", path: objects },
      json(`${kind}: object`, "POST", `${objects}?${dry}`, {
        apiVersion: `${group}/v1`,
        kind: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
        metadata: { name: "one" },
        spec: { p1: "a", given: { a1: 1 }, d1: {} },
      }),
      change("label", "", { metadata: { labels: { a: "b" } } }, "application/merge-patch+json"),
      json(
        `${kind}: status`,
        "PATCH",
        `${definitions}/${name}s.${group}/status?${dry}`,
        { status: { storedVersions: ["v1"] } },
        "application/merge-patch+json",
      ),
      change(
        "no change",
        dry,
        { spec: { versions: [versionOf("v1", schema)] } },
        "application/merge-patch+json",
      ),
      change(
        "change",
        "",
        { spec: { versions: [versionOf("v1", { ...schema, description: "changed" })] } },
        "application/merge-patch+json",
      ),
      change("apply", `fieldManager=m&force=true&${dry}`, definition, applyType),
      { kind: `${kind}: OpenAPI v3`, method: "GET", path: `/openapi/v3/apis/${group}/v1` },
      { kind: `${kind}: OpenAPI v2`, method: "GET", path: "/openapi/v2" },
      { kind: `${kind}: get`, method: "GET", path: path(name, "") },
      {
        kind: `${kind}: table`,
        method: "GET",
        path: definitions,
        headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
      },
      json(`${kind}: stored object`, "POST", objects, {
        apiVersion: `${group}/v1`,
        kind: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
        metadata: { name: "stored" },
      }),
      { kind: `${kind}: delete`, method: "DELETE", path: path(name, "") },
    );
  }
  const names = Object.keys(schemas);
  return [
    {
      name: "definitions",
      before: [json("prepare", "POST", definitions, base({ type: "object" }))],
      waitsFor: `/apis/${group}/v1/bases`,
      requests: [
        ...names.map((kind) =>
          json(
            `definition, create, ${kind}`,
            "POST",
            `${definitions}?${dry}`,
            definitionOf("fresh", [versionOf("v1", schemas[kind] ?? {})]),
          ),
        ),
        ...names.map((kind) =>
          json(
            `definition, update, ${kind}`,
            "PATCH",
            path("base", dry),
            base(schemas[kind] ?? {}),
            "application/merge-patch+json",
          ),
        ),
        ...names.map((kind) =>
          json(
            `definition, bad update, ${kind}`,
            "PATCH",
            path("base", dry),
            base(schemas[kind] ?? {}, bad),
            "application/merge-patch+json",
          ),
        ),
        ...names.map((kind) =>
          json(
            `definition, apply, ${kind}`,
            "PATCH",
            path("base", `${dry}&fieldManager=m&force=true`),
            base(schemas[kind] ?? {}),
            applyType,
          ),
        ),
        ...otherDefinitions().map(([kind, definition]) =>
          json(`definition, create, ${kind}`, "POST", `${definitions}?${dry}`, definition),
        ),
      ],
    },
    { name: "served definitions", requests: serve },
  ];
}
