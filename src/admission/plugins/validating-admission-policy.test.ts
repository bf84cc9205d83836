import { describe, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ParamSource } from "../policies/policy-cluster.js";
import { type GroundParts, PluginGround } from "../testing/plugin-ground.js";
import { validatingAdmissionPolicy } from "./validating-admission-policy.js";

const rules = [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }];

const policy = (name: string, spec: object) => ({
  metadata: { name },
  spec: { matchConstraints: { resourceRules: rules }, ...spec },
});

const binding = (name: string, spec: object = {}) => ({
  metadata: { name: `${name}-binding` },
  spec: { policyName: name, validationActions: ["Deny"], ...spec },
});

const object = { metadata: { name: "c", labels: { a: "b" } }, data: { k: "v" } };

function ground(policies: readonly object[], bindings: readonly object[], parts: GroundParts = {}) {
  return new PluginGround(validatingAdmissionPolicy, {
    level: "1.35",
    known: {
      validatingadmissionpolicies: policies,
      validatingadmissionpolicybindings: bindings,
      namespaces: [{ metadata: { name: "ns" } }],
    },
    ...parts,
  });
}

async function outcome(spec: object, bound: object = {}, parts: GroundParts = {}) {
  return await ground([policy("p", spec)], [binding("p", bound)], parts).admit({
    resource: "configmaps",
    object,
  });
}

const denied =
  "configmaps \"c\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p-binding' denied request: ";

describe("messages", () => {
  test.each([
    [{ expression: "false" }, "failed expression: false"],
    [{ expression: " false ", message: " no " }, "no"],
    [{ expression: "false", messageExpression: "'no ' + object.metadata.name" }, "no c"],
    [{ expression: "false", message: "no", messageExpression: "object.missing" }, "no"],
    [{ expression: "false", message: "no", messageExpression: "'a\\nb'" }, "no"],
    [{ expression: "false", message: "no", messageExpression: "'  '" }, "no"],
    [{ expression: "object.x" }, "compilation error: must evaluate to bool but got dyn"],
    [{ expression: "object.x == 1" }, "expression 'object.x == 1' resulted in error: no such key: x"],
    [{ expression: "variables.broken" }, "compilation error: must evaluate to bool but got dyn"],
    [
      { expression: "variables.broken == 1" },
      "expression 'variables.broken == 1' resulted in error: composited variable \"broken\" fails to evaluate: no such key: x",
    ],
  ])("%j", async (validation, message) => {
    const variables = [{ name: "broken", expression: "object.x" }];
    expect(await outcome({ variables, validations: [validation] })).toMatchObject({
      code: 422,
      refusal: denied + message,
    });
  });
});

test("messages that take too many steps together fail all validations", async () => {
  const messageExpression = "lists.range(1000).all(a, lists.range(1000).all(b, a + b >= 0)) ? 'yes' : 'no'";
  const validations = Array.from({ length: 12 }, (_, index) => ({
    expression: `${index > 0}`,
    messageExpression,
  }));
  const failing = validations.map((validation) => ({ ...validation, expression: "false" }));
  const few = await outcome({ validations }, { validationActions: ["Warn"] });
  expect(few.warnings).toHaveLength(1);
  expect(few.warnings[0]).toMatch(/: failed expression: false$/);
  const { warnings } = await outcome({ validations: failing }, { validationActions: ["Warn"] });
  expect(warnings).toHaveLength(12);
  for (const warning of warnings) {
    expect(warning).toMatch(
      /: failed messageExpression: validation failed due to running out of cost budget, no further validation rules will be run$/,
    );
  }
});

test("a reason chooses the code", async () => {
  const refusedFor = async (reason: string) =>
    (await outcome({ validations: [{ expression: "false", reason }] })).code;
  expect(await refusedFor("Forbidden")).toBe(403);
  expect(await refusedFor("RequestEntityTooLarge")).toBe(413);
  expect(await refusedFor("Invalid")).toBe(422);
});

test("variables are evaluated when they are read, and may read earlier ones", async () => {
  const variables = [
    { name: "unused", expression: "object.nothing.at.all" },
    { name: "keys", expression: "object.data.map(k, k)" },
    { name: "count", expression: "size(variables.keys)" },
  ];
  expect(await outcome({ variables, validations: [{ expression: "variables.count == 1" }] })).toMatchObject({
    refusal: undefined,
  });
});

test("the first refusal is answered, in order of policies and bindings", async () => {
  const validations = [{ expression: "false", message: "no" }];
  const of = ground(
    [policy("b", { validations }), policy("a", { validations })],
    [binding("b"), binding("a", { validationActions: ["Warn"] })],
  );
  expect(await of.admit({ resource: "configmaps", object })).toMatchObject({
    refusal:
      "configmaps \"c\" is forbidden: ValidatingAdmissionPolicy 'b' with binding 'b-binding' denied request: no",
    warnings: ["Validation failed for ValidatingAdmissionPolicy 'a' with binding 'a-binding': no"],
  });
});

