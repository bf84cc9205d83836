import { describe, expect, test } from "vitest";
import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { findErrors } from "../../../apimachinery/errors/field-error.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { testApiContext, testWriteContext } from "../../testing/api-context.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { validatingAdmissionPolicies, validatingAdmissionPolicyBindings } from "./validating-policies.js";

const level = "1.36";
const policies = kindUnderTest(validatingAdmissionPolicies(testApiContext({ level })), level);
const rule = { apiGroups: ["a"], apiVersions: ["a"], operations: ["CREATE"], resources: ["a"] };
const valid = {
  matchConstraints: { resourceRules: [rule] },
  validations: [{ expression: "object.x < 100" }],
};
const policyOf = (spec: object) => ({ metadata: { name: "config" }, spec: { ...valid, ...spec } });
const ruled = (change: object) => ({ matchConstraints: { resourceRules: [{ ...rule, ...change }] } });
const resources = (...names: string[]) => ruled({ resources: names });
const variables = (...expressions: string[]) => ({
  variables: expressions.map((expression, index) => ({ name: `v${index}`, expression })),
});
const validations = (validation: object) => ({ validations: [{ expression: "true", ...validation }] });
const annotations = (...auditAnnotations: object[]) => ({ auditAnnotations, validations: [] });
const params = { paramKind: { kind: "Foo", apiVersion: "foobar/v1alpha1" } };
const condition = { matchConditions: [{ name: "hasParams", expression: 'params.foo == "okay"' }] };

test.each([
  ["nothing special", {}],
  ["subresources beside all resources", resources("*", "a/b", "a/*", "*/b")],
  ["a resource beside its subresources", resources("a/*", "a")],
  ["conditions about parameters", { ...params, ...condition }],
  ["variables in their order", { ...variables("1 + 1", "variables.v0 + 1") }],
])("a policy may have %s", (_what, spec) => {
  expect(policies.create(policyOf(spec)).errors).toEqual([]);
});

