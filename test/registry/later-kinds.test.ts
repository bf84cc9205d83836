import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiLevel, hasLevel } from "../../src/apimachinery/levels/api-level.js";
import type { MessageSchema } from "../../src/apimachinery/schema/message-schema.js";
import type { VersionDefinition } from "../../src/apis/definition/resource-definition.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import { laterKinds } from "../support/full-objects/later-kinds.js";
import { allPaths, fieldsOf, pathsOf } from "../support/level-fields.js";
import { allStoredKinds, collectionOf, servingEverything } from "../support/stored-kinds.js";
import type { Answer, Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** Kinds that came after 1.23 keep all fields of their level, however they are written, and lose those of other levels. */

const objects = await laterKinds();
const admins = { metadata: { labels: { "resource.kubernetes.io/admin-access": "true" } } };

describe.each<ApiLevel>(["1.34", "1.35", "1.36"])("at %s", (level) => {
  const context = testApiContext({ level });
  // Groups of pods after the workloads that they are of.
  const kinds = allStoredKinds(context)
    .filter(({ name }) => name in objects)
    .toSorted((a, b) => (a.name < b.name ? 1 : -1));
  let ground: ApiGround;

  beforeAll(async () => {
    const everything = servingEverything(context);
    ground = await openApiGround({
      ...everything,
      featureGates: new Map([...everything.featureGates, ["AllAlpha", true], ["AllBeta", true]]),
    });
    await ground.api.mergePatch("/api/v1/namespaces/default", admins);
  });
  afterAll(async () => {
    await ground.dispose();
  });

  const succeeded = (answer: Answer, code = 200): Json => {
    expect(answer.code, JSON.stringify(answer.body)).toBe(code);
    return answer.body;
  };

  describe.each(kinds)("$name", ({ definition, versions, name }) => {
    const [first] = versions;
    if (first === undefined) throw new Error("a kind has a version");
    const schema = schemaOf(first);
    const own = (objects[name] ?? []).filter((object) => hasLevel(object, level));

    test.each(own.map((object, index) => ({ ...object, index })))("object $index", async (object) => {
      const { api } = ground;
      const collection = collectionOf(definition, first.version);
      const given: Json = object.parts;
      const whole = { ...given, metadata: { name: `later-${object.index}`, ...given.metadata } };
      const sent = fieldsOf(schema, whole);
      const lost = JSON.stringify(sent) !== JSON.stringify(whole);
      const strict = await api.post(`${collection}?fieldValidation=Strict`, whole);
      expect(strict.code, JSON.stringify(strict.body)).toBe(lost ? 400 : 201);
      if (lost) {
        expect(strict.body.message).toContain("unknown field");
        succeeded(await api.post(collection, whole), 201);
      }
      const path = (version: string, part = "") =>
        `${collectionOf(definition, version)}/${whole.metadata.name}${part}`;
      const hasStatus = definition.subresources.some((part) => part.name === "status");
      const status = hasStatus && object.status ? fieldsOf(schema, { status: object.status }) : undefined;
      if (status !== undefined) succeeded(await api.mergePatch(path(first.version, "/status"), status));
      const stored = succeeded(await api.get(path(first.version)));
      expect(stored).toMatchObject({ ...sent, ...status });

      for (const version of versions) {
        const at = path(version.version);
        const body = succeeded(await api.get(at));
        const { metadata, status: _told, ...rest } = body;
        const { resourceVersion, managedFields: _managers, ...applicable } = metadata;
        const same = { ...rest, metadata: applicable };
        for (const answer of [
          await api.put(`${at}?fieldValidation=Strict`, body),
          await api.mergePatch(at, same),
          ...(!hasStatus ? [] : [await api.put(`${at}/status`, body)]),
        ]) {
          expect(succeeded(answer).metadata.resourceVersion).toBe(resourceVersion);
        }
        const applied = succeeded(await api.apply(`${at}?fieldManager=second&dryRun=All`, same));
        expect({ ...applied, metadata: undefined }).toEqual({ ...body, metadata: undefined });
        expectBytesToKeep(version, body);
      }
      const label = succeeded(
        await api.mergePatch(path(first.version), { metadata: { labels: { a: "b" } } }),
      );
      expect({ ...label, metadata: undefined }).toEqual({ ...stored, metadata: undefined });
    });
  });
});

function schemaOf({ codec }: Pick<VersionDefinition, "codec">): MessageSchema {
  if (codec.schema === undefined) throw new Error("a built-in kind has a schema");
  return codec.schema;
}

/** Protobuf holds the same as JSON. */
function expectBytesToKeep({ codec }: Pick<VersionDefinition, "codec">, body: Json): void {
  const { kind: _kind, apiVersion: _apiVersion, ...members } = body;
  const json = codec.toJson(codec.fromJson(members));
  const bytes = codec.toProto(codec.fromJson(members));
  expect(codec.toJson(codec.fromProto(bytes))).toBe(json);
  expect(JSON.parse(json)).toEqual(members);
}

test("all fields of the newest level are in some object", () => {
  const kinds = allStoredKinds(testApiContext({ level: "1.36" }));
  const missing = Object.entries(objects).flatMap(([name, ofKind]) => {
    const [version] = kinds.find((kind) => kind.name === name)?.versions ?? [];
    if (version === undefined) return [name];
    const schema = schemaOf(version);
    const all: Json[] = ofKind.map(({ parts, status }) => ({ ...parts, status: status ?? {} }));
    const seen = new Set(all.flatMap((object) => pathsOf(schema, object)));
    return allPaths(schema)
      .filter((path) => !/(^|\.)metadata\b/.test(path) && !seen.has(path))
      .map((path) => `${name} ${path}`);
  });
  expect(missing.filter((path) => !unset.test(path))).toEqual([]);
});

/** Fields that no object has: of issued certificates, and of pools that are not valid. */
const unset =
  /^podcertificaterequests\S+ status\.(certificateChain|notBefore|beginRefreshAt|notAfter)$|^resourcepool.* status\.pools\.validationError$/;
