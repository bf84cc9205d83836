import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse as parseYaml, stringify as stringifyYaml } from "yaml";
import { apiLevels } from "../../src/apimachinery/levels/api-level.js";
import { decodeEnvelope, encodeEnvelope } from "../../src/apimachinery/schema/envelope.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import { createNaming } from "../../src/naming/naming.js";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { minimalObjects } from "../support/minimal-objects.js";
import { settled } from "../support/settled.js";
import { allStoredKinds, collectionOf, storedKinds } from "../support/stored-kinds.js";

/** How objects travel: each kind in every form it has, and what clients may ask for. */

const context = testApiContext();
const { naming } = context;
const metaGroup = naming.group("meta");
const objects = await minimalObjects(naming);
const partial = (version: string, kind = "PartialObjectMetadata") => `as=${kind};g=${metaGroup};v=${version}`;
const table = (version: string) => `application/json;as=Table;g=${metaGroup};v=${version}`;

let server: ServerHere;
let api: ApiClient;

beforeAll(async () => {
  server = await startServerHere();
  api = new ApiClient(server);
});

afterAll(async () => {
  await api.close();
  await server.dispose();
});

const kinds = storedKinds(context);

test("there is an object of every kind of any level", () => {
  const ofAllLevels = apiLevels.flatMap((level) => allStoredKinds(testApiContext({ level })));
  const names = new Set(ofAllLevels.map(({ name }) => name));
  expect(Object.keys(objects).sort()).toEqual([...names].sort());
});

/** As in Kubernetes, the annotation of a daemon set that stands for a field is not part of its metadata alone. */
function withoutGeneration({ annotations, ...metadata }: { annotations?: Record<string, string> }): object {
  const { "deprecated.daemonset.template.generation": generation, ...others } = annotations ?? {};
  if (annotations === undefined || (generation !== undefined && Object.keys(others).length === 0))
    return metadata;
  return { ...metadata, annotations: others };
}

