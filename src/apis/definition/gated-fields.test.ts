import { describe, expect, test } from "vitest";
import { metaV1Types } from "../../apimachinery/meta-types/v1.js";
import type { MessageDeclaration } from "../../apimachinery/schema/declaration.js";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { GatedFields } from "./gated-fields.js";

const gate = { featureGate: "ContainerStopSignals", optional: true } as const;
const declarations: { readonly [typeName: string]: MessageDeclaration } = {
  Pod: {
    fields: {
      name: { number: 1, type: "string" },
      spec: { number: 2, type: "test/v1.Spec" },
      other: { number: 3, type: "string", pointer: true, optional: true, featureGate: "PodHostIPs" },
    },
  },
  Spec: {
    fields: {
      first: { number: 1, type: "test/v1.Container", list: true },
      second: { number: 2, type: "test/v1.Container", list: true },
      named: { number: 3, type: "test/v1.Container", map: true },
      plain: { number: 4, type: "test/v1.Plain", pointer: true },
      inner: { number: 5, type: "test/v1.Spec", pointer: true },
      template: { number: 6, type: "test/v1.Container", list: true, keepsGatedFields: true },
      job: { number: 7, type: "test/v1.Job", pointer: true, keepsGatedFields: "own" },
    },
  },
  Job: {
    fields: {
      policy: { number: 1, type: "string", pointer: true, ...gate },
      pods: { number: 2, type: "test/v1.Container", list: true },
    },
  },
  Container: {
    fields: {
      name: { number: 1, type: "string" },
      signal: { number: 2, type: "string", pointer: true, ...gate },
      keys: { number: 3, type: "string", list: true, ...gate },
      base: { number: 4, type: "test/v1.Base", inline: true },
    },
  },
  Base: { fields: { level: { number: 1, type: "int32", pointer: true, ...gate } } },
  Plain: { fields: { text: { number: 1, type: "string" } } },
};
const schemas = new SchemaRegistry([metaV1Types, { name: "test/v1", declare: () => declarations }]);

function dropped(object: object, old?: object, enabled: readonly string[] = []): object {
  const copy = structuredClone(object);
  new GatedFields(
    () => schemas.message("test/v1.Pod"),
    (name) => enabled.includes(name),
  ).drop(copy, old);
  return JSON.parse(JSON.stringify(copy));
}

describe("fields whose gate is off", () => {
  const used = {
    other: "x",
    spec: {
      first: [
        { name: "a", signal: "S" },
        { name: "b", level: 0 },
      ],
      second: [{ name: "c", signal: "T" }],
      named: { d: { name: "d", keys: ["k"] } },
      plain: { text: "t" },
    },
  };

  test("are dropped from new objects, through lists, maps and inlined messages", () => {
    expect(dropped(used)).toEqual({
      spec: {
        first: [{ name: "a" }, { name: "b" }],
        second: [{ name: "c" }],
        named: { d: { name: "d" } },
        plain: { text: "t" },
      },
    });
  });

  test("are dropped when they point to an empty text", () => {
    const pod = { spec: { first: [{ name: "a", signal: "" }] } };
    expect(dropped(pod)).toEqual({ spec: { first: [{ name: "a" }] } });
    expect(dropped(pod, pod)).toEqual(pod);
  });

  test("stay where the old object has one, wherever in the same type", () => {
    const old = {
      spec: {
        second: [
          { name: "c", signal: "" },
          { name: "e", signal: "U" },
        ],
      },
    };
    expect(dropped(used, old)).toEqual({
      spec: {
        first: [{ name: "a", signal: "S" }, { name: "b" }],
        second: [{ name: "c", signal: "T" }],
        named: { d: { name: "d" } },
        plain: { text: "t" },
      },
    });
    expect(dropped({ spec: { first: [{ level: 1 }] } }, { spec: { named: { x: { level: 0 } } } })).toEqual({
      spec: { first: [{ level: 1 }] },
    });
    expect(dropped({ other: "x" }, { spec: { first: [] } })).toEqual({});
  });

  test("are those of the gates that are off", () => {
    expect(dropped(used, undefined, ["ContainerStopSignals"])).toEqual({ ...used, other: undefined });
    expect(dropped(used, undefined, ["ContainerStopSignals", "PodHostIPs"])).toEqual(used);
  });

  test("stay in templates of other objects", () => {
    const pod = { spec: { template: [{ name: "a", signal: "S" }], first: [{ name: "b", signal: "S" }] } };
    expect(dropped(pod)).toEqual({
      spec: { template: [{ name: "a", signal: "S" }], first: [{ name: "b" }] },
    });
  });

  test("stay in a template, and not in what the template contains", () => {
    const pod = { spec: { job: { policy: "p", pods: [{ name: "a", signal: "S" }] } } };
    expect(dropped(pod)).toEqual({ spec: { job: { policy: "p", pods: [{ name: "a" }] } } });
  });

  test("are found in a message within itself", () => {
    const nested = { spec: { inner: { inner: { first: [{ name: "a", signal: "S" }] } } } };
    expect(dropped(nested)).toEqual({ spec: { inner: { inner: { first: [{ name: "a" }] } } } });
    expect(dropped(nested, nested)).toEqual(nested);
  });
});
