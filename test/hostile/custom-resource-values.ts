import type { HostileCase } from "./corpus.js";
import { type HostileRequest, json, range, record } from "./hostile-request.js";
import { most } from "./sizes.js";

/** Values that schemas are interpreted for: a map of texts, and a list of objects with defaults. */
export function customResourceValues(): HostileCase {
  const group = "hostile.example.org";
  const things = `/apis/${group}/v1/namespaces/default/things`;
  const map = { type: "object", additionalProperties: { type: "string", maxLength: 100 } };
  const item = {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", pattern: "^[a-z0-9]+$" },
      mode: { type: "string", default: "a", enum: ["a", "b"] },
    },
  };
  const list = {
    type: "array",
    items: item,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
  };
  const set = { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" };
  const numbers = { type: "array", items: { type: "integer" } };
  const spec = {
    type: "object",
    properties: {
      map,
      list,
      set,
      numbers,
      any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      // Large values below small ones, and several schemas for each value.
      nested: { type: "array", items: { type: "object", properties: { list, map, set } } },
      either: {
        ...numbers,
        items: { type: "integer", anyOf: range(30, (i) => ({ maximum: i })) },
        oneOf: [{ minItems: 1 }, { minItems: 1_000_000 }],
      },
    },
  };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  const names = { kind: "Thing", listKind: "ThingList", plural: "things", singular: "thing" };
  const thing = (name: string, given: object): object => ({
    apiVersion: `${group}/v1`,
    kind: "Thing",
    metadata: { name },
    spec: given,
  });
  const wide = { map: record(most.stored, (i) => [`k${i}`, "v"]) };
  const items = { list: range(most.stored, (i) => ({ name: `n${i}` })) };
  const [storedItems, changedItems] = ["a", "b"].map((mode) => ({
    list: range(most.stored / 2, (i) => ({ name: `n${i}`, mode })),
  })) as [object, object]; // one for each
  const any = {
    any: record(4, (i) => [`list${i}`, range(most.stored, () => 1)]),
  };
  const dry = "dryRun=All";
  const create = (kind: string, given: object): HostileRequest =>
    json(`custom, ${kind}`, "POST", `${things}?${dry}`, thing("created", given));
  const change = (kind: string, given: object, type: string, query = dry, name = "wide"): HostileRequest =>
    json(`custom, ${kind}`, "PATCH", `${things}/${name}?${query}`, given, type);
  const changed = { map: record(most.stored, (i) => [`k${i}`, "w"]) };
  return {
    name: "custom resources",
    before: [
      json("prepare", "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: `things.${group}` },
        spec: {
          group,
          scope: "Namespaced",
          names,
          versions: [{ name: "v1", served: true, storage: true, schema }],
        },
      }),
    ],
    waitsFor: things,
    requests: [
      json("custom, stored", "POST", things, thing("wide", wide)),
      create("map", wide),
      create("list", items),
      create("list, bad", { list: range(most.stored, () => ({ name: "BAD", mode: "c" })) }),
      create("any", any),
      create("set", { set: range(most.members, (i) => `s${i}`) }),
      create("set, odd order", { set: range(most.members, (i) => `<"${(i * 7919) % most.members}">`) }),
      create("list, keys that need escapes", {
        list: range(most.stored, (i) => ({ name: `<"${(i * 7919) % most.stored}">` })),
      }),
      create("nested", { nested: range(3, () => ({ list: items.list })) }),
      create("nested, small", {
        nested: range(100, (i) => ({ map: record(900, (k) => [`k${i}-${k}`, "v"]) })),
      }),
      create("alternatives", { either: range(most.members, () => 29) }),
      create("alternatives, bad", { either: range(most.members, () => 31) }),
      json("custom, update", "PUT", `${things}/wide?${dry}`, thing("wide", changed)),
      change("merge patch", { spec: changed }, "application/merge-patch+json"),
      change(
        "apply",
        thing("wide", changed),
        "application/apply-patch+yaml",
        `${dry}&fieldManager=m&force=true`,
      ),
      change(
        "apply, list",
        thing("wide", items),
        "application/apply-patch+yaml",
        `${dry}&fieldManager=m&force=true`,
      ),
      json("custom, stored list", "POST", things, thing("long", storedItems)),
      json("custom, update, list", "PUT", `${things}/long?${dry}`, thing("long", changedItems)),
      change("merge patch, list", { spec: changedItems }, "application/merge-patch+json", dry, "long"),
      change(
        "apply, changed list",
        thing("long", changedItems),
        "application/apply-patch+yaml",
        `${dry}&fieldManager=m&force=true`,
        "long",
      ),
      {
        kind: "custom, table",
        method: "GET",
        path: things,
        headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
      },
      { kind: "custom, delete", method: "DELETE", path: `${things}/wide?${dry}` },
      // Stored with the version of its revision, of which it has another.
      json("custom, other version", "POST", things, {
        ...thing("versions", items),
        metadata: { name: "versions", labels: { resourceVersion: "1" } },
      }),
      { kind: "custom, deleted", method: "DELETE", path: `${things}/versions` },
    ],
  };
}