test("audit annotations are made by expressions, and by the action Audit", async () => {
  const spec = {
    validations: [{ expression: "true" }, { expression: "false", message: "no" }],
    auditAnnotations: [
      { key: "name", valueExpression: "string(object.metadata.name)" },
      { key: "none", valueExpression: "null" },
    ],
  };
  const { annotations, refusal } = await outcome(spec, { validationActions: ["Audit"] });
  expect(refusal).toBeUndefined();
  expect(annotations).toEqual({
    "p/name": "c",
    "validation.policy.admission.k8s.io/validation_failure":
      '[{"message":"no","policy":"p","binding":"p-binding","expressionIndex":1,"validationActions":["Audit"]}]',
  });
  const failing = { auditAnnotations: [{ key: "x", valueExpression: "string(object.nothing)" }] };
  expect((await outcome(failing)).refusal).toContain("resulted in error: no such key: nothing");
  expect((await outcome({ ...failing, failurePolicy: "Ignore" })).refusal).toBeUndefined();
});

test("the value of an audit annotation is cut to ten thousand bytes", async () => {
  const valueExpression = `'${"é".repeat(6000)}'`;
  const { annotations } = await outcome({ auditAnnotations: [{ key: "x", valueExpression }] });
  expect(annotations).toEqual({ "p/x": "é".repeat(5120) });
});

test("rules, names, selectors and excluded rules decide what a policy is about", async () => {
  const validations = [{ expression: "false" }];
  const isRefused = async (match: object, bound: object = {}) =>
    (await outcome({ matchConstraints: { resourceRules: rules, ...match }, validations }, bound)).code ===
    422;
  expect(await isRefused({})).toBe(true);
  expect(await isRefused({ resourceRules: [{ ...rules[0], resourceNames: ["other"] }] })).toBe(false);
  expect(await isRefused({ resourceRules: [{ ...rules[0], resourceNames: ["c"] }] })).toBe(true);
  expect(await isRefused({ excludeResourceRules: [{ ...rules[0], operations: ["CREATE"] }] })).toBe(false);
  expect(await isRefused({ objectSelector: { matchLabels: { a: "x" } } })).toBe(false);
  const matchResources = (selector: object) => ({ matchResources: { namespaceSelector: selector } });
  expect(await isRefused({}, matchResources({ matchLabels: { a: "x" } }))).toBe(false);
  expect(await isRefused({}, { matchResources: { resourceRules: rules } })).toBe(true);
});

test("an expression may ask the authorizer twice, and has its steps bounded", async () => {
  const check = (verb: string) => `authorizer.requestResource.check('${verb}').allowed()`;
  const asking = (verbs: readonly string[]) =>
    outcome({ validations: [{ expression: verbs.map(check).join(" && ") }] });
  expect((await asking(["get", "list"])).refusal).toBeUndefined();
  expect((await asking(["get", "list", "watch"])).refusal).toContain(
    "resulted in error: operation cancelled: actual cost limit exceeded",
  );
  const long = "lists.range(1000).all(a, lists.range(1000).all(b, lists.range(1000).all(c, a + b + c >= 0)))";
  const hostile = await outcome({ validations: Array.from({ length: 12 }, () => ({ expression: long })) });
  expect(hostile.code).toBe(422);
});

test.each<["1.30" | "1.31" | "1.32" | "1.35" | "1.36", Record<string, boolean>, boolean]>([
  ["1.30", {}, false],
  ["1.31", {}, false],
  ["1.31", { StrictCostEnforcementForVAP: true }, true],
  ["1.32", {}, true],
  ["1.35", {}, true],
  ["1.36", {}, true],
])(
  "at %s with %j, what an expression asks the authorizer counts in full: %s",
  async (level, gates, isStrict) => {
    const check = (verb: string) => `!authorizer.requestResource.check('${verb}').errored()`;
    const expression = ["a", "b", "c", "d"].map(check).join(" && ");
    const { refusal } = await outcome({ validations: [{ expression }] }, {}, { level, gates });
    expect(refusal?.includes("operation cancelled: actual cost limit exceeded") ?? false).toBe(isStrict);
  },
);