describe.each(kinds)("$name", ({ definition, versions, name }) => {
  let objectName = "minimal";

  test("can be created", async () => {
    const parts = objects[name] ?? {};
    const { metadata } = parts as { metadata?: { name?: string } };
    objectName = metadata?.name ?? objectName;
    const path = collectionOf(definition, versions[0]?.version ?? "");
    const answer = await api.post(path, { ...parts, metadata: { ...metadata, name: objectName } });
    expect(answer.text, answer.text).toContain(`"kind":"${definition.kind}"`);
    expect(answer.status).toBe(201);
    // Nothing below is to be overtaken by the server's own controllers.
    await settled(api, definition.resource, `${path}/${objectName}`);
  });

  test.each(versions)("is the same in every form ($version)", async ({ version, codec }) => {
    const collection = collectionOf(definition, version);
    const path = `${collection}/${objectName}`;
    const json = await api.get(path);
    expect(json.status).toBe(200);
    const { body } = json;

    const yaml = await api.ask("GET", path, { headers: { accept: "application/yaml" } });
    expect(parseYaml(yaml.text)).toEqual(body);
    expect(parseYaml(yaml.text, { version: "1.1", schema: "core" })).toEqual(body);

    const pretty = await api.get(`${path}?pretty=true`);
    expect(pretty.text).toBe(JSON.stringify(body, undefined, 2).replace(/[<>&\u2028]/g, escaped));

    const protobuf = await api.ask("GET", path, { headers: { accept: naming.protobufMediaType } });
    const { typeMeta, raw } = decodeEnvelope(protobuf.bytes);
    expect(typeMeta).toEqual({ apiVersion: body.apiVersion, kind: body.kind });
    expect(`${codec.toJsonWithType(codec.fromProto(raw), typeMeta)}\n`).toBe(json.text);
    expect(Buffer.from(codec.toProto(codec.fromJson(body))).equals(raw)).toBe(true);

    const shown = withoutGeneration(body.metadata);
    for (const metaVersion of ["v1", "v1beta1"]) {
      const metadata = { apiVersion: `${metaGroup}/${metaVersion}`, kind: "PartialObjectMetadata" };
      const onlyMetadata = await api.ask("GET", path, {
        headers: { accept: `application/json;${partial(metaVersion)}` },
      });
      expect(onlyMetadata.body).toEqual({ ...metadata, metadata: shown });
      const inProtobuf = await api.ask("GET", path, {
        headers: { accept: `${naming.protobufMediaType};${partial(metaVersion)}` },
      });
      const envelope = decodeEnvelope(inProtobuf.bytes);
      expect(envelope.typeMeta).toEqual(metadata);
      const partialCodec = context.schemas.codec("meta/v1.PartialObjectMetadata");
      expect(JSON.parse(partialCodec.toJson(partialCodec.fromProto(envelope.raw)))).toEqual({
        metadata: shown,
      });

      const asTable = (await api.ask("GET", path, { headers: { accept: table(metaVersion) } })).body;
      expect(asTable).toMatchObject({
        kind: "Table",
        apiVersion: metadata.apiVersion,
        metadata: { resourceVersion: body.metadata.resourceVersion },
        rows: [{ object: { ...metadata, metadata: shown } }],
      });
      expect(asTable.columnDefinitions).toContainEqual(
        expect.objectContaining({ name: "Name", type: "string", format: "name" }),
      );
      expect(asTable.rows[0].cells).toHaveLength(asTable.columnDefinitions.length);
    }
  });

  test.each(versions)("sent back in any form, it stays as it is ($version)", async ({ version, codec }) => {
    const path = `${collectionOf(definition, version)}/${objectName}`;
    const { text, body } = await api.get(path);
    const typeMeta = { apiVersion: body.apiVersion, kind: body.kind };
    for (const [contentType, raw] of [
      ["application/json", text],
      ["application/yaml", stringifyYaml(body, { version: "1.1" })],
      [naming.protobufMediaType, encodeEnvelope(typeMeta, codec.toProto(codec.fromJson(body)))],
    ] as const) {
      const answer = await api.ask("PUT", path, { raw, contentType });
      expect({ contentType, status: answer.status, body: answer.body }).toEqual({
        contentType,
        status: 200,
        body,
      });
    }
  });

  test.each(versions)("is the same in lists of every form ($version)", async ({ version, codec }) => {
    const query = definition.resource === "events" ? "" : `?fieldSelector=metadata.name=${objectName}`;
    const path = `${collectionOf(definition, version)}${query}`;
    const ask = (accept: string) => api.ask("GET", path, { headers: { accept } });
    const list = (await api.get(path)).body;
    expect(list).toMatchObject({ kind: `${definition.kind}List`, metadata: { continue: "" } });
    expect(list.items.length).toBeGreaterThan(0);
    // That of the store, which the server's controllers write to as well.
    list.metadata.resourceVersion = expect.stringMatching(/^\d+$/);
    expect(parseYaml((await ask("application/yaml")).text)).toEqual(list);
    expect(JSON.parse((await api.get(`${path}${query === "" ? "?" : "&"}pretty=1`)).text)).toEqual(list);

    const { typeMeta, raw } = decodeEnvelope((await ask(naming.protobufMediaType)).bytes);
    expect(typeMeta).toEqual({ apiVersion: list.apiVersion, kind: list.kind });
    const listCodec = context.schemas.codec(`${codec.schema?.name}List`);
    const decoded = JSON.parse(listCodec.toJson(listCodec.fromProto(raw)));
    expect({ ...decoded, metadata: { continue: "", ...decoded.metadata } }).toEqual(withoutType(list));

    for (const metaVersion of ["v1", "v1beta1"]) {
      const apiVersion = `${metaGroup}/${metaVersion}`;
      const items = list.items.map(({ metadata }: { metadata: object }) => ({
        kind: "PartialObjectMetadata",
        apiVersion,
        metadata: withoutGeneration(metadata),
      }));
      const form = partial(metaVersion, "PartialObjectMetadataList");
      const onlyMetadata = (await ask(`application/json;${form}`)).body;
      expect(onlyMetadata).toEqual({
        kind: "PartialObjectMetadataList",
        apiVersion,
        metadata: list.metadata,
        items,
      });
      const envelope = decodeEnvelope((await ask(`${naming.protobufMediaType};${form}`)).bytes);
      expect(envelope.typeMeta).toEqual({ apiVersion, kind: "PartialObjectMetadataList" });
      const partialCodec = context.schemas.codec(`meta/${metaVersion}.PartialObjectMetadataList`);
      const partials = JSON.parse(partialCodec.toJson(partialCodec.fromProto(envelope.raw)));
      expect(partials.items).toEqual(items.map(({ metadata }: { metadata: object }) => ({ metadata })));
      expect(partials.metadata.resourceVersion).toEqual(list.metadata.resourceVersion);

      const asTable = (await ask(table(metaVersion))).body;
      expect(asTable.rows.map((row: { object: object }) => row.object)).toEqual(items);
      const whole = await api.ask("GET", `${path}${query === "" ? "?" : "&"}includeObject=Object`, {
        headers: { accept: table(metaVersion) },
      });
      expect(whole.body.rows.map((row: { object: object }) => withoutType(row.object))).toEqual(list.items);
    }
  });
});

