import { expect, test } from "vitest";
import { cutMembers } from "./json-blank.js";

const blanks = { metadata: { managedFields: "blank" }, spec: { versions: { schema: "blank" } } } as const;

function blanked(object: object): unknown {
  return JSON.parse(cutMembers(Buffer.from(JSON.stringify(object).slice(1)), blanks, () => {}));
}

test.each([
  [{}, {}],
  [
    { metadata: { name: "a", managedFields: [{ x: "}]" }] }, spec: { versions: [] } },
    { metadata: { name: "a", managedFields: null }, spec: { versions: [] } },
  ],
  [
    {
      spec: {
        versions: [
          { name: "v1", schema: { '"{': '\\"' } },
          { schema: {}, served: true },
        ],
      },
    },
    {
      spec: {
        versions: [
          { name: "v1", schema: null },
          { schema: null, served: true },
        ],
      },
    },
  ],
  [
    // Other members of these names stay.
    { managedFields: 1, spec: { schema: { versions: [1] } }, status: { versions: [{ schema: "é" }] } },
    { managedFields: 1, spec: { schema: { versions: [1] } }, status: { versions: [{ schema: "é" }] } },
  ],
  [
    { metadata: null, spec: { versions: [1, "a,]", [{ schema: true }], null] } },
    { metadata: null, spec: { versions: [1, "a,]", [{ schema: null }], null] } },
  ],
])("%j becomes %j", (object, expected) => {
  expect(blanked(object)).toEqual(expected);
});
