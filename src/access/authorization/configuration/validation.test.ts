import { expect, test } from "vitest";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { type AccessQuestion, resourceAccess } from "../../../apimachinery/requests/authorizer.js";
import { readAuthorizationConfiguration } from "./authorization-configuration.js";
import { type Condition, checkConditions, compileCondition } from "./match-conditions.js";
import { misnamedProblem, validateAuthorizationConfiguration } from "./validation.js";

const group = "apiserver.config.example.io";
const webhook = {
  timeout: "3s",
  authorizedTTL: "5m",
  unauthorizedTTL: "30s",
  subjectAccessReviewVersion: "v1",
  matchConditionSubjectAccessReviewVersion: "v1",
  failurePolicy: "Deny",
  connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "/there" },
  matchConditions: [{ expression: "request.user != 'root'" }],
};

const newest = { level: "1.35", hasSelectors: true } as const;

function read(authorizers: readonly object[], level: ApiLevel = "1.35", version = "v1beta1") {
  const whole = { apiVersion: `${group}/${version}`, kind: "AuthorizationConfiguration", authorizers };
  return readAuthorizationConfiguration(whole, { group, level });
}

function problems(authorizers: readonly object[]): string[] {
  const fileProblem = (file: string) => (file === "/there" ? undefined : "error loading file: none");
  return validateAuthorizationConfiguration(read(authorizers), { ...newest, fileProblem }).map(
    ({ field, body }) => `${field}: ${body}`,
  );
}

const hook = (change: object = {}, name = "hook") => ({
  type: "Webhook",
  name,
  webhook: { ...webhook, ...change },
});
const at = "authorizers[0]";

test("several webhooks among other authorizers are valid", () => {
  expect(
    problems([hook(), { type: "Node", name: "node" }, { type: "RBAC", name: "rbac" }, hook({}, "b")]),
  ).toEqual([]);
  expect(problems([hook({ matchConditions: [], connectionInfo: { type: "InClusterConfig" } })])).toEqual([]);
});

test("all but webhooks are named after their type", () => {
  const misnamed = (...authorizers: object[]) => misnamedProblem(read(authorizers));
  const roles = { type: "RBAC", name: "roles" };
  expect(misnamed(hook(), { type: "Node", name: "node" }, { type: "RBAC", name: "rbac" })).toBeUndefined();
  expect(misnamed(roles)).toBe("expected name rbac for authorizer RBAC instead of roles");
  expect(misnamed(roles, { type: "Node", name: "n" })).toBe(
    "[expected name rbac for authorizer RBAC instead of roles, expected name node for authorizer Node instead of n]",
  );
});

test.each<[readonly object[], readonly string[]]>([
  [[], ["authorizers: Required value: at least one authorization mode must be defined"]],
  [[{}], [`${at}.type: Required value`]],
  [
    [{ type: "X", name: "x" }],
    [
      `${at}.type: Unsupported value: "X": supported values: "ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"`,
    ],
  ],
  [
    [
      { type: "RBAC", name: "a" },
      { type: "RBAC", name: "b" },
    ],
    ['authorizers[1].type: Duplicate value: "RBAC"'],
  ],
  [[{ type: "RBAC" }], [`${at}.name: Required value`]],
  [[hook(), hook()], ['authorizers[1].name: Duplicate value: "hook"']],
  [
    [{ type: "RBAC", name: "A" }],
    [expect.stringContaining(`${at}.name: Invalid value: "A": authorizer name is invalid: `)],
  ],
  [[{ type: "Webhook", name: "a" }], [`${at}.webhook: Required value: required when type=Webhook`]],
  [
    [{ type: "RBAC", name: "a", webhook }],
    [`${at}.webhook: Invalid value: "non-null": may only be specified when type=Webhook`],
  ],
  [
    [{ type: "Webhook", name: "a", webhook: {} }],
    [
      `${at}.timeout: Required value`,
      `${at}.subjectAccessReviewVersion: Required value`,
      `${at}.failurePolicy: Required value`,
      `${at}.connectionInfo.type: Required value`,
    ],
  ],
  [
    [hook({ timeout: "61s", authorizedTTL: "-1s", failurePolicy: "Fail", subjectAccessReviewVersion: "v2" })],
    [
      `${at}.timeout: Invalid value: "1m1s": must be > 0s and <= 30s`,
      `${at}.authorizedTTL: Invalid value: "-1s": must be > 0s`,
      `${at}.subjectAccessReviewVersion: Unsupported value: "v2": supported values: "v1", "v1beta1"`,
      `${at}.failurePolicy: Unsupported value: "Fail": supported values: "NoOpinion", "Deny"`,
    ],
  ],
  [[hook({ timeout: "30s1us" })], [`${at}.timeout: Invalid value: "30.000001s": must be > 0s and <= 30s`]],
  [
    [hook({ matchConditionSubjectAccessReviewVersion: "" })],
    [
      `${at}.matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified`,
    ],
  ],
  [
    [hook({ connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "there" } })],
    [`${at}.connectionInfo.kubeConfigFile: Invalid value: "there": must be an absolute path`],
  ],
  [
    [hook({ connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "/gone" } })],
    [`${at}.connectionInfo.kubeConfigFile: Invalid value: "/gone": error loading file: none`],
  ],
  [
    [hook({ matchConditions: [{ expression: " " }, { expression: "1" }, { expression: "request.x" }] })],
    [
      `${at}.matchConditions[0].expression: Required value`,
      `${at}.matchConditions[1].expression: Invalid value: "1": must evaluate to bool but got int`,
      expect.stringContaining(
        `${at}.matchConditions[2].expression: Invalid value: "request.x": compilation failed: `,
      ),
    ],
  ],
])("%j", (authorizers, expected) => expect(problems(authorizers)).toEqual(expected));

