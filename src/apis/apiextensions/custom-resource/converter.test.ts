import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ObjectMeta } from "../../../apimachinery/objects/meta.js";
import type { MessageCodec } from "../../../apimachinery/schema/codec.js";
import { parseStructuralSchema } from "../../../apimachinery/structural-schema/parse-schema.js";
import { testApiContext } from "../../testing/api-context.js";
import { Converter, type ConvertRemotely } from "./converter.js";
import { CustomCodec } from "./custom-codec.js";
import type { CustomObject } from "./custom-object.js";

// The type of metadata is declared, so that its codec has a schema.
const metaCodec = testApiContext().schemas.codec("meta/v1.ObjectMeta") as MessageCodec<ObjectMeta>;
const schema = { type: "object" };
const codec = new CustomCodec({
  metaCodec,
  schema: () => parseStructuralSchema(schema, "x-"),
});
/** Of a definition that keeps all fields. */
const everything = { type: "object", "x-preserve-unknown-fields": true };
const keeping = new CustomCodec({ metaCodec, schema: () => parseStructuralSchema(everything, "x-") });
const versions = ["v1", "v2", "v3"];
const codecs = new Map(versions.map((version) => [version, codec]));
const preserving = new Map(versions.map((version) => [version, keeping]));
const scope = { signal: new AbortController().signal, runWork: <T>(work: () => T): T => work() };

type Answer = (objects: readonly JsonObject[], apiVersion: string) => Promise<JsonObject[]>;

function converterWith(answer: Answer): Converter {
  const convert: ConvertRemotely = async ({ sources, desiredApiVersion }, read) =>
    read(
      await answer(
        sources.map((source) => JSON.parse(source)),
        desiredApiVersion,
      ),
    );
  return new Converter({ group: "example.com", kind: "Boat", codecs, convert });
}

function boat(name: string): CustomObject {
  return { metadata: { name, uid: `uid-${name}`, resourceVersion: "7", labels: { a: "b" } } };
}

test("many objects are converted in calls of at most 500, of one version each, and stay in their order", async () => {
  const calls: { readonly from: Set<unknown>; readonly count: number }[] = [];
  const converter = converterWith(async (objects, apiVersion) => {
    calls.push({ from: new Set(objects.map((one) => one.apiVersion)), count: objects.length });
    return objects.map((one) => ({ ...one, apiVersion }));
  });
  const objects = Array.from({ length: 1_601 }, (_, index) => ({
    object: boat(`b${index}`),
    from: index % 4 === 0 ? "v2" : "v1",
  }));
  const converted = await converter.convertAll(objects, "v3", scope);
  expect(converted.map(({ metadata }) => metadata.name)).toEqual(
    objects.map(({ object }) => object.metadata.name),
  );
  expect(calls.map(({ count }) => count)).toEqual([401, 500, 500, 200]);
  for (const { from } of calls) expect(from.size).toBe(1);
});

test("a webhook changes labels and annotations of the metadata, and nothing else of it", async () => {
  const converter = converterWith(async (objects, apiVersion) =>
    objects.map((one) => ({
      ...one,
      apiVersion,
      metadata: {
        ...(one.metadata as JsonObject), // as sent
        resourceVersion: "99",
        finalizers: ["example.com/x"],
        generation: 5,
        labels: { c: "d" },
        annotations: { e: "f" },
      },
    })),
  );
  const [converted] = await converter.convertAll([{ object: boat("one"), from: "v1" }], "v2", scope);
  expect(JSON.parse(codec.toJson(converted ?? boat("none"))).metadata).toEqual({
    name: "one",
    uid: "uid-one",
    resourceVersion: "7",
    creationTimestamp: null,
    labels: { c: "d" },
    annotations: { e: "f" },
  });
});

test.each([
  ["name", "must have the same name: one != other"],
  ["namespace", "must have the same namespace:  != other"],
  ["uid", "must have the same UID: uid-one != other"],
])("an object with another %s is refused", async (field, problem) => {
  const converter = converterWith(async (objects, apiVersion) =>
    objects.map((one) => ({
      ...one,
      apiVersion,
      metadata: { ...(one.metadata as JsonObject), [field]: "other" }, // as sent
    })),
  );
  await expect(converter.convertAll([{ object: boat("one"), from: "v1" }], "v2", scope)).rejects.toThrow(
    `conversion webhook for example.com/v1, Kind=Boat returned invalid object: ${problem}`,
  );
});

test("many objects are printed and decoded one by one, and sent as they were printed", async () => {
  const large = 2n ** 60n + 1n;
  const sent: string[] = [];
  const convert: ConvertRemotely = async ({ sources, from, desiredApiVersion }, read) => {
    sent.push(from, ...sources);
    return read(sources.map((source) => ({ ...JSON.parse(source), apiVersion: desiredApiVersion })));
  };
  const converter = new Converter({ group: "example.com", kind: "Boat", codecs: preserving, convert });
  let steps = 0;
  const inSteps = {
    ...scope,
    runWork: async <T>(work: () => T): Promise<T> => {
      steps++;
      return work();
    },
  };
  const objects = ["a", "b", "c"].map((name) => ({
    object: { ...boat(name), spec: { size: large } },
    from: "v1",
  }));
  await converter.convertAll(objects, "v2", inSteps);
  expect(steps).toBe(6);
  expect(sent).toEqual(["v1", ...["a", "b", "c"].map((name) => expect.stringContaining(`"name":"${name}"`))]);
  expect(sent[1]).toContain(`"size":${large}`);
});
