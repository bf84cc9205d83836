import { setImmediate } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiGround, openApiGround } from "../../../test/registry/api-ground.js";
import { badRequest, StatusError } from "../../apimachinery/errors/status.js";
import { oldestLevel } from "../../apimachinery/levels/api-level.js";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { typePackages } from "../../apis/type-packages.js";
import type { ApiResult } from "../../endpoints/resource/api-result.js";
import { createNaming } from "../../naming/naming.js";
import { openContext } from "../request/open-context.js";
import { AnswerBudget } from "./answer-budget.js";
import { GroupBuffers } from "./group-buffers.js";
import { LargeForms, makeForm } from "./large-forms.js";
import { Negotiator } from "./negotiator.js";
import { ResultWriter } from "./result-writer.js";
import { StatusResponder } from "./status-response.js";
import { RecordedExchange, type RecordedRequest } from "./testing/recorded-exchange.js";

const naming = createNaming("kubernetes");
const maps = "/api/v1/namespaces/default/configmaps";
const protobuf = naming.protobufMediaType;
const as = (kind: string, type = "application/json"): string =>
  `${type};as=${kind};g=${naming.group("meta")};v=v1`;
const schemas = new SchemaRegistry(typePackages, {
  level: oldestLevel,
  fieldName: (neutral) => naming.field(neutral),
});
const yaml = new YamlConverter(undefined);
let ground: ApiGround;
let writer: ResultWriter;
/** Has the forms of large objects made elsewhere. */
let withLargeForms: ResultWriter;
const partialMetadata = schemas.codec("meta/v1.PartialObjectMetadata");
const forms: string[] = [];

beforeAll(async () => {
  ground = await openApiGround();
  writer = writerOf(undefined);
  withLargeForms = writerOf(
    new LargeForms({
      async make(form) {
        forms.push(`${form.version} ${form.key} ${typeof form.form === "string" ? form.form : "cells"}`);
        await setImmediate();
        return makeForm({ catalog: ground.server.catalog, partialMetadata }, form);
      },
      bytesMin: 3000,
    }),
  );
  for (const name of ["a", "b"]) {
    await ground.api.post(maps, { metadata: { name, labels: { of: "small" } }, data: { text: "<é>" } });
  }
  for (let index = 0; index < 40; index++) {
    const metadata = { name: `large-${String(index).padStart(2, "0")}`, labels: { of: "large" } };
    await ground.api.post(maps, { metadata, data: { text: `${index}`.repeat(5000) } });
  }
});
afterAll(() => ground.dispose());

function writerOf(large: LargeForms | undefined): ResultWriter {
  const negotiator = new Negotiator(naming);
  return new ResultWriter({
    negotiator,
    status: new StatusResponder(negotiator, schemas.codec("meta/v1.Status"), yaml),
    watches: {
      watch: () => Promise.reject(new Error("watches have tests of their own")),
    } as never, // no test here has a watch
    partialMetadata,
    yaml,
    answers: new AnswerBudget(),
    large,
    groupBuffers: new GroupBuffers(),
    compress: true,
    selfLinks: false,
  });
}

interface Asked extends RecordedRequest {
  readonly result?: ApiResult;
}

async function answer({ result, ...request }: Asked, by = writer): Promise<RecordedExchange> {
  const exchange = new RecordedExchange(request);
  const context = openContext(exchange, new Date("2030-01-01T00:00:00Z"));
  const outcome = result ?? (await ground.api.result(request.method ?? "GET", request.target));
  const kind = outcome.kind === "status" ? "object" : outcome.kind;
  const negotiated = by.negotiate(context, { kind, hasProtobuf: true, hasTable: kind !== "value" });
  const done = exchange.finished();
  await by.write(context, negotiated, outcome);
  return await done;
}

function accepting(target: string, accept: string): RecordedRequest {
  return { target, headers: { accept } };
}

