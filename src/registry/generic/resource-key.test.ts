import { expect, test } from "vitest";
import { configMaps } from "../../apis/core/config-map/resource.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { keyOf } from "./resource-key.js";

test("a namespaced object has a namespace", () => {
  const definition = configMaps(testApiContext());
  expect(() => keyOf(definition, { namespace: "", name: "a" })).toThrow("Namespace parameter required.");
  expect(keyOf(definition, { namespace: "ns", name: "a" })).toBe("ns/a");
});
