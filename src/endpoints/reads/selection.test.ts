import { expect, test } from "vitest";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { jobs } from "../../apis/batch/job/resource.js";
import type { ResourceDefinition, VersionDefinition } from "../../apis/definition/resource-definition.js";
import type { Job } from "../../apis/gen/batch-v1.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { readSelectors, selectionOf } from "./selection.js";

// Only these parts are used.
const pods = {
  namespaced: true,
  selectableFields: { names: ["spec.nodeName", "status.phase"], values: () => ({}) },
} as unknown as ResourceDefinition<ApiObject>;

const versions = { any: {}, narrow: { selectableFields: ["status.phase"] } } as unknown as Readonly<
  Record<string, VersionDefinition<ApiObject>>
>;

function select(query: string, namespace = "", version = "any", definition = pods) {
  const served = { definition, version: versions[version] as VersionDefinition<ApiObject> };
  return selectionOf(served, { namespace, name: "" }, readSelectors(definition, new URLSearchParams(query)));
}

test.each([
  ["fieldSelector=spec.nodeName=n1", "", { field: "spec.nodeName", value: "n1" }],
  ["fieldSelector=status.phase!=Failed,spec.nodeName==n1", "", { field: "spec.nodeName", value: "n1" }],
  ["fieldSelector=status.phase!=Failed", "", undefined],
  // Objects without the field have the empty value too, but no entry for it.
  ["fieldSelector=spec.nodeName=", "", undefined],
  // The namespace is the better index.
  ["fieldSelector=spec.nodeName=n1", "default", undefined],
  ["fieldSelector=spec.nodeName=n1,metadata.namespace=default", "", undefined],
  ["", "", undefined],
])("%j in namespace %j hints at %j", (query, namespace, hint) => {
  expect(select(query, namespace).fieldEquals).toEqual(hint);
});

test("objects found by a hint are still checked against the whole selector", () => {
  const { matches, prefix, key } = select("fieldSelector=spec.nodeName=n1,status.phase!=Failed");
  expect([prefix, key]).toEqual(["", undefined]);
  const attributes = (phase: string) => ({
    labels: {},
    fields: { "spec.nodeName": "n1", "status.phase": phase },
  });
  expect(matches?.(attributes("Running"))).toBe(true);
  expect(matches?.(attributes("Failed"))).toBe(false);
});

test("a version may be selected by fewer fields than the kind has", () => {
  expect(select("fieldSelector=status.phase=Failed", "", "narrow").fieldEquals?.field).toBe("status.phase");
  expect(() => select("fieldSelector=spec.nodeName=n1", "", "narrow")).toThrow(
    "field label not supported: spec.nodeName",
  );
});

test.each(["labelSelector", "fieldSelector"])("a %s of more than anyone writes is 413", (parameter) => {
  const selector = (count: number) => `${parameter}=${Array(count).fill("metadata.name!=a").join(",")}`;
  expect(() => select(selector(10_000))).not.toThrow();
  expect(() => select(selector(10_001))).toThrow(
    `the ${parameter} has more than 10000 requirements and values`,
  );
});

test.each([
  ["1.34", "must be no more than 63 characters"],
  ["1.35", "must be no more than 63 bytes"],
] as const)("at %s, a long value %s", (level, problem) => {
  const definition = { ...pods, level };
  expect(() => select(`labelSelector=a=${"x".repeat(64)}`, "", "any", definition)).toThrow(problem);
});

test("a kind may have its own message for an unsupported field selector", () => {
  const definition = jobs(testApiContext());
  const served = { definition, version: definition.versions[0] as VersionDefinition<Job> };
  const selectors = readSelectors(definition, new URLSearchParams("fieldSelector=a=b"));
  expect(() => selectionOf(served, { namespace: "", name: "" }, selectors)).toThrow(
    'field label "a" not supported for Job',
  );
});