test("an object is compact JSON, with its kind first and a line's end", async () => {
  const { body, statusCode, answered } = await answer({ target: `${maps}/a` });
  const text = body.toString();
  expect([statusCode, answered["content-type"]]).toEqual([200, "application/json"]);
  expect(text).toMatch(
    /^{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a",.*"data":{"text":"\\u003cé\\u003e"}}\n$/,
  );
  expect(JSON.parse(text)).toEqual((await ground.api.get(`${maps}/a`)).body);
});

test("a create is answered with 201", async () => {
  const sent = { body: { metadata: { name: "created" } } };
  const result = await ground.api.result("POST", maps, sent);
  const { statusCode, body } = await answer({ method: "POST", target: maps, result });
  expect([statusCode, JSON.parse(body.toString()).metadata.name]).toEqual([201, "created"]);
});

test("JSON is indented where that is asked for, and for people's programs", async () => {
  const { body: compact } = await answer({ target: `${maps}/a` });
  const indented = `${JSON.stringify(JSON.parse(compact.toString()), null, 2).replaceAll(/[<>]/g, escaped)}\n`;
  for (const request of [
    { target: `${maps}/a?pretty=true` },
    { target: `${maps}/a`, headers: { "user-agent": "curl/8.0" } },
    accepting(`${maps}/a`, "application/json;pretty=1"),
  ]) {
    expect((await answer(request)).body.toString().trimEnd()).toBe(indented.trimEnd());
  }
  const list = await answer({ target: `${maps}?labelSelector=of%3Dsmall&pretty=1` });
  expect(list.body.toString()).toMatch(/^{\n {2}"kind": "ConfigMapList",\n/);
  expect(JSON.parse(list.body.toString()).items).toHaveLength(2);

  function escaped(character: string): string {
    return `\\u00${character.charCodeAt(0).toString(16)}`;
  }
});

test("YAML says the same as JSON", async () => {
  const { body, answered } = await answer(accepting(`${maps}/a`, "application/yaml"));
  expect(answered["content-type"]).toBe("application/yaml");
  expect(body.toString()).toMatch(/^apiVersion: v1\ndata:\n {2}text: <é>\nkind: ConfigMap\nmetadata:\n/);
  const list = await answer(accepting(`${maps}?labelSelector=of%3Dsmall`, "application/yaml"));
  expect(list.body.toString()).toMatch(/^apiVersion: v1\nitems:\n- /);
});

test("protobuf comes in its envelope, an object and a list", async () => {
  const { body, answered } = await answer(accepting(`${maps}/a`, protobuf));
  expect(answered["content-type"]).toBe(protobuf);
  expect(body.subarray(0, 4)).toEqual(Buffer.from("k8s\0"));
  expect(body.includes("ConfigMap") && body.includes("<é>")).toBe(true);
  const list = await answer(accepting(`${maps}?labelSelector=of%3Dsmall`, protobuf));
  const items = await Promise.all(
    ["a", "b"].map(async (name) => {
      const result = await ground.api.result("GET", `${maps}/${name}`);
      if (result.kind !== "object") throw new Error("no object");
      return Buffer.from(result.view.proto(result.stored));
    }),
  );
  for (const item of items) expect(list.body.includes(item)).toBe(true);
  expect(schemas.codec("core/v1.ConfigMap").fromProto(items[0] ?? Buffer.alloc(0))).toMatchObject({
    metadata: { name: "a" },
  });
});

test("a table has a row for each object, with its metadata", async () => {
  const { body } = await answer(accepting(`${maps}?labelSelector=of%3Dsmall`, as("Table")));
  const table = JSON.parse(body.toString());
  expect([table.kind, table.apiVersion]).toEqual(["Table", `${naming.group("meta")}/v1`]);
  expect(table.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(["Name", "Data", "Age"]);
  expect(table.rows.map(({ cells }: { cells: unknown[] }) => cells.slice(0, 2))).toEqual([
    ["a", 1],
    ["b", 1],
  ]);
  expect(table.rows[0].object).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "a" } });
  const one = await answer(accepting(`${maps}/a?includeObject=None`, as("Table")));
  expect(JSON.parse(one.body.toString()).rows).toEqual([
    { cells: ["a", 1, expect.any(String)], object: null },
  ]);
});