describe("what a client accepts", () => {
  const maps = "/api/v1/namespaces/default/configmaps";
  const protobuf = naming.protobufMediaType;
  const other = createNaming("orch");

  beforeAll(async () => {
    await api.post(maps, { metadata: { name: "accepted" }, data: { a: "b" } });
  });

  test.each<[accept: string | undefined, contentType: string]>([
    [undefined, "application/json"],
    ["*/*", "application/json"],
    ["application/*,*/*;q=0.1", "application/json"],
    ["text/html,*/*;q=0.8", "application/json"],
    ["application/json;charset=utf-8", "application/json"],
    ["application/yaml", "application/yaml"],
    ["application/json;q=0.5,application/yaml", "application/yaml"],
    [protobuf, protobuf],
    [other.protobufMediaType, other.protobufMediaType],
    [`${protobuf},application/json`, protobuf],
    [`${protobuf};as=Table;g=${metaGroup};v=v1,${table("v1")}`, "application/json"],
    [`application/json;as=Table;g=${other.group("meta")};v=v1`, "application/json"],
    [`application/json;as=Table;g=${metaGroup};v=v9,application/json`, "application/json"],
    [`application/yaml;as=Table;g=${metaGroup};v=v1`, "application/yaml"],
  ])("%s is answered with %s", async (accept, contentType) => {
    const answer = await api.ask(
      "GET",
      `${maps}/accepted`,
      accept === undefined ? {} : { headers: { accept } },
    );
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe(contentType);
  });

  const unserved = [
    "image/png",
    "application/*",
    `${protobuf};as=Table;g=${metaGroup};v=v1`,
    `application/json;as=Table;g=${metaGroup};v=v2`,
    `application/json;${partial("v1", "PartialObjectMetadataList")}`,
  ];

  test.each(unserved)("%s is refused before anything is done", async (accept) => {
    const headers = { accept };
    const before = (await api.get(maps)).body.items;
    const map = { metadata: { name: "refused" } };
    for (const answer of [
      await api.ask("POST", maps, { body: map, headers }),
      await api.ask("PUT", `${maps}/accepted`, { body: { metadata: { name: "accepted" } }, headers }),
      await api.ask("PATCH", `${maps}/accepted`, {
        body: { data: null },
        contentType: "application/merge-patch+json",
        headers,
      }),
      await api.ask("DELETE", `${maps}/accepted`, { headers }),
      await api.ask("GET", `${maps}/accepted`, { headers }),
      await api.ask("POST", `/apis/${naming.group("authorization")}/v1/selfsubjectaccessreviews`, {
        body: {},
        headers,
      }),
    ]) {
      expect(answer.body).toMatchObject({ kind: "Status", code: 406, reason: "NotAcceptable" });
      expect(answer.status).toBe(406);
    }
    expect((await api.get(maps)).body.items).toEqual(before);
  });

  test("a collection is no single object, nor the other way round", async () => {
    for (const method of ["GET", "DELETE"]) {
      const answer = await api.ask(method, `${maps}?fieldSelector=metadata.name=x`, {
        headers: { accept: `application/json;${partial("v1")}` },
      });
      expect(answer.body).toMatchObject({
        code: 406,
        message: expect.stringContaining("the requested object is a list"),
      });
    }
  });

  test("a 406 lists what there is, and to what accepts another stream what there is to stream", async () => {
    const message = async (target: string, accept: string) =>
      (await api.ask("GET", target, { headers: { accept } })).body.message;
    const only = "only the following media types are accepted";
    const all = `application/json, application/yaml, ${protobuf}`;
    // Before 1.25 the router lists nothing.
    expect(await message(maps, "image/png")).toBe("406: Not Acceptable");
    expect(await message(maps, "application/json;as=Other")).toBe(`${only}: ${all}`);
    expect(await message(`${maps}?watch=1`, "application/json;stream=other")).toBe(`${only}: ${all}`);
    expect(
      (await api.ask("GET", `${maps}?watch=1`, { headers: { accept: "application/yaml" } })).status,
    ).toBe(406);
  });

  test("an error has the form that was asked for, JSON when that has none", async () => {
    const missing = `${maps}/nowhere`;
    const inProtobuf = await api.ask("GET", missing, { headers: { accept: protobuf } });
    expect(decodeEnvelope(inProtobuf.bytes).typeMeta).toEqual({ apiVersion: "v1", kind: "Status" });
    const inYaml = await api.ask("GET", missing, { headers: { accept: "application/yaml" } });
    expect(parseYaml(inYaml.text)).toMatchObject({ kind: "Status", code: 404 });
    const asTable = await api.ask("GET", missing, { headers: { accept: table("v1") } });
    expect(asTable.body).toMatchObject({ kind: "Status", code: 404 });
    const unknownType = await api.ask("GET", "/api/v1/nowhere", { headers: { accept: "image/png" } });
    expect(unknownType.body).toMatchObject({ kind: "Status", code: 404 });
  });

  test("a body in one form is answered in another", async () => {
    const answer = await api.ask("POST", maps, {
      raw: "kind: ConfigMap\napiVersion: v1\nmetadata: {name: mixed}\ndata: {a: 'yes'}\n",
      contentType: "application/yaml; charset=utf-8",
      headers: { accept: protobuf },
    });
    const { raw } = decodeEnvelope(answer.bytes);
    const codec = context.schemas.codec("core/v1.ConfigMap");
    expect(codec.fromProto(raw)).toMatchObject({ metadata: { name: "mixed" }, data: { a: "yes" } });
  });

  test.each(["text/plain", "application/xml", "application", "application/json+x"])(
    "a body that is %s is 415",
    async (contentType) => {
      const answer = await api.ask("POST", maps, { raw: "{}", contentType });
      expect(answer.body).toMatchObject({ code: 415, reason: "UnsupportedMediaType" });
      expect(answer.body.message).toContain(protobuf);
    },
  );

  test.each([
    ["application/json", '{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"x"}}'],
    ["application/yaml", "kind: DeleteOptions\napiVersion: v1\npreconditions: {uid: x}\n"],
    [protobuf, deleteOptions({ preconditions: { uid: "x" } })],
  ])("options of a delete can be %s", async (contentType, raw) => {
    const answer = await api.ask("DELETE", `${maps}/accepted`, { raw, contentType });
    expect(answer.body).toMatchObject({ code: 409, reason: "Conflict" });
    expect(answer.body.message).toContain("the UID in the precondition (x)");
  });

  function deleteOptions(options: object): Buffer {
    const codec = context.schemas.codec("meta/v1.DeleteOptions");
    return encodeEnvelope(
      { apiVersion: "v1", kind: "DeleteOptions" },
      codec.toProto(codec.fromJson({ ...options })),
    );
  }

  test("a delete answers with a Status, whatever form an object was to have", async () => {
    await api.post(maps, { metadata: { name: "short-lived" } });
    const answer = await api.ask("DELETE", `${maps}/short-lived`, { headers: { accept: table("v1") } });
    expect(answer.body).toMatchObject({
      kind: "Status",
      status: "Success",
      details: { name: "short-lived" },
    });
  });

  test("a created object can come back as a table or as its metadata", async () => {
    const asTable = await api.ask("POST", `${maps}?dryRun=All`, {
      body: { metadata: { name: "t" } },
      headers: { accept: table("v1") },
    });
    expect(asTable.status).toBe(201);
    expect(asTable.body.rows[0].cells.slice(0, 2)).toEqual(["t", 0]);
    const metadata = await api.ask("POST", `${maps}?dryRun=All`, {
      body: { metadata: { name: "t" } },
      headers: { accept: `application/json;${partial("v1")}` },
    });
    expect(metadata.status).toBe(201);
    expect(metadata.body).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "t" } });
  });

  test("rows hold nothing, metadata or the whole object, as asked", async () => {
    const ask = (query: string) =>
      api.ask("GET", `${maps}/accepted?${query}`, { headers: { accept: table("v1") } });
    expect((await ask("includeObject=None")).body.rows[0].object).toBeNull();
    expect((await ask("includeObject=Metadata")).body.rows[0].object.kind).toBe("PartialObjectMetadata");
    expect((await ask("includeObject=Object")).body.rows[0].object).toMatchObject({
      kind: "ConfigMap",
      data: { a: "b" },
    });
    expect((await ask("includeObject=All")).body).toMatchObject({
      code: 400,
      message:
        "Unable to convert to Table as requested: includeObject: Invalid value: \"All\": must be 'Metadata', 'Object', 'None', or empty",
    });
  });

  test("a table of chunks says how to go on", async () => {
    const page = await api.ask("GET", `${maps}?limit=1`, { headers: { accept: table("v1") } });
    expect(page.body.rows).toHaveLength(1);
    expect(page.body.metadata.continue).not.toBe("");
    expect(page.body.metadata.remainingItemCount).toBeGreaterThan(0);
  });

  test.each(["?pretty=true", "?pretty=1", ""])("JSON is indented for people (%s)", async (query) => {
    const headers: Record<string, string> = query === "" ? { "user-agent": "curl/8" } : {};
    expect((await api.ask("GET", `${maps}/accepted${query}`, { headers })).text).toMatch(
      /^\{\n {2}"kind": "ConfigMap",\n/,
    );
    const off = await api.ask("GET", `${maps}/accepted?pretty=false`, { headers });
    expect(off.text).toMatch(/^\{"kind":"ConfigMap",/);
  });

  test("virtual kinds have every form too", async () => {
    const path = `/apis/${naming.group("authorization")}/v1/selfsubjectaccessreviews`;
    const review = { spec: { resourceAttributes: { verb: "get", resource: "pods" } } };
    const ask = (accept: string) => api.ask("POST", path, { body: review, headers: { accept } });
    const json = await ask("application/json");
    expect(json.status).toBe(201);
    expect(json.body.status.allowed).toBe(true);
    // Each was asked at a time of its own, which its managed fields tell.
    const untimed = (text: string): string => text.replace(/"time":"[^"]*"/, '"time":""');
    const fromYaml = JSON.stringify(parseYaml((await ask("application/yaml")).text));
    expect(JSON.parse(untimed(fromYaml))).toEqual(JSON.parse(untimed(json.text)));
    const { typeMeta, raw } = decodeEnvelope((await ask(protobuf)).bytes);
    const codec = context.schemas.codec("authorization/v1.SelfSubjectAccessReview");
    const fromProto = codec.toJsonWithType(codec.fromProto(raw), typeMeta);
    expect(untimed(`${fromProto}\n`)).toBe(untimed(json.text));
    expect((await ask(`application/json;${partial("v1")}`)).body.kind).toBe("PartialObjectMetadata");
    expect((await ask(table("v1"))).status).toBe(406);
  });
});

