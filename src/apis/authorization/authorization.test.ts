import { expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { testApiContext } from "../testing/api-context.js";
import { kindUnderTest } from "../testing/kind-under-test.js";
import { authorizationResources } from "./resources.js";

const definitions = new Map(
  authorizationResources(testApiContext()).map((definition) => [definition.kind, definition]),
);

const resourceAttributes = { namespace: "ns", verb: "get", resource: "pods" };
const nonResourceAttributes = { path: "/healthz", verb: "get" };
const exactlyOne =
  'spec.resourceAttributes: Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified';
const notBoth =
  'spec.nonResourceAttributes: Invalid value: authorization.NonResourceAttributes{Path:"/healthz", Verb:"get"}: cannot be specified in combination with resourceAttributes';

test.each([
  ["SubjectAccessReview", { spec: { resourceAttributes, user: "jane" } }, []],
  ["SubjectAccessReview", { spec: { nonResourceAttributes, groups: ["ops"] } }, []],
  ["SubjectAccessReview", { spec: { resourceAttributes, nonResourceAttributes, user: "jane" } }, [notBoth]],
  [
    "SubjectAccessReview",
    { spec: {} },
    [exactlyOne, 'spec.user: Invalid value: "": at least one of user or group must be specified'],
  ],
  [
    "SubjectAccessReview",
    { metadata: { name: "a" }, spec: { resourceAttributes, user: "jane" } },
    [expect.stringMatching(/^metadata: Invalid value: .*: must be empty$/)],
  ],
  ["SelfSubjectAccessReview", { spec: { resourceAttributes } }, []],
  ["SelfSubjectAccessReview", { spec: {} }, [exactlyOne]],
  [
    "SelfSubjectAccessReview",
    { metadata: { labels: { a: "b" } }, spec: { resourceAttributes } },
    [expect.stringMatching(/^metadata: Invalid value: .*: must be empty$/)],
  ],
  [
    "SelfSubjectAccessReview",
    { metadata: { managedFields: [{ manager: "m" }] }, spec: { resourceAttributes } },
    [],
  ],
  [
    "LocalSubjectAccessReview",
    { metadata: { namespace: "ns" }, spec: { resourceAttributes, user: "jane" } },
    [],
  ],
  [
    "LocalSubjectAccessReview",
    { metadata: { namespace: "other" }, spec: { resourceAttributes, user: "jane" } },
    ['spec.resourceAttributes.namespace: Invalid value: "ns": must match metadata.namespace'],
  ],
  [
    "LocalSubjectAccessReview",
    { metadata: { namespace: "ns", name: "a" }, spec: { nonResourceAttributes, user: "jane" } },
    [
      expect.stringMatching(/^metadata: Invalid value: .*: must be empty except for namespace$/),
      'spec.nonResourceAttributes: Invalid value: authorization.NonResourceAttributes{Path:"/healthz", Verb:"get"}: disallowed on this kind of request',
    ],
  ],
  ["SelfSubjectRulesReview", { metadata: { name: "a" }, spec: { namespace: "ns" } }, []],
])("%s %j", (kind, json, errors) => {
  const definition = definitions.get(kind);
  if (definition === undefined) throw new Error(`no ${kind}`);
  expect(kindUnderTest(definition).create(json).errors).toEqual(errors);
});

const required = "Required value: when spec.resourceAttributes";
test.each<[JsonObject, string[]]>([
  [{ fieldSelector: { rawSelector: "a==b" } }, []],
  [{ fieldSelector: { rawSelector: "no selector" } }, []],
  [{ fieldSelector: { requirements: [{ key: "a", operator: "Later" }] } }, []],
  [{ labelSelector: { requirements: [{ key: "a", operator: "Later" }] } }, []],
  [
    { fieldSelector: {}, labelSelector: {} },
    [
      `fieldSelector.requirements: ${required}.fieldSelector is specified, requirements or rawSelector is required`,
      `labelSelector.requirements: ${required}.labelSelector is specified, requirements or rawSelector is required`,
    ],
  ],
  [
    { fieldSelector: { rawSelector: "a", requirements: [{ key: "", operator: "In" }] } },
    [
      'fieldSelector.rawSelector: Invalid value: "a": may not specified at the same time as requirements',
      "fieldSelector.requirements[0].key: Required value: must be specified",
      "fieldSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
  ],
  [
    { labelSelector: { requirements: [{ key: "a", operator: "Exists", values: ["b c"] }] } },
    [
      "labelSelector.requirements[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      expect.stringMatching(
        /labelSelector.requirements\[0\].values\[0\]: Invalid value: "b c": a valid label must/,
      ),
    ],
  ],
])("selectors %j", (selectors, errors) => {
  const newest = new Map(
    authorizationResources(testApiContext({ level: "1.36" })).map((definition) => [
      definition.kind,
      definition,
    ]),
  );
  const expected = errors.map((error) =>
    typeof error === "string" ? `spec.resourceAttributes.${error}` : error,
  );
  const problems = (kind: string, spec: JsonObject): readonly unknown[] => {
    const definition = newest.get(kind);
    if (definition === undefined) throw new Error(`no ${kind}`);
    return kindUnderTest(definition).create({ spec }).errors;
  };
  const asked = { resourceAttributes: { ...resourceAttributes, ...selectors } };
  expect(problems("SelfSubjectAccessReview", asked)).toEqual(expected);
  expect(problems("SubjectAccessReview", { ...asked, user: "jane" })).toEqual(expected);
});

test("reviews are answered, not stored", () => {
  for (const { storage, verbs } of definitions.values()) {
    expect(storage).toBeUndefined();
    expect(verbs).toEqual(["create"]);
  }
});