test("metadata alone, of an object and of a list", async () => {
  const whole = (await ground.api.get(`${maps}/a`)).body;
  const one = await answer(accepting(`${maps}/a`, as("PartialObjectMetadata")));
  expect(JSON.parse(one.body.toString())).toEqual({
    kind: "PartialObjectMetadata",
    apiVersion: `${naming.group("meta")}/v1`,
    metadata: whole.metadata,
  });
  const list = await answer(accepting(`${maps}?labelSelector=of%3Dsmall`, as("PartialObjectMetadataList")));
  const { kind, items } = JSON.parse(list.body.toString());
  expect([kind, items[0].kind, items[0].metadata]).toEqual([
    "PartialObjectMetadataList",
    "PartialObjectMetadata",
    whole.metadata,
  ]);
  const binary = await answer(accepting(`${maps}/a`, as("PartialObjectMetadata", protobuf)));
  expect(binary.body.includes("PartialObjectMetadata") && !binary.body.includes("<é>")).toBe(true);
});

test.each([
  ["an unknown type", maps, "text/html", 406],
  ["the metadata of one where there are many", maps, as("PartialObjectMetadata"), 406],
  ["the metadata of many where there is one", `${maps}/a`, as("PartialObjectMetadataList"), 406],
  ["rows with an unknown part of the object", `${maps}/a?includeObject=Some`, as("Table"), 400],
])("%s is refused before anything is done", async (_what, target, accept, code) => {
  await expect(answer(accepting(target, accept))).rejects.toMatchObject({ code });
  await expect(answer(accepting(target, accept))).rejects.toThrow(StatusError);
});

test("a long list is sent in pieces whose length is known, or compressed", async () => {
  const target = `${maps}?labelSelector=of%3Dlarge`;
  const { body, isStreamed, answered } = await answer({ target });
  expect([isStreamed, answered["content-length"]]).toEqual([true, String(body.length)]);
  const list = JSON.parse(body.toString());
  expect(list.items.map(({ data }: { data: { text: string } }) => data.text.length)).toEqual(
    Array.from({ length: 40 }, (_, index) => 5000 * String(index).length),
  );
  const compressed = await answer({ target, headers: { "accept-encoding": "gzip" } });
  expect(compressed.answered).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
  expect(gunzipSync(compressed.body).equals(body)).toBe(true);
  const short = await answer({ target: `${maps}/a`, headers: { "accept-encoding": "gzip" } });
  expect(short.answered["content-encoding"]).toBeUndefined();
});

test("an empty list has no items, and says at which version", async () => {
  const { body } = await answer({ target: `${maps}?labelSelector=of%3Dnothing` });
  expect(body.toString()).toMatch(
    /^{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"\d+","continue":""},"items":\[\]}\n$/,
  );
});

test.each([
  ["metadata", maps, as("PartialObjectMetadataList"), '"items":[]}'],
  ["metadata in YAML", maps, as("PartialObjectMetadataList", "application/yaml"), "items: []"],
  ["rows of a kind with columns", maps, as("Table"), '"rows":[]}'],
  ["rows of a kind without", "/api/v1/namespaces/default/limitranges", as("Table"), '"rows":null}'],
])("no %s: a list is empty, and rows are what Kubernetes prints", async (_name, path, accept, expected) => {
  const none = `${path}?labelSelector=of%3Dnothing`;
  expect((await answer({ target: none, headers: { accept } })).body.toString()).toContain(expected);
  const indented = await answer({ target: `${none}&pretty=1`, headers: { accept } });
  expect(indented.body.toString().replaceAll(/\s/g, "")).toContain(expected.replaceAll(/\s/g, ""));
});