// Rows of Kubernetes' own test.
test.each([
  [{ failurePolicy: "other" }, 'spec.failurePolicy: Unsupported value: "other"'],
  [{ validations: [] }, "spec.validations: Required value: validations or auditAnnotations must contain"],
  [
    validations({ expression: "" }),
    "spec.validations[0].expression: Required value: expression is not specified",
  ],
  [
    validations({ message: "\n" }),
    'spec.validations[0].message: Invalid value: "\\n": message must be non-empty if specified',
  ],
  [validations({ message: "hello\nthere" }), "message must not contain line breaks"],
  [
    validations({ messageExpression: " " }),
    'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
  ],
  [validations({ messageExpression: "0 == 0" }), 'Invalid value: "0 == 0": must evaluate to string'],
  [validations({ reason: "other" }), 'spec.validations[0].reason: Unsupported value: "other"'],
  [{ paramKind: { kind: "", apiVersion: "v1" } }, "spec.paramKind.kind: Required value"],
  [{ paramKind: { kind: "A", apiVersion: "" } }, "spec.paramKind.apiVersion: Required value"],
  [{ paramKind: { kind: "A", apiVersion: "a/b/c" } }, "unexpected GroupVersion string: a/b/c"],
  [
    { paramKind: { kind: "!!!", apiVersion: "v1" } },
    'spec.paramKind.kind: Invalid value: "!!!": may have mixed case, but should otherwise match: a DNS-1035 label',
  ],
  [
    { paramKind: { kind: "A", apiVersion: "test.example.com" } },
    'spec.paramKind.apiVersion: Invalid value: "test.example.com"',
  ],
  [{ paramKind: { kind: "A", apiVersion: "!/v1" } }, 'spec.paramKind.apiVersion: Invalid value: "!"'],
  [{ matchConstraints: { resourceRules: [] } }, "spec.matchConstraints.resourceRules: Required value"],
  [ruled({ operations: [] }), "spec.matchConstraints.resourceRules[0].operations: Required value"],
  [ruled({ operations: ["CREATE", ""] }), 'Unsupported value: ""'],
  [ruled({ operations: ["PATCH"] }), 'Unsupported value: "PATCH"'],
  [ruled({ operations: ["CREATE", "*"] }), "if '*' is present, must not specify other operations"],
  [ruled({ apiVersions: [] }), "spec.matchConstraints.resourceRules[0].apiVersions: Required value"],
  [
    ruled({ apiVersions: ["v1", ""] }),
    "spec.matchConstraints.resourceRules[0].apiVersions[1]: Required value",
  ],
  [ruled({ apiVersions: ["v1", "*"] }), "if '*' is present, must not specify other API versions"],
  [ruled({ apiGroups: ["a", "*"] }), "if '*' is present, must not specify other API groups"],
  [
    ruled({ resourceNames: ["a", "a"] }),
    'spec.matchConstraints.resourceRules[0].resourceNames[1]: Duplicate value: "a"',
  ],
  [
    ruled({ resourceNames: ["a/b"] }),
    "spec.matchConstraints.resourceRules[0].resourceNames[0]: Invalid value: \"a/b\": may not contain '/'",
  ],
  [resources("*", "a"), "if '*' is present, must not specify other resources without subresources"],
  [
    resources("a/*", "a/x"),
    "resources[1]: Invalid value: \"a/x\": if 'a/*' is present, must not specify a/x",
  ],
  [
    resources("*/a", "x/a"),
    "resources[1]: Invalid value: \"x/a\": if '*/a' is present, must not specify x/a",
  ],
  [resources("*/*", "a"), "if '*/*' is present, must not specify other resources"],
  [
    annotations({ key: "@", valueExpression: "value" }),
    'spec.auditAnnotations[0].key: Invalid value: "config/@": name part must consist of alphanumeric characters',
  ],
  [
    annotations({ key: "a", valueExpression: "'1'" }, { key: "a", valueExpression: "'2'" }),
    'spec.auditAnnotations[1].key: Duplicate value: "a"',
  ],
  [
    annotations(...Array(21).fill({ key: "a", valueExpression: "'1'" })),
    'spec.auditAnnotations: Invalid value: []admissionregistration.AuditAnnotation{admissionregistration.AuditAnnotation{Key:"a", ValueExpression:"\'1\'"}',
  ],
  [
    annotations({ key: "a", valueExpression: "true" }),
    'spec.auditAnnotations[0].valueExpression: Invalid value: "true": must evaluate to one of [string null_type]',
  ],
  [{ matchConditions: [{ name: "", expression: "true" }] }, "spec.matchConditions[0].name: Required value"],
  [condition, "undeclared reference to 'params'"],
  [
    { variables: [{ name: "    ", expression: "true" }] },
    "spec.variables[0].name: Required value: name is not specified",
  ],
  [
    { variables: [{ name: "4ever", expression: "true" }] },
    'spec.variables[0].name: Invalid value: "4ever": name is not a valid CEL identifier',
  ],
  [
    variables("114 + '514'"),
    `spec.variables[0].expression: Invalid value: "114 + '514'": compilation failed: ERROR: <input>:1:5: found no matching overload for '_+_' applied to '(int, string)'`,
  ],
  [
    { ...variables("1 + 1"), ...validations({ expression: "variables.replicas == 2" }) },
    `spec.validations[0].expression: Invalid value: "variables.replicas == 2": compilation failed: ERROR: <input>:1:10: undefined field 'replicas'`,
  ],
  [
    variables("object", "variables.v2 + 1", "1 + 1"),
    `spec.variables[1].expression: Invalid value: "variables.v2 + 1": compilation failed: ERROR: <input>:1:10: undefined field 'v2'`,
  ],
  [variables("variables.v0"), "compilation failed: ERROR: <input>:1:10: undefined field 'v0'"],
  [validations({ expression: "variables.v0" }), "undeclared reference to 'variables'"],
  [
    validations({ expression: "int('a') == 1" }),
    "spec.validations[0].expression: Internal error: program instantiation failed: type conversion error from 'string' to 'int'",
  ],
])("a policy with %j is refused: %s", (spec, problem) => {
  expect(policies.create(policyOf(spec)).errors.join("; ")).toContain(problem);
});

