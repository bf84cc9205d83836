import { afterEach, describe, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import { apiVersionOf } from "../../src/apimachinery/objects/meta.js";
import { encodeEnvelope } from "../../src/apimachinery/schema/envelope.js";
import { builtinResources } from "../../src/apis/builtin-resources.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import { createResourceCodec } from "../../src/registry/generic/resource-codec.js";
import { MemoryStore } from "../../src/storage/testing/memory-store.js";
import { minimalObjects } from "../support/minimal-objects.js";
import { collectionOf, storedKinds } from "../support/stored-kinds.js";
import type { Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

let ground: ApiGround | undefined;

afterEach(async () => {
  await ground?.dispose();
  ground = undefined;
});

/** What a level says of every stored kind: its objects without what the server changes by itself. */
async function objectsAt(apiLevel: ApiLevel, store: MemoryStore, create = false): Promise<Map<string, Json>> {
  ground = await openApiGround({ apiLevel }, store);
  const context = testApiContext({ level: apiLevel });
  const objects = await minimalObjects(context.naming, apiLevel);
  const found = new Map<string, Json>();
  for (const { definition, versions, name } of storedKinds(context)) {
    const collection = collectionOf(definition, versions[0]?.version ?? "");
    const object = { ...objects[name], metadata: { name: "kept", ...(objects[name] as Json)?.metadata } };
    if (create) {
      const { code, body } = await ground.api.post(collection, object);
      expect(code, JSON.stringify(body)).toBe(201);
    }
    const { code, body } = await ground.api.get(`${collection}/${object.metadata.name}`);
    found.set(name, code === 200 ? body.metadata.uid : code);
  }
  await ground.dispose();
  ground = undefined;
  return found;
}

describe.each<[ApiLevel, ApiLevel]>([
  ["1.23", "1.24"],
  ["1.23", "1.36"],
  ["1.28", "1.30"],
  ["1.24", "1.26"],
  ["1.36", "1.30"],
  ["1.26", "1.23"],
])("a store of level %s", (written, read) => {
  test(`opens at level ${read}, where every kind that both have is the same object`, async () => {
    const store = new MemoryStore();
    const before = await objectsAt(written, store, true);
    const after = await objectsAt(read, store);
    const both = [...before.keys()].filter((name) => after.has(name));
    expect(both.length).toBeGreaterThan(45);
    expect(both.map((name) => [name, after.get(name)])).toEqual(both.map((name) => [name, before.get(name)]));
  });
});

describe("at the newest level", () => {
  const context = testApiContext({ level: "1.36" });
  const gone = builtinResources(context).flatMap((definition) =>
    definition.storage === undefined || definition.storage.group !== undefined
      ? []
      : (definition.unservedVersions ?? []).map((version) => ({
          name: `${definition.resource} of ${version.version}`,
          definition,
          version,
        })),
  );

  test("there are versions that are not served any more", () => {
    expect(gone.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "cronjobs of v1beta1",
        "endpointslices of v1beta1",
        "flowschemas of v1beta3",
        "horizontalpodautoscalers of v2beta2",
        "poddisruptionbudgets of v1beta1",
        "runtimeclasses of v1beta1",
      ]),
    );
  });

  test.each(gone)("stored $name are read", ({ definition, version }) => {
    const codec = createResourceCodec(definition, "protobuf");
    const typeMeta = {
      apiVersion: apiVersionOf({ group: definition.group, version: version.version }),
      kind: definition.kind,
    };
    const object = version.codec.fromJson({ metadata: { name: "old" } });
    for (const stored of [
      Buffer.from(version.codec.toJsonWithType(object, typeMeta)),
      encodeEnvelope(typeMeta, version.codec.toProto(object)),
    ]) {
      const read = codec.fromStorage(stored);
      expect(read.metadata.name).toBe("old");
      expect(codec.fromStorage(codec.toStorage(read)).metadata.name).toBe("old");
    }
  });
});