test("a Status and a value that is no object of a resource", async () => {
  await ground.api.post(maps, { metadata: { name: "gone" } });
  const result = await ground.api.result("DELETE", `${maps}/gone`);
  const { body, statusCode } = await answer({ method: "DELETE", target: `${maps}/gone`, result });
  expect([statusCode, JSON.parse(body.toString())]).toMatchObject([
    200,
    { kind: "Status", status: "Success", details: { name: "gone", kind: "configmaps" } },
  ]);
  const deployments = "/apis/apps/v1/namespaces/default/deployments";
  const labels = { a: "b" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
  await ground.api.post(deployments, {
    metadata: { name: "d" },
    spec: { replicas: 2, selector: { matchLabels: labels }, template },
  });
  const scale = await answer({ target: `${deployments}/d/scale` });
  expect(JSON.parse(scale.body.toString())).toMatchObject({
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    spec: { replicas: 2 },
  });
  await expect(answer(accepting(`${deployments}/d/scale`, as("Table")))).rejects.toMatchObject({ code: 406 });
});

test("the audit event gets what the client gets, whatever its form", async () => {
  const result = await ground.api.result("GET", `${maps}/a`);
  const { body: json } = await answer({ target: `${maps}/a` });
  for (const accept of ["application/json", protobuf]) {
    const recorded: string[] = [];
    const exchange = new RecordedExchange(accepting(`${maps}/a`, accept));
    const context = openContext(exchange, new Date());
    context.audit = {
      level: "RequestResponse",
      recordResponse: (made: () => string | Uint8Array) => recorded.push(Buffer.from(made()).toString()),
    } as never; // what the writer asks of a trail
    await writer.write(
      context,
      writer.negotiate(context, { kind: "object", hasProtobuf: true, hasTable: true }),
      result,
    );
    expect(recorded.map((text) => JSON.parse(text))).toEqual([JSON.parse(json.toString())]);
  }
});

const scalers = (version: string): string =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;

test.each([
  ["protobuf", maps, protobuf, "proto"],
  ["a table", maps, as("Table"), "cells"],
  ["a table of whole objects", `${maps}?includeObject=Object`, as("Table"), "cells"],
  ["another version", scalers("v1"), "application/json", "body"],
  ["another version, indented", `${scalers("v1")}?pretty=1`, "application/json", "body"],
  ["another version as YAML", scalers("v2beta2"), "application/yaml", "body"],
  ["another version as protobuf", scalers("v1"), protobuf, "proto"],
  ["JSON as it is kept", maps, "application/json", undefined],
])(
  "lists of large objects are the same where others make their forms: %s",
  async (_what, target, accept, form) => {
    const isScaler = target.startsWith("/apis");
    const metadata = { name: "large", annotations: { text: "x".repeat(4000) } };
    const spec = { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "a", apiVersion: "apps/v1" } };
    // New ones, of which no form is there.
    const collection = isScaler ? scalers("v2") : maps;
    await ground.api.delete(`${collection}/large`);
    await ground.api.post(collection, { metadata, ...(isScaler && { spec }) });
    await ground.api.post(collection, { metadata: { name: "small" }, ...(isScaler && { spec }) });
    forms.length = 0;
    const made = await answer(accepting(target, accept), withLargeForms);
    const version = /v2beta2/.exec(target)?.[0] ?? "v1";
    expect(forms.filter((text) => text.includes(" default/large "))).toEqual(
      form === undefined ? [] : [`${version} default/large ${form}`],
    );
    expect(forms.some((text) => text.includes("/small "))).toBe(false);
    const plain = await answer(accepting(target, accept));
    expect(made.body.equals(plain.body)).toBe(true);
    expect(made.statusCode).toBe(200);
  },
);

test("a list fails as the form of one of its objects does", async () => {
  const failing = new LargeForms({
    make: () => Promise.reject(badRequest("no")),
    bytesMin: 3000,
  });
  await ground.api.post(maps, {
    metadata: { name: "fails", labels: { of: "failing" } },
    data: { a: "x".repeat(4000) },
  });
  const target = `${maps}?labelSelector=of%3Dfailing`;
  const by = writerOf(failing);
  await expect(answer(accepting(target, protobuf), by)).rejects.toThrow("no");
  await expect(answer(accepting(target, as("Table")), by)).rejects.toThrow("no");
  expect((await answer(accepting(target, "application/json"), by)).statusCode).toBe(200);
});
