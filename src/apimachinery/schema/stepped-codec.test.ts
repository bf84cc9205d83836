import { describe, expect, test } from "vitest";
import type { JsonValue } from "../json-value.js";
import { metaV1Types } from "../meta-types/v1.js";
import { allSteps, type Steps } from "../steps.js";
import type { FromJsonOptions } from "./codec.js";
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
/** Of more than 6,000 messages. */
const large = {
  metadata: { name: "large", labels: { a: "b" } },
  root: { list: many.map(branch), map: { deep: { map: { er: branch(1) } } } },
  claims: many.map((index) => ({ metadata: { name: `claim-${index}` }, root: branch(index) })),
} as unknown as JsonValue;

/** How many steps there were, and the outcome. */
function counted<T>(steps: Steps<T>): { readonly count: number; readonly value: T } {
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done === true) return { count, value: step.value };
  }
}

function fromJsonSteps(value: JsonValue, options?: FromJsonOptions): Steps<object> {
  const steps = tree.fromJsonSteps?.(value, options);
  if (steps === undefined) throw new Error("a compiled codec decodes in steps");
  return steps;
}

function printed(object: object): { readonly count: number; readonly text: string } {
  let text = "";
  const steps = tree.printSteps?.(object, (part) => {
    text += part;
  });
  if (steps === undefined) throw new Error("a compiled codec prints in steps");
  return { count: counted(steps).count, text };
}

describe("in steps", () => {
  test("a large object is decoded as in one go", () => {
    const { count, value } = counted(fromJsonSteps(large));
    expect(count).toBeGreaterThan(5);
    expect(value).toEqual(tree.fromJson(large));
    expect(tree.toJson(value)).toBe(tree.toJson(tree.fromJson(large)));
  });

  test.each([
    ["list", Array.from({ length: 3000 }, (_, i) => leaf(i))],
    ["map", Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`__proto__${i || ""}`, leaf(i)]))],
  ])("a long %s is decoded as in one go, members that do not fit too", (name, members) => {
    const value = (all: unknown) =>
      ({ root: { [name]: { list: all, map: all }[name] } }) as unknown as JsonValue;
    const { count, value: object } = counted(fromJsonSteps(value(members)));
    expect(count).toBeGreaterThan(2);
    expect(tree.toJson(object)).toBe(tree.toJson(tree.fromJson(value(members))));
    const withNull = Array.isArray(members) ? [...members, null] : { ...members, last: null };
    expect(allSteps(fromJsonSteps(value(withNull)))).toEqual(tree.fromJson(value(withNull)));
    expect(allSteps(fromJsonSteps(value(Array.isArray(members) ? [] : {})))).toEqual({
      ...tree.fromJson({ root: {} }),
    });
  });

  test("a small one is decoded in one step", () => {
    expect(counted(fromJsonSteps({ root: leaf(1) as JsonValue })).count).toBe(1);
  });

  test("several are decoded between each other's steps", () => {
    const first = fromJsonSteps(large);
    const second = fromJsonSteps(large);
    first.next();
    second.next();
    const other = { root: { text: "x", unknown: 1 } };
    const unknown: string[] = [];
    tree.fromJson(other, { onUnknownField: (path) => unknown.push(path) });
    expect(unknown).toEqual(["root.unknown"]);
    expect(allSteps(first)).toEqual(tree.fromJson(large));
    expect(allSteps(second)).toEqual(tree.fromJson(large));
  });

  /** The large object with other members in one of its last nodes. */
  const changed = (members: Node): JsonValue => {
    const copy = structuredClone(large) as unknown as { claims: { root: { list: Node[] } }[] };
    const node = copy.claims[30]?.root.list[3];
    if (node === undefined) throw new Error("no such node");
    Object.assign(node, members);
    return copy as unknown as JsonValue;
  };

  test.each([
    ["another type", changed({ count: "one" })],
    ["an object that is none", changed({ list: [7] })],
    ["a bad quantity", changed({ size: "heavy" })],
  ])("%s is refused in the same words", (_what, value) => {
    let expected: unknown;
    try {
      tree.fromJson(value);
    } catch (error) {
      expected = error;
    }
    expect(expected).toBeInstanceOf(Error);
    expect(() => allSteps(fromJsonSteps(value))).toThrow(expected as Error);
  });

  test("unknown fields are told in the same order", () => {
    const value = changed({ zeta: 1, alpha: { beta: 2 } });
    const told: string[] = [];
    const inOneGo: string[] = [];
    const { count } = counted(fromJsonSteps(value, { onUnknownField: (path) => told.push(path) }));
    tree.fromJson(value, { onUnknownField: (path) => inOneGo.push(path) });
    expect(told).toEqual(["claims[30].root.list[3].zeta", "claims[30].root.list[3].alpha"]);
    expect(told).toEqual(inOneGo);
    expect(count).toBeGreaterThan(5);
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

    test("is decoded and printed as in one go", () => {
      const inOneGo = tree.fromJson(sizes("2e3"));
      const { count, value } = counted(fromJsonSteps(sizes("2e3")));
      expect(count).toBeGreaterThan(2);
      expect(value).toEqual(inOneGo);
      const { count: steps, text } = printed(value);
      expect(steps).toBeGreaterThan(2);
      expect(text).toBe(tree.toJson(inOneGo));
      expect(text).toContain('"sizes":{"last":"2e3","r0":"1","r1":"1","r10":"1",');
      expect(text).toContain('"root":{"text":"after"}');
    });

    test("is decoded as in one go with null in it", () => {
      expect(allSteps(fromJsonSteps(sizes(null)))).toEqual(tree.fromJson(sizes(null)));
    });

    test.each([["heavy"], [{}], [[]]])("is refused with %j in it", (bad) => {
      expect(() => allSteps(fromJsonSteps(sizes(bad)))).toThrow(
        "quantities must match the regular expression",
      );
    });
  });

  test("limits hold for all steps together", () => {
    expect(() => allSteps(fromJsonSteps(large, { quantitiesMax: 5_000 }))).toThrow("too many quantities");
    expect(() => allSteps(fromJsonSteps(large, { quantitiesMax: 10_000 }))).not.toThrow();
  });

  test("a large object is printed as in one go", () => {
    const object = tree.fromJson(large);
    const { count, text } = printed(object);
    expect(count).toBeGreaterThan(5);
    expect(text).toBe(tree.toJson(object));
  });

  test("others print between the steps", () => {
    const object = tree.fromJson(large);
    let text = "";
    const steps = tree.printSteps?.(object, (part) => {
      text += part;
    });
    steps?.next();
    expect(tree.toJson({ root: leaf(2) })).toBe(
      '{"metadata":{"creationTimestamp":null},"root":{"text":"\\u003c2\\u003e \\"é\\"","count":2,"size":"1Gi"}}',
    );
    if (steps !== undefined) allSteps(steps);
    expect(text).toBe(tree.toJson(object));
  });
});
