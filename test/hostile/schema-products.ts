import type { HostileCase } from "./corpus.js";
import { type HostileRequest, json, range, record } from "./hostile-request.js";

const group = "products.example.org";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const dry = "dryRun=All";
const mergePatch = "application/merge-patch+json";
const tableOf = "application/json;as=Table;v=v1;g=meta.k8s.io";

type Schema = Readonly<Record<string, unknown>>;

const text = { type: "string" };

interface Kind {
  readonly plural: string;
  readonly kind: string;
}

function kindOf(name: string): Kind {
  return { plural: `${name}s`, kind: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}` };
}

function versionOf(name: string, properties: Schema, rest: Schema = {}): Schema {
  return {
    name,
    served: true,
    storage: name === "v1",
    schema: {
      openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } },
    },
    ...rest,
  };
}

function define(name: string, versions: readonly Schema[]): HostileRequest {
  const { plural, kind } = kindOf(name);
  return json("prepare", "POST", definitions, {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, plural, singular: name, listKind: `${kind}List` },
      versions,
    },
  });
}

function pathOf(name: string, version = "v1"): string {
  return `/apis/${group}/${version}/namespaces/default/${kindOf(name).plural}`;
}

function objectOf(name: string, object: string, spec: object, metadata: object = {}): object {
  const { kind } = kindOf(name);
  return { apiVersion: `${group}/v1`, kind, metadata: { name: object, ...metadata }, spec };
}

function write(what: string, name: string, spec: object): HostileRequest {
  return json(what, "POST", `${pathOf(name)}?${dry}`, objectOf(name, "sent", spec));
}

/** Work of so much for each of so many: schemas that ask much of each item of an object. */
export function schemaProducts(): readonly HostileCase[] {
  return [...largeDefaults(), costlyItems()];
}

const items = 600;
const blob = "d".repeat(300_000);
const storedObjects = 20;

function listOf(properties: Schema): Schema {
  return { list: { type: "array", items: { type: "object", properties } } };
}

function largeDefaults(): readonly HostileCase[] {
  const empty = { list: range(items, () => ({})) };
  /** Each level has two items, each of which has two: 2^40 in all. */
  let tree: Schema = { type: "object", properties: { leaf: { type: "string", default: "x" } } };
  for (let level = 0; level < 40; level++) {
    const list = { type: "array", items: tree, default: [{}, {}] };
    tree = { type: "object", properties: { list } };
  }
  const large = { blob: { type: "string", default: blob } };
  const stored = (index: number, metadata: object = {}): HostileRequest =>
    json("prepare", "POST", pathOf("later"), objectOf("later", `stored-${index}`, empty, metadata));
  const plural = kindOf("later").plural;
  const one = `${pathOf("later")}/stored-0`;
  const patch = (what: string, query: string, body: object): HostileRequest =>
    json(what, "PATCH", `${one}${query}`, body, mergePatch);
  return [
    {
      name: "large defaults",
      before: [
        define("large", [versionOf("v1", listOf(large))]),
        define("tree", [versionOf("v1", { tree })]),
        define("many", [
          versionOf("v1", listOf(record(2_000, (i) => [`a${i}`, { type: "string", default: "value" }]))),
        ]),
      ],
      waitsFor: pathOf("many"),
      requests: [
        write("default of 300 KB in 600 items", "large", empty),
        write("defaults in lists of defaults", "tree", { tree: {} }),
        write("2,000 defaults in 20,000 items", "many", { list: range(20_000, () => ({})) }),
        {
          ...write("default of 300 KB in 600 items, applied", "large", empty),
          method: "PATCH",
          path: `${pathOf("large")}/sent?${dry}&fieldManager=m`,
          headers: { "content-type": "application/apply-patch+yaml" },
        },
      ],
    },
    {
      name: "large defaults of stored objects",
      before: [define("later", [versionOf("v1", listOf({ blob: text }))])],
      waitsFor: pathOf("later"),
      requests: [],
    },
    {
      name: "large defaults of stored objects",
      before: [
        ...range(storedObjects, (index) => stored(index, index === 0 ? { finalizers: ["a.b/c"] } : {})),
        json(
          "prepare",
          "PATCH",
          `${definitions}/${plural}.${group}`,
          { spec: { versions: [versionOf("v1", listOf(large)), versionOf("v2", listOf(large))] } },
          mergePatch,
        ),
      ],
      waitsFor: `${pathOf("later", "v2")}/stored-1`,
      requests: [
        { kind: "large defaults, get", method: "GET", path: one },
        { kind: "large defaults, list", method: "GET", path: pathOf("later") },
        { kind: "large defaults, list of v2", method: "GET", path: pathOf("later", "v2") },
        { kind: "large defaults, table", method: "GET", path: pathOf("later"), headers: { accept: tableOf } },
        {
          kind: "large defaults, watch",
          method: "GET",
          path: `${pathOf("later")}?watch=1&resourceVersion=0&timeoutSeconds=1`,
        },
        patch("large defaults, label", "", { metadata: { labels: { a: "b" } } }),
        patch("large defaults, grows", "", { spec: { list: range(items + 1, () => ({})) } }),
        { kind: "large defaults, delete", method: "DELETE", path: one },
        patch("large defaults, last finalizer", "", { metadata: { finalizers: null } }),
        { kind: "large defaults, gone", method: "GET", path: one },
        {
          ...patch("large defaults, shrinks", "", { spec: { list: [{}] } }),
          path: `${pathOf("later")}/stored-1`,
        },
        { kind: "large defaults, delete collection", method: "DELETE", path: pathOf("later") },
      ],
    },
  ];
}

function costlyItems(): HostileCase {
  const names = range(24_000, (i) => `n${i}`);
  const each = (properties: Schema): readonly Schema[] => [versionOf("v1", properties)];
  const column = (i: number, jsonPath: string): Schema => ({ name: `C${i}`, type: "string", jsonPath });
  const columns = (count: number, path: (i: number) => string): Schema => ({
    additionalPrinterColumns: range(count, (i) => column(i, path(i))),
  });
  const rows = listOf({ a: text, b: text });
  const tables: readonly (readonly [name: string, version: Schema])[] = [
    [
      "filter",
      versionOf(
        "v1",
        rows,
        columns(1_000, (i) => `.spec.list[?(@.a=="${i}x")].b`),
      ),
    ],
    [
      "wildcard",
      versionOf(
        "v1",
        rows,
        columns(1_000, () => ".spec.list[*].a"),
      ),
    ],
    [
      "whole",
      versionOf(
        "v1",
        rows,
        columns(1_000, () => ".spec.list"),
      ),
    ],
    [
      "descent",
      versionOf(
        "v1",
        rows,
        columns(1_000, () => "..b"),
      ),
    ],
  ];
  const given = { list: range(12_000, (i) => ({ a: `v${i}`, b: "x" })) };
  return {
    name: "products of a schema",
    before: [
      define(
        "enumerated",
        each({ list: { type: "array", items: { type: "string", enum: range(5_000, (i) => `value ${i}`) } } }),
      ),
      define(
        "objectenum",
        each({
          list: {
            type: "array",
            items: {
              type: "object",
              "x-kubernetes-preserve-unknown-fields": true,
              enum: range(5_000, (i) => ({ a: i, b: [i] })),
            },
          },
        }),
      ),
      define(
        "required",
        each({
          list: {
            type: "array",
            items: { type: "object", required: names, "x-kubernetes-preserve-unknown-fields": true },
          },
        }),
      ),
      define(
        "wide",
        each(listOf(record(20_000, (i) => [`p${i}`, i === 0 ? { type: "string", default: "x" } : text]))),
      ),
      define(
        "keyed",
        each({
          list: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": range(10_000, (i) => `k${i}`),
            items: {
              type: "object",
              required: range(10_000, (i) => `k${i}`),
              properties: record(10_000, (i) => [`k${i}`, text]),
            },
          },
        }),
      ),
      define("set", each({ list: { type: "array", "x-kubernetes-list-type": "set", items: text } })),
      define(
        "pattern",
        each({
          map: {
            type: "object",
            additionalProperties: { type: "string", pattern: "^(a|b|[c-z]{1,20}){1,20}$" },
          },
        }),
      ),
      define(
        "states",
        each({ list: { type: "array", items: { type: "string", pattern: "^(a|b)*a(a|b){30}$" } } }),
      ),
      define("format", each({ list: { type: "array", items: { type: "string", format: "date-time" } } })),
      define(
        "junctor",
        each({
          list: {
            type: "array",
            items: { type: "string", anyOf: range(500, (i) => ({ pattern: `^x${i}$` })) },
          },
        }),
      ),
      ...tables.map(([name, version]) => define(name, [version])),
      ...tables.map(([name]) => json("prepare", "POST", pathOf(name), objectOf(name, "stored", given))),
    ],
    waitsFor: pathOf("descent"),
    requests: [
      write("enum of 5,000 texts, 20,000 items", "enumerated", { list: range(20_000, () => "value 4999") }),
      write("enum of 5,000 texts, 20,000 others", "enumerated", { list: range(20_000, (i) => `other ${i}`) }),
      write("enum of 5,000 objects, 20,000 items", "objectenum", {
        list: range(20_000, () => ({ b: [4_999], a: 4_999 })),
      }),
      write("24,000 required members, 24,000 items", "required", { list: range(24_000, () => ({})) }),
      write("20,000 properties, 24,000 items", "wide", { list: range(24_000, () => ({})) }),
      write("10,000 keys, 20,000 items", "keyed", { list: range(20_000, (i) => ({ k1: `${i}` })) }),
      write("10,000 keys, 20,000 same items", "keyed", { list: range(20_000, (i) => ({ k1: `${i >> 1}` })) }),
      write("set of 24,000 texts", "set", { list: range(24_000, (i) => `${"x".repeat(40)}${i}`) }),
      write("pattern, 20,000 values", "pattern", {
        map: record(20_000, (i) => [`m${i}`, "abcdefghij".repeat(12)]),
      }),
      write("pattern of many states, small body", "states", {
        list: range(15, (i) => `${"ab".repeat(1_900)}${"abba".repeat(i)}`),
      }),
      write("format, 24,000 values", "format", { list: range(24_000, () => "9".repeat(100)) }),
      write("24,000 required members, small body", "required", { list: range(15_000, () => ({})) }),
      write("20,000 properties, small body", "wide", { list: range(15_000, () => ({})) }),
      write("10,000 keys, small body", "keyed", { list: range(4_000, (i) => ({ k1: `${i}` })) }),
      write("enum of 5,000 texts, small body", "enumerated", { list: range(15_000, () => "a") }),
      write("enum of 5,000 objects, small body", "objectenum", {
        list: range(2_000, (i) => ({ a: i, b: [i] })),
      }),
      write("pattern, small body", "pattern", {
        map: record(500, (i) => [`m${i}`, "abcdefghij".repeat(10)]),
      }),
      write("500 alternatives, 1,900 items", "junctor", { list: range(1_900, () => "x499") }),
      ...tables.flatMap(([name]) => [
        json("prepare", "POST", pathOf(name), objectOf(name, "stored", given)),
        {
          kind: `table of 1,000 columns: ${name}`,
          method: "GET",
          path: pathOf(name),
          headers: { accept: tableOf },
        },
      ]),
    ],
  };
}
