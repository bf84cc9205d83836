import { describe, expect, test } from "vitest";
import type { JsonValue } from "../json/json-value.js";
import { metaV1Types } from "../meta-types/v1.js";
import type { MessageDeclaration } from "./declaration.js";
import { SchemaRegistry } from "./schema-registry.js";

const declarations: { readonly [name: string]: MessageDeclaration } = {
  Tree: {
    kind: "Tree",
    fields: {
      metadata: { number: 1, type: "meta/v1.ObjectMeta", omitempty: true },
      root: { number: 2, type: "test/v1.Node" },
      claims: {
        number: 3,
        type: "test/v1.Tree",
        list: true,
        omitempty: true,
        embeddedType: { kind: "Tree", apiVersion: "v7" },
      },
    },
  },
  Node: {
    fields: {
      text: { number: 1, type: "string", omitempty: true },
      count: { number: 2, type: "int32", omitempty: true },
      list: { number: 3, type: "test/v1.Node", list: true, omitempty: true },
      map: { number: 4, type: "test/v1.Node", map: true, omitempty: true },
      size: { number: 5, type: "Quantity", pointer: true, omitempty: true },
      sizes: { number: 6, type: "Quantity", map: true, omitempty: true },
    },
  },
};

const registry = new SchemaRegistry([metaV1Types, { name: "test/v1", declare: () => declarations }]);
const tree = registry.codec("test/v1.Tree");

interface Node {
  [field: string]: JsonValue | Node | readonly Node[] | { readonly [name: string]: Node };
}

const many = Array.from({ length: 40 }, (_, index) => index);
const leaf = (index: number): Node => ({ text: `<${index}> "é"`, count: index, size: "1Gi" });
const branch = (index: number): Node => ({
  list: many.map(leaf),
  map: Object.fromEntries(many.map((each) => [`n${each}-${index}`, leaf(each)])),
});
/** Of more than 6,000 messages, with other members in one of the last. */
function large(members: Node = {}): JsonValue {
  const claims = many.map((index) => ({ metadata: { name: `claim-${index}` }, root: branch(index) }));
  const root = { list: many.map(branch), map: { deep: { map: { er: branch(1) } } } };
  const list = claims[30]?.root.list as Node[];
  Object.assign(list[3] ?? {}, members);
  return { metadata: { name: "large", labels: { a: "b" } }, root, claims } as unknown as JsonValue;
}

test("a large object comes back", () => {
  const object = tree.fromJson(large());
  const printed = tree.toJson(object);
  expect(tree.toJson(tree.fromJson(JSON.parse(printed)))).toBe(printed);
  expect(tree.clone(object)).toEqual(object);
  expect(printed).toContain('{"text":"\\u003c39\\u003e \\"é\\"","count":39,"size":"1Gi"}');
});

const field = "Go struct field Node.claims.root.list.";

test.each([
  ["another type", { count: "one" }, `json: cannot unmarshal string into ${field}count of type int32`],
  [
    "an object that is none",
    { list: [7] },
    `json: cannot unmarshal number into ${field}list of type v1.Node`,
  ],
  ["a bad quantity", { size: "heavy" }, "quantities must match the regular expression"],
])("%s deep inside is refused in Kubernetes' words", (_what, members, message) => {
  expect(() => tree.fromJson(large(members as Node))).toThrow(message);
});

test("unknown fields are told in the order of the value", () => {
  const told: string[] = [];
  tree.fromJson(large({ zeta: 1, alpha: { beta: 2 } }), { onUnknownField: (path) => told.push(path) });
  expect(told).toEqual(["claims[30].root.list[3].zeta", "claims[30].root.list[3].alpha"]);
});

describe("a map of thousands of quantities", () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `r${index}`);
  const sizes = (amount: JsonValue): JsonValue => ({
    root: {
      text: "before",
      sizes: { ...Object.fromEntries(names.map((name) => [name, "1000m"])), last: amount },
    },
    claims: [{ root: { text: "after", sizes: {} } }],
  });

  test("is read and printed", () => {
    const text = tree.toJson(tree.fromJson(sizes("2e3")));
    expect(text).toContain('"sizes":{"last":"2e3","r0":"1","r1":"1","r10":"1",');
    expect(text).toContain('"root":{"text":"after"}');
  });

  test("has zero for null", () => {
    expect(tree.toJson(tree.fromJson(sizes(null)))).toContain('"sizes":{"last":"0","r0":"1",');
  });

  test.each([["heavy"], [{}], [[]]])("is refused with %j in it", (bad) => {
    expect(() => tree.fromJson(sizes(bad))).toThrow("quantities must match the regular expression");
  });
});