test.each([
  [{ authorizedTTL: undefined, unauthorizedTTL: undefined }, "5m", "30s"],
  [{ authorizedTTL: "0s", unauthorizedTTL: "0" }, "5m", "30s"],
  [{ authorizedTTL: "1s", unauthorizedTTL: "2s" }, "1s", "2s"],
  [{ authorizedTTL: "1us", unauthorizedTTL: "1ns" }, "1us", "1ns"],
])("answers are kept by default: %j", (change, authorizedTTL, unauthorizedTTL) => {
  expect(problems([hook(change)])).toEqual([]);
  expect(read([hook(change)]).authorizers?.[0]?.webhook).toMatchObject({ authorizedTTL, unauthorizedTTL });
});

test.each<[ApiLevel, string, object, string | undefined]>([
  ["1.29", "v1alpha1", {}, undefined],
  ["1.29", "v1beta1", {}, "no kind"],
  ["1.31", "v1", {}, "no kind"],
  ["1.32", "v1", {}, undefined],
  ["1.33", "v1", { cacheAuthorizedRequests: false }, "authorizers[0].webhook.cacheAuthorizedRequests"],
  ["1.34", "v1", { cacheAuthorizedRequests: false }, undefined],
])("at %s, %s with %j: %s", (level, version, change, problem) => {
  const work = () => read([hook(change)], level, version);
  if (problem === undefined) work();
  else expect(work).toThrow(problem);
});

/** Those of the expressions that compile. */
const compiled = (expressions: readonly string[]): Condition[] =>
  expressions.flatMap((expression) => {
    const { program } = compileCondition(expression, newest);
    return program === undefined ? [] : [{ expression, program }];
  });

const question: AccessQuestion = {
  user: { name: "jane", uid: "1", groups: ["a"], extra: { scopes: ["x"] } },
  info: resourceAccess({ verb: "get", resource: "pods", namespace: "n" }),
  signal: new AbortController().signal,
};

test.each<[readonly string[], object]>([
  [["request.user == 'jane'", "'a' in request.groups"], { kind: "met" }],
  [["has(request.resourceAttributes) && request.resourceAttributes.namespace == 'n'"], { kind: "met" }],
  [["request.resourceAttributes.name == ''", "request.extra['scopes'] == ['x']"], { kind: "met" }],
  [["has(request.nonResourceAttributes)"], { kind: "notMet" }],
  [["request.nonResourceAttributes.path == '/'", "request.uid == '2'"], { kind: "notMet" }],
  [
    ["request.extra['other'] == []"],
    {
      kind: "failed",
      error: {
        message:
          "cel evaluation error: expression 'request.extra['other'] == []' resulted in error: no such key: other",
      },
    },
  ],
])("conditions %j are %j", (texts, expected) => {
  const conditions = compiled(texts);
  expect(conditions).toHaveLength(texts.length);
  expect(checkConditions(conditions, question)).toMatchObject(expected);
});

test("all conditions together may cost what one may", () => {
  const nested = (limit: string) =>
    `request.groups.all(a, request.groups.all(b, a != b || a == b)) || ${limit} == ''`;
  const groups = Array.from({ length: 300 }, (_, index) => `g${index}`);
  const ask = (texts: readonly string[]) =>
    checkConditions(compiled(texts), { ...question, user: { ...question.user, groups } });
  expect(ask([nested("'1'")])).toEqual({ kind: "met" });
  expect(ask(["1", "2", "3", "4", "5"].map((each) => nested(`'${each}'`)))).toMatchObject({
    kind: "failed",
    error: { message: expect.stringContaining("the cost limit is exceeded") },
  });
});

const narrowed: AccessQuestion = {
  ...question,
  info: {
    ...question.info,
    verb: "list",
    selectors: {
      fields: [{ key: "spec.nodeName", operator: "In", values: ["n1"] }],
      labels: [{ key: "team", operator: "Exists" }],
    },
  },
};
const onNode =
  "request.resourceAttributes.fieldSelector.requirements.exists(r, r.key == 'spec.nodeName' && r.operator == 'In' && r.values == ['n1'])";

test.each<[string, AccessQuestion, string]>([
  ["has(request.resourceAttributes.fieldSelector)", question, "notMet"],
  ["has(request.resourceAttributes.fieldSelector.rawSelector)", narrowed, "notMet"],
  [onNode, narrowed, "met"],
  [onNode, question, "failed"],
  ["request.resourceAttributes.labelSelector.requirements[0].values.size() == 0", narrowed, "met"],
  ["request.resourceAttributes.?labelSelector.requirements.orValue([]).size() == 1", narrowed, "met"],
])("selectors: %s is %s", (text, asked, expected) => {
  const conditions = compiled([text]);
  expect(conditions).toHaveLength(1);
  expect(checkConditions(conditions, asked).kind).toBe(expected);
});

test("before selectors are told, conditions that name them are refused", () => {
  const { problem } = compileCondition(onNode, { level: "1.31", hasSelectors: false });
  expect(problem).toMatch(/compilation failed: .*fieldSelector/);
});