describe("long lists", () => {
  const path = "/api/v1/namespaces/long/configmaps";
  const count = 400;

  beforeAll(async () => {
    await api.post("/api/v1/namespaces", { metadata: { name: "long" } });
    const data = { text: "x".repeat(500) };
    await Promise.all(
      Array.from({ length: count }, (_, i) => api.post(path, { metadata: { name: `map-${i}` }, data })),
    );
  });

  test.each([
    ["application/json", (bytes: Buffer) => JSON.parse(bytes.toString()).items],
    ["application/yaml", (bytes: Buffer) => parseYaml(bytes.toString(), { maxAliasCount: -1 }).items],
    [table("v1"), (bytes: Buffer) => JSON.parse(bytes.toString()).rows],
    [
      naming.protobufMediaType,
      (bytes: Buffer) => {
        const codec = context.schemas.codec<{ items: unknown[] }>("core/v1.ConfigMapList");
        return codec.fromProto(decodeEnvelope(bytes).raw).items;
      },
    ],
  ])("as %s come compressed for clients that take it, and plain for others", async (accept, itemsOf) => {
    const plain = await api.ask("GET", `${path}?resourceVersion=0`, { headers: { accept } });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    // Text that is made on the way has no length before it is made.
    const isMade = accept.includes("yaml") || accept.includes("Table");
    expect(plain.headers["content-length"]).toBe(isMade ? undefined : String(plain.bytes.length));
    const items = itemsOf(plain.bytes);
    // The controllers put one of their own into each namespace.
    expect(items.length).toBeGreaterThanOrEqual(count);

    const packed = await api.ask("GET", `${path}?resourceVersion=0`, {
      headers: { accept, "accept-encoding": "gzip" },
    });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(packed.headers.vary).toBe("Accept-Encoding");
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length);
    expect(itemsOf(gunzipSync(packed.bytes))).toHaveLength(items.length);
  });

  test("short answers are sent as they are", async () => {
    const answer = await api.ask("GET", `${path}/map-0`, { headers: { "accept-encoding": "gzip" } });
    expect(answer.headers["content-encoding"]).toBeUndefined();
  });
});