describe("what a policy may say, by level", () => {
  const gates = { ValidatingAdmissionPolicy: true };
  const at = (level: ApiLevel, spec: object, bound: object = {}) => outcome(spec, bound, { level, gates });
  const validations = [{ expression: "false", message: "no" }];

  test.each<[ApiLevel, object, string | undefined]>([
    ["1.26", {}, `${denied}no`],
    ["1.27", {}, undefined],
    ["1.27", { validationActions: ["Deny"] }, `${denied}no`],
    ["1.36", { validationActions: ["Deny"] }, `${denied}no`],
    ["1.36", { validationActions: ["Audit"] }, undefined],
  ])("at %s a binding with %j refuses: %s", async (level, bound, refusal) => {
    expect((await at(level, { validations }, { validationActions: undefined, ...bound })).refusal).toBe(
      refusal,
    );
  });

  test.each<[ApiLevel, string, string]>([
    ["1.26", "authorizer.path('/x').check('get').allowed()", "undeclared reference to 'authorizer'"],
    ["1.27", "!authorizer.path('/x').check('get').allowed()", "no"],
    ["1.27", "namespaceObject.metadata.name == 'ns'", "undeclared reference to 'namespaceObject'"],
    ["1.28", "namespaceObject.metadata.name != 'ns'", "no"],
    ["1.36", "namespaceObject.metadata.name != 'ns'", "no"],
    ["1.36", "!authorizer.path('/x').check('get').allowed()", "no"],
  ])("at %s the expression %s: %s", async (level, expression, text) => {
    const { refusal } = await at(level, { validations: [{ expression, message: "no" }] });
    expect(refusal).toContain(text);
  });

  test.each<[ApiLevel, object, string | undefined]>([
    ["1.27", { name: "p" }, `${denied}failed to configure binding: p not found`],
    ["1.27", { name: "p", namespace: "ns" }, `${denied}no`],
    ["1.28", { name: "p" }, `${denied}no`],
    ["1.27", { name: "q", namespace: "ns" }, `${denied}failed to configure binding: q not found`],
    ["1.28", { name: "q", parameterNotFoundAction: "Allow" }, undefined],
  ])("at %s a binding with the parameters %j refuses: %s", async (level, paramRef, refusal) => {
    const param = { metadata: { name: "p", namespace: "ns" } };
    const params = (): ParamSource => ({
      namespaced: true,
      get: async (namespace, name) => (namespace === "ns" && name === "p" ? param : undefined),
      select: async () => [],
    });
    const spec = { validations, paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
    const bound = { validationActions: ["Deny"], paramRef };
    const parts = { level, gates, params };
    expect((await outcome(spec, bound, parts)).refusal).toBe(refusal);
  });

  test.each<ApiLevel>(["1.26", "1.29"])("at %s policies wait for their gate", async (level) => {
    const bound = { validationActions: ["Deny"] };
    expect((await outcome({ validations }, bound, { level })).refusal).toBeUndefined();
    expect((await at(level, { validations }, bound)).refusal).toBe(`${denied}no`);
  });
});

test("policies themselves and reviews are exempt", async () => {
  const everything = [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }];
  const spec = { matchConstraints: { resourceRules: everything }, validations: [{ expression: "false" }] };
  const of = ground([policy("p", spec)], [binding("p")]);
  const written = { resource: "validatingadmissionpolicies", object: policy("q", spec) };
  expect((await of.admit(written)).refusal).toBeUndefined();
  expect((await of.admit({ resource: "configmaps", object })).code).toBe(422);
});

describe("outcomes are reported for the metrics", () => {
  async function observed(spec: object, bound: object = {}): Promise<readonly string[]> {
    const made = ground([policy("p", spec)], [binding("p", bound)]);
    await made.admit({ resource: "configmaps", object });
    return made.observed;
  }

  test.each<[string, object, object, readonly string[]]>([
    ["nothing that passes", { validations: [{ expression: "true" }] }, {}, []],
    [
      "each refusal",
      { validations: [{ expression: "false" }, { expression: "true" }, { expression: "object.x == 1" }] },
      {},
      ["p p-binding invalid_error deny", "p p-binding invalid_error deny"],
    ],
    [
      "each action",
      { validations: [{ expression: "1 +" }] },
      { validationActions: ["Warn", "Audit"] },
      ["p p-binding compile_error warn", "p p-binding compile_error audit"],
    ],
    [
      "failures that are ignored",
      { failurePolicy: "Ignore", validations: [{ expression: "object.x == 1" }] },
      {},
      ["p p-binding invalid_error allow"],
    ],
    [
      "an annotation that cannot be made",
      { auditAnnotations: [{ key: "k", valueExpression: "string(object.x)" }] },
      {},
      ["p p-binding invalid_error deny"],
    ],
    [
      "conditions that are not met",
      {
        matchConditions: [
          { name: "a", expression: "object.x == 1" },
          { name: "b", expression: "false" },
        ],
        validations: [{ expression: "false" }],
      },
      {},
      ["policy p not met, 1 errors"],
    ],
    [
      "conditions that fail",
      { matchConditions: [{ name: "a", expression: "object.x == 1" }] },
      {},
      ["policy p not met, 1 errors", "p p-binding invalid_error deny"],
    ],
  ])("%s", async (_, spec, bound, expected) => {
    expect(await observed(spec, bound)).toEqual(expected);
  });
});
