import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { deviceClasses } from "./resource.js";

const context = testApiContext({ level: "1.35", gates: { DRAExtendedResource: true } });
const classes = kindUnderTest(deviceClasses(context), "1.35");

function classOf(spec: JsonObject): JsonObject {
  return { metadata: { name: "gpu.example.org" }, spec };
}

test("a class selects and sets up devices", () => {
  const { object, errors } = classes.create(
    classOf({
      selectors: [{ cel: { expression: 'device.driver == "d.example.org"' } }],
      config: [{ opaque: { driver: "d.example.org", parameters: { kind: "GpuConfig" } } }],
      extendedResourceName: "example.org/gpu",
    }),
  );
  expect(errors).toEqual([]);
  expect(object.metadata.generation).toBe(1);
});

test.each<[JsonObject, string[]]>([
  [{ selectors: [{}] }, ["spec.selectors[0].cel: Required value"]],
  [
    { selectors: Array.from({ length: 33 }, () => ({})) },
    ["spec.selectors: Too many: 33: must have at most 32 items"],
  ],
  [
    { config: [{ opaque: { driver: "d", parameters: null } }] },
    ["spec.config[0].opaque.parameters: Required value"],
  ],
  [
    { extendedResourceName: "cpu" },
    ['spec.extendedResourceName: Invalid value: "cpu": must be a valid extended resource name'],
  ],
])("%j is refused", (spec, errors) => {
  expect(classes.create(classOf(spec)).errors).toEqual(errors);
});

test("stored expressions are not compiled again", () => {
  const wrong = classOf({ selectors: [{ cel: { expression: "device.size" } }] });
  expect(classes.create(wrong).errors).toHaveLength(1);
  const update = { ...wrong, metadata: { name: "gpu.example.org", labels: { a: "b" } } };
  expect(classes.update(update, wrong).errors).toEqual([]);
});
