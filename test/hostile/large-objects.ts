import type { HostileCase } from "./corpus.js";
import { type HostileRequest, json, range, record } from "./hostile-request.js";

const core = "/api/v1/namespaces/default";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const group = "large.example.org";
const tableOf = "application/json;as=Table;v=v1;g=meta.k8s.io";
const mergePatch = "application/merge-patch+json";

/** Objects that Kubernetes stores, of as many parts as there is room for, and everything that reads them again. */
export function largeObjects(): readonly HostileCase[] {
  const amounts = record(18_000, (i) => [`a.b/r${i}`, "1"]);
  return [
    {
      name: "large objects",
      before: [
        define("any", { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } }),
        json("prepare", "POST", `${core}/resourcequotas`, {
          metadata: { name: "large" },
          spec: { hard: record(2_000, (i) => [`requests.a.b/r${i}`, "1000000"]) },
        }),
      ],
      waitsFor: `/apis/${group}/v1/namespaces/default/anys`,
      requests: [
        ...lifeOf("50,000 entries", `${core}/configmaps`, { data: record(50_000, (i) => [`k${i}`, "v"]) }),
        ...lifeOf("a megabyte of escapes", `${core}/configmaps`, { data: { a: "&".repeat(1_000_000) } }),
        ...lifeOf("36,000 quantities", `${core}/pods`, {
          spec: {
            containers: [{ name: "c", image: "i", resources: { limits: amounts, requests: amounts } }],
          },
        }),
        ...lifeOf("500,000 numbers", `/apis/${group}/v1/namespaces/default/anys`, {
          apiVersion: `${group}/v1`,
          kind: "Any",
          spec: { list: range(500_000, () => 1) },
        }),
        ...lifeOf("350,000 objects", `/apis/${group}/v1/namespaces/default/anys`, {
          apiVersion: `${group}/v1`,
          kind: "Any",
          spec: { list: range(350_000, () => ({})) },
        }),
        ...lifeOf("30,000 schemas", definitions, {
          metadata: { name: `manys.${group}` },
          spec: specOf(
            "many",
            record(30_000, (i) => [`a${i}`, { type: "string" }]),
          ),
        }),
        ...range(16, (i) =>
          json("prepare", "POST", `${core}/configmaps`, {
            metadata: { name: `many-parts-${i}` },
            data: record(30_000, (k) => [`k${k}`, "v"]),
          }),
        ),
        ...(["application/vnd.kubernetes.protobuf", tableOf, "application/yaml"] as const).map((accept) => ({
          kind: `list of 16 objects of 30,000 entries, ${accept}`,
          method: "GET",
          path: `${core}/configmaps`,
          headers: { accept },
        })),
        {
          kind: "16 objects of 30,000 entries, deleted in the foreground",
          method: "DELETE",
          path: `${core}/configmaps?propagationPolicy=Foreground`,
        },
        { kind: "large quota deleted", method: "DELETE", path: `${core}/resourcequotas/large` },
      ],
    },
  ];
}

function lifeOf(what: string, collection: string, object: object): readonly HostileRequest[] {
  const given = { name: "large", ...("metadata" in object && Object(object.metadata)) };
  const path = `${collection}/${given.name}`;
  const get = (how: string, at: string, accept: string): HostileRequest => ({
    kind: `${what}, ${how}`,
    method: "GET",
    path: at,
    headers: { accept },
  });
  return [
    json(`${what}, created`, "POST", collection, { ...object, metadata: given }),
    get("list", collection, "application/json"),
    get("table", collection, tableOf),
    get("protobuf", collection, "application/vnd.kubernetes.protobuf,application/json"),
    get("YAML", path, "application/yaml"),
    get("watch", `${collection}?watch=1&resourceVersion=0&timeoutSeconds=1`, "application/json"),
    json(`${what}, labelled`, "PATCH", path, { metadata: { labels: { a: "b" } } }, mergePatch),
    { kind: `${what}, deleted`, method: "DELETE", path },
  ];
}

function define(name: string, properties: object): HostileRequest {
  return json("prepare", "POST", definitions, {
    metadata: { name: `${name}s.${group}` },
    spec: specOf(name, properties),
  });
}

function specOf(name: string, properties: object): object {
  const kind = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  const schema = { openAPIV3Schema: { type: "object", properties } };
  return {
    group,
    scope: "Namespaced",
    names: { kind, plural: `${name}s`, singular: name, listKind: `${kind}List` },
    versions: [{ name: "v1", served: true, storage: true, schema }],
  };
}
