import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse as parseYaml, stringify as stringifyYaml } from "yaml";
import { decodeEnvelope, encodeEnvelope } from "../../src/apimachinery/schema/envelope.js";
import { builtinResources } from "../../src/apis/builtin-resources.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import { ApiClient } from "../support/api-client.js";
import { minimalObjects } from "../support/minimal-objects.js";
import { type ServerProcess, startServer } from "../support/server-process.js";

/** How objects travel: each kind in every form it has, and what clients may ask for (contract 1, §2 and §4). */

const context = testApiContext();
const { naming } = context;
const metaGroup = naming.group("meta");
const objects = await minimalObjects(naming);
const partial = (version: string, kind = "PartialObjectMetadata") => `as=${kind};g=${metaGroup};v=${version}`;
const table = (version: string) => `application/json;as=Table;g=${metaGroup};v=${version}`;

let server: ServerProcess;
let api: ApiClient;

beforeAll(async () => {
  server = await startServer();
  api = new ApiClient(server);
});

afterAll(async () => {
  await api.close();
  await server.dispose();
});

const kinds = builtinResources(context)
  .filter((definition) => definition.storage !== undefined)
  .map((definition) => ({
    definition,
    versions: definition.versions.filter((version) => version.enabledByDefault),
    name: [definition.resource, ...definition.group.split(".").slice(0, 1)].filter((s) => s !== "").join("."),
  }))
  .filter(({ versions }) => versions.length > 0);

function collectionOf(definition: (typeof kinds)[number]["definition"], version: string): string {
  const root = definition.group === "" ? `/api/${version}` : `/apis/${definition.group}/${version}`;
  return `${root}${definition.namespaced ? "/namespaces/default" : ""}/${definition.resource}`;
}

test("there is an object of every kind", () => {
  expect(Object.keys(objects).sort()).toEqual(kinds.map(({ name }) => name).sort());
});

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

    for (const metaVersion of ["v1", "v1beta1"]) {
      const metadata = { apiVersion: `${metaGroup}/${metaVersion}`, kind: "PartialObjectMetadata" };
      const onlyMetadata = await api.ask("GET", path, {
        headers: { accept: `application/json;${partial(metaVersion)}` },
      });
      expect(onlyMetadata.body).toEqual({ ...metadata, metadata: body.metadata });
      const inProtobuf = await api.ask("GET", path, {
        headers: { accept: `${naming.protobufMediaType};${partial(metaVersion)}` },
      });
      const envelope = decodeEnvelope(inProtobuf.bytes);
      expect(envelope.typeMeta).toEqual(metadata);
      const partialCodec = context.schemas.codec("meta/v1.PartialObjectMetadata");
      expect(JSON.parse(partialCodec.toJson(partialCodec.fromProto(envelope.raw)))).toEqual({
        metadata: body.metadata,
      });

      const asTable = (await api.ask("GET", path, { headers: { accept: table(metaVersion) } })).body;
      expect(asTable).toMatchObject({
        kind: "Table",
        apiVersion: metadata.apiVersion,
        metadata: { resourceVersion: body.metadata.resourceVersion },
        rows: [{ object: { ...metadata, metadata: body.metadata } }],
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
      ["application/yaml", stringifyYaml(body)],
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
    expect(parseYaml((await ask("application/yaml")).text)).toEqual(list);
    expect(JSON.parse((await api.get(`${path}${query === "" ? "?" : "&"}pretty=1`)).text)).toEqual(list);

    const { typeMeta, raw } = decodeEnvelope((await ask(naming.protobufMediaType)).bytes);
    expect(typeMeta).toEqual({ apiVersion: list.apiVersion, kind: list.kind });
    const listCodec = context.schemas.codec(`${codec.schema.name}List`);
    const decoded = JSON.parse(listCodec.toJson(listCodec.fromProto(raw)));
    expect({ ...decoded, metadata: { continue: "", ...decoded.metadata } }).toEqual(withoutType(list));

    for (const metaVersion of ["v1", "v1beta1"]) {
      const apiVersion = `${metaGroup}/${metaVersion}`;
      const items = list.items.map(({ metadata }: { metadata: object }) => ({
        kind: "PartialObjectMetadata",
        apiVersion,
        metadata,
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
      expect(partials.items).toEqual(list.items.map(({ metadata }: { metadata: object }) => ({ metadata })));
      expect(partials.metadata.resourceVersion).toBe(list.metadata.resourceVersion);

      const asTable = (await ask(table(metaVersion))).body;
      expect(asTable.rows.map((row: { object: object }) => row.object)).toEqual(items);
      const whole = await api.ask("GET", `${path}${query === "" ? "?" : "&"}includeObject=Object`, {
        headers: { accept: table(metaVersion) },
      });
      expect(whole.body.rows.map((row: { object: object }) => withoutType(row.object))).toEqual(list.items);
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
