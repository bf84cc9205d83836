import { expect, test } from "vitest";
import type { TypePackage } from "./declaration.js";
import { siblingVersion } from "./sibling-version.js";

const v1: TypePackage = {
  name: "boats/v1",
  declare: () => ({
    Boat: {
      kind: "Boat",
      structType: "atomic",
      fields: {
        hull: { number: 1, type: "boats/v1.Hull", optional: true },
        rig: { number: 2, type: "string", optional: true, elementName: "v1.Rig" },
        flag: { number: 3, type: "string", elementName: "core/v1.Flag" },
        crew: { number: 4, type: "string", map: true, collectionName: "map[v1.Role]v1.Sailor" },
      },
    },
    Hull: { fields: { keel: { number: 1, type: "boats/v1.Keel", list: true } } },
    Keel: { fields: { depth: { number: 1, type: "int32" } } },
  }),
};

test("a version without differences refers to its own types", () => {
  const types = siblingVersion("boats/v1beta1", v1).declare();
  expect(Object.keys(types)).toEqual(["Boat", "Hull", "Keel"]);
  expect(types.Boat).toEqual({
    kind: "Boat",
    structType: "atomic",
    fields: {
      hull: { number: 1, type: "boats/v1beta1.Hull", optional: true },
      rig: { number: 2, type: "string", optional: true, elementName: "v1beta1.Rig" },
      flag: { number: 3, type: "string", elementName: "core/v1.Flag" },
      crew: { number: 4, type: "string", map: true, collectionName: "map[v1beta1.Role]v1beta1.Sailor" },
    },
  });
});

test("what was before a level refers to the version's own types too", () => {
  const levelled: TypePackage = {
    name: "boats/v1",
    declare: () => ({
      Boat: {
        fields: {
          hull: {
            number: 1,
            type: "boats/v1.Hull",
            before: { "1.30": { type: "boats/v1.Keel", elementName: "v1.Keel" } },
          },
        },
      },
      Hull: { fields: {} },
      Keel: { fields: {} },
    }),
  };
  expect(siblingVersion("boats/v1beta1", levelled).declare().Boat?.fields.hull).toEqual({
    number: 1,
    type: "boats/v1beta1.Hull",
    before: { "1.30": { type: "boats/v1beta1.Keel", elementName: "v1beta1.Keel" } },
  });
});

test("fields are changed, renamed in their place, left out and added at the end", () => {
  const types = siblingVersion("boats/v1beta1", v1, () => ({
    changed: {
      Boat: {
        structType: undefined,
        fields: {
          hull: { name: "body", number: 7, optional: undefined },
          flag: false,
          crew: false,
          length: { number: 4, type: "int32" },
        },
      },
    },
  })).declare();
  expect(Object.entries(types.Boat?.fields ?? {})).toEqual([
    ["body", { number: 7, type: "boats/v1beta1.Hull" }],
    ["rig", { number: 2, type: "string", optional: true, elementName: "v1beta1.Rig" }],
    ["length", { number: 4, type: "int32" }],
  ]);
  expect(types.Boat).not.toHaveProperty("structType");
});

test("types are left out, replaced and added; what is left out is the sibling's", () => {
  const types = siblingVersion("boats/v1beta1", v1, () => ({
    without: ["Keel"],
    types: { Hull: { fields: {} }, Mast: { fields: {} } },
  })).declare();
  expect(Object.keys(types)).toEqual(["Boat", "Hull", "Mast"]);
  expect(types.Hull).toEqual({ fields: {} });
  const keelless = siblingVersion("boats/v1beta1", v1, () => ({ without: ["Keel"] })).declare();
  expect(keelless.Hull?.fields.keel?.type).toBe("boats/v1.Keel");
});

test("a difference from what the sibling does not have is refused", () => {
  expect(() => siblingVersion("boats/v2", v1, () => ({ without: ["Oar"] })).declare()).toThrow(
    "boats/v1 has no Oar",
  );
  const change = { changed: { Boat: { fields: { oars: { optional: true } } } } } as const;
  expect(() => siblingVersion("boats/v2", v1, () => change).declare()).toThrow(
    "field oars has no number or no type",
  );
});