describe("deprecated versions", () => {
  const version = "/apis/policy/v1beta1";
  const budgets = `${version}/namespaces/default/poddisruptionbudgets`;
  const text =
    "policy/v1beta1 PodDisruptionBudget is deprecated in v1.21+, unavailable in v1.25+; use policy/v1 PodDisruptionBudget";

  test("warn on every request to them", async () => {
    const patch = { contentType: "application/merge-patch+json", body: {} };
    for (const answer of [
      await api.post(budgets, { metadata: { name: "old" }, spec: { minAvailable: 1 } }),
      await api.get(budgets),
      await api.get(`${version}/poddisruptionbudgets`),
      await api.get(`${budgets}/old`),
      await api.get(`${budgets}/old/status`),
      await api.ask("PATCH", `${budgets}/old`, patch),
      await api.get(`${budgets}/missing`),
      await api.delete(`${budgets}/old`),
      await api.delete(`${budgets}?labelSelector=no=body`),
      await api.get(`${budgets}?watch=1&timeoutSeconds=1`),
    ]) {
      expect(answer.headers.warning).toBe(`299 - "${text}"`);
    }
  });

  test("current ones do not, nor those that are deprecated only later", async () => {
    for (const path of [
      "/apis/policy/v1/poddisruptionbudgets",
      `/apis/${naming.group("flowcontrol.apiserver")}/v1beta2/flowschemas`,
    ]) {
      const answer = await api.get(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.warning).toBeUndefined();
    }
  });
});

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function withoutType(object: object): object {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object as { kind?: string; apiVersion?: string };
  return rest;
}
