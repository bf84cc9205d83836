import { expect, test } from "vitest";
import { metaV1Types } from "../../../apimachinery/meta-types/v1.js";
import type { ObjectMeta } from "../../../apimachinery/objects/meta.js";
import { SchemaRegistry } from "../../../apimachinery/schema/schema-registry.js";
import type { CustomResourceDefinition } from "../../gen/apiextensions-v1.js";
import { customResource } from "./resource.js";

/** The version of a kind with so many properties, and how often its schema was read. */
function versionOf(properties: number) {
  const schema = {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: properties }, (_, index) => [`property${index}`, { type: "string" }]),
    ),
  };
  const reads: string[] = [];
  const definition = {
    metadata: { name: "boats.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "boats", kind: "Boat" },
      versions: [{ name: "v1", served: true, storage: true }],
    },
    status: { acceptedNames: { plural: "boats", kind: "Boat" } },
  } as CustomResourceDefinition;
  const { definition: resource } = customResource(definition, {
    prefix: "x-orch-",
    metaCodec: new SchemaRegistry([metaV1Types]).codec<ObjectMeta>("meta/v1.ObjectMeta"),
    openApiSchema(version) {
      reads.push(version);
      return schema;
    },
    schemaText: () => Buffer.from(JSON.stringify(schema)),
    validation: { level: "1.35" } as never, // nothing is validated
  });
  const [version] = resource.versions;
  if (version === undefined) throw new Error("the kind has no version");
  return { version, reads };
}

test("a large schema is made ready in parts, and then need not be read again", () => {
  const { version, reads } = versionOf(5000);
  let parts = 0;
  for (const prepare of version.preparation?.() ?? []) {
    prepare();
    parts++;
  }
  expect(parts).toBeGreaterThan(5);
  expect(version.preparation?.()).toBeUndefined();
  version.checksPerByte?.();
  version.setDefaults({ metadata: {} });
  expect(reads).toEqual(["v1"]);
});

test("who comes second waits for the first, and takes over when that gives up", () => {
  const { version, reads } = versionOf(5000);
  const first = version.preparation?.()?.[Symbol.iterator]();
  first?.next().value?.();
  const second = version.preparation?.()?.[Symbol.iterator]();
  for (let step = 0; step < 3; step++) second?.next().value?.();
  expect(reads).toEqual(["v1"]);
  first?.return?.();
  for (let step = second?.next(); step !== undefined && step.done !== true; step = second?.next())
    step.value();
  expect(reads).toEqual(["v1", "v1"]);
  expect(version.preparation?.()).toBeUndefined();

  const other = versionOf(5000);
  const both = [1, 2].map(() => other.version.preparation?.()?.[Symbol.iterator]());
  for (let isDone = false; !isDone; ) {
    const steps = both.map((iterator) => iterator?.next());
    for (const step of steps) if (step?.done === false) step.value();
    isDone = steps.every((step) => step?.done === true);
  }
  expect(other.reads).toEqual(["v1"]);
});

test("a small schema is read when it is needed", () => {
  const { version, reads } = versionOf(5);
  expect(version.preparation?.()).toBeUndefined();
  expect(reads).toEqual([]);
});
