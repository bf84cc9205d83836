import { expect, test } from "vitest";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { testApiContext } from "../testing/api-context.js";
import { specStrategy } from "./base-strategy.js";
import { defineResource, hub, spoke } from "./define-resource.js";
import { definitionAtLevel } from "./definition-at-level.js";

const context = testApiContext();
const type = "core/v1.ConfigMap";
const asIs = (object: ApiObject): ApiObject => object;
const text = { type: "string", format: "", description: "", priority: 0 } as const;

const definition = defineResource<ApiObject>({
  group: "test",
  resource: "things",
  kind: "Thing",
  namespaced: true,
  until: "1.36",
  versions: [
    hub<ApiObject>(context, { version: "v1", type, since: "1.30" }),
    spoke<ApiObject, ApiObject>(context, {
      version: "v1beta1",
      type,
      since: "1.26",
      until: "1.33",
      toHub: asIs,
      fromHub: asIs,
    }),
  ],
  storage: {
    version: "v1",
    prefix: "/things",
    before: { "1.33": { hashedVersion: "v0" }, "1.31": { version: "v1beta1" } },
  },
  strategy: specStrategy<ApiObject>({
    emptyStatus: () => ({}),
    validate: () => [],
    validateUpdate: () => [],
  }),
  subresources: [
    {
      kind: "operation",
      name: "resize",
      verbs: ["update"],
      object: { group: "", version: "", kind: "Thing" },
      since: "1.32",
    },
  ],
  columns: {
    columns: [
      { name: "Name", ...text },
      { name: "Size", ...text, since: "1.32" },
      { name: "Old", ...text, until: "1.32" },
    ],
    cells: ({ metadata }) => [metadata.name ?? "", "size", "old"],
  },
});

test("a level says by a hash which version it stores", () => {
  const hashed = (["1.30", "1.32", "1.33"] as const).map(
    (level) => definitionAtLevel(definition, level)?.storage?.hashedVersion,
  );
  expect(hashed).toEqual(["v0", "v0", undefined]);
});

test("a level has its versions, subresources, columns and storage version", () => {
  const seen = (["1.25", "1.26", "1.30", "1.32", "1.33", "1.36"] as const).map((level) => {
    const found = definitionAtLevel(definition, level);
    return (
      found && [
        level,
        found.versions.map(({ version }) => version),
        found.hub?.version,
        found.storage?.version,
        found.subresources.map(({ name }) => name),
        found.columns?.columns.map(({ name }) => name),
        found.columns?.cells({ metadata: { name: "a" } }, new Date()),
      ]
    );
  });
  expect(seen).toEqual([
    undefined,
    ["1.26", ["v1beta1"], "v1", "v1beta1", [], ["Name", "Old"], ["a", "old"]],
    ["1.30", ["v1", "v1beta1"], undefined, "v1beta1", [], ["Name", "Old"], ["a", "old"]],
    ["1.32", ["v1", "v1beta1"], undefined, "v1", ["resize"], ["Name", "Size"], ["a", "size"]],
    ["1.33", ["v1"], undefined, "v1", ["resize"], ["Name", "Size"], ["a", "size"]],
    undefined,
  ]);
});