describe("an update", () => {
  test("does not check conditions again that stay as they were", () => {
    const old = policyOf(condition);
    expect(policies.update(policyOf({ ...condition, failurePolicy: "Ignore" }), old).errors).toEqual([]);
    const more = policyOf({
      matchConditions: [...condition.matchConditions, { name: "b", expression: "1" }],
    });
    expect(policies.update(more, old).errors.join("; ")).toContain("undeclared reference to 'params'");
  });

  test("checks them where the kind of the parameters changes", () => {
    const old = policyOf({ ...params, ...condition });
    expect(policies.update(policyOf(condition), old).errors.join("; ")).toContain(
      "undeclared reference to 'params'",
    );
  });
});

test("since 1.34 what is wrong with a message does not name it again", () => {
  const { strategy } = validatingAdmissionPolicies(testApiContext({ level }));
  const policy = policies.decode(policyOf(validations({ message: "hello\nthere" })));
  const { errors } = findErrors(() => strategy.validate(testWriteContext(), policy), 34);
  expect(errors.map(({ body }) => body)).toEqual([expect.stringMatching(/": must not contain line breaks$/)]);
});

test("where a policy has variables, another one is an undefined field", () => {
  const spec = { ...variables(""), ...validations({ expression: "variables.v0 == 1" }) };
  expect(policies.create(policyOf(spec)).errors).toEqual([
    "spec.variables[0].expression: Required value: expression is not specified",
    expect.stringContaining("ERROR: <input>:1:10: undefined field 'v0'"),
  ]);
});

test.each<[ApiLevel, string[]]>([
  ["1.27", ["spec.matchResouces.labelSelector.matchLabels: Invalid value"]],
  [
    "1.28",
    [
      "spec.paramRef: Required value: one of name or selector must be specified",
      "spec.paramRef.parameterNotFoundAction: Required value",
      "spec.matchResouces.labelSelector.matchLabels: Invalid value",
    ],
  ],
  [
    "1.29",
    [
      "spec.paramRef: Required value: one of name or selector must be specified",
      "spec.paramRef.parameterNotFoundAction: Required value",
      "spec.matchResouces.objectSelector.matchLabels: Invalid value",
    ],
  ],
])(
  "at %s, a binding that names no parameters and selects wrong labels has the errors %j",
  (older, errors) => {
    const kind = kindUnderTest(validatingAdmissionPolicyBindings(testApiContext({ level: older })), older);
    const spec = {
      policyName: "p",
      validationActions: ["Deny"],
      paramRef: {},
      matchResources: { objectSelector: { matchLabels: { a: "no label!" } } },
    };
    const found = withErrorTextsOf(
      Number(older.slice(2)),
      () => kind.create({ metadata: { name: "b" }, spec }).errors,
    );
    expect(found).toEqual(errors.map((error) => expect.stringContaining(error)));
  },
);

test("the value of an annotation is compiled without the space around it, and shown with it", () => {
  const spec = annotations({ key: "a", valueExpression: " none" });
  expect(policies.create(policyOf(spec)).errors).toEqual([
    expect.stringContaining('Invalid value: " none": compilation failed: ERROR: <input>:1:1: undeclared'),
  ]);
});

test.each<[ApiLevel, string]>([
  ["1.31", "must evaluate to bool"],
  ["1.32", "must evaluate to bool but got int"],
])("at %s, an expression of the wrong type %s", (older, why) => {
  const kind = kindUnderTest(validatingAdmissionPolicies(testApiContext({ level: older })), older);
  expect(kind.create(policyOf(validations({ expression: "1" }))).errors).toEqual([
    `spec.validations[0].expression: Invalid value: "1": ${why}`,
  ]);
});
