import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { resourceClaimTemplates } from "./resource.js";

const templates = kindUnderTest(resourceClaimTemplates(testApiContext({ level: "1.35" })), "1.35");

function templateOf(metadata: JsonObject, deviceClassName = "c"): JsonObject {
  const requests = [{ name: "gpu", exactly: { deviceClassName } }];
  return { metadata: { name: "t" }, spec: { metadata, spec: { devices: { requests } } } };
}

test("templates have the defaults and the rules of claims", () => {
  const { object, errors } = templates.create(templateOf({ labels: { a: "b" } }));
  expect(errors).toEqual([]);
  expect(object.spec.spec.devices.requests?.[0]?.exactly).toMatchObject({
    allocationMode: "ExactCount",
    count: 1,
  });
  expect(templates.create(templateOf({}, "")).errors).toEqual([
    "spec.spec.devices.requests[0].exactly.deviceClassName: Required value",
  ]);
});

test("of the metadata of claims they set labels and annotations alone", () => {
  expect(templates.create(templateOf({ name: "a" })).errors).toEqual([
    "spec.metadata.name: Forbidden: cannot be set",
  ]);
});

test("they do not change", () => {
  expect(templates.update(templateOf({}, "d"), templateOf({})).errors).toEqual([
    expect.stringMatching(/^spec: Invalid value: .*: field is immutable$/s),
  ]);
});
