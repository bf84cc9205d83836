import { expect, test } from "vitest";
import {
  type AccessQuestion,
  type AccessRules,
  type Authorizer,
  type Decision,
  noAccess,
  resourceAccess,
} from "../../apimachinery/requests/authorizer.js";
import { alwaysAllow, alwaysDeny, privilegedGroup } from "./fixed-authorizers.js";
import { authorizerUnion } from "./union.js";

const question: AccessQuestion = {
  user: { name: "jane", uid: "", groups: ["readers"], extra: {} },
  info: resourceAccess({ verb: "get", resource: "pods" }),
  signal: new AbortController().signal,
};

function answering(decision: Decision | Promise<Decision>, rules: AccessRules = noAccess): Authorizer {
  return { authorize: () => decision, rulesFor: () => rules };
}

const yes: Decision = { kind: "allow", reason: "yes" };
const no: Decision = { kind: "deny", reason: "no" };
const perhaps = (reason: string, error?: Error): Decision => ({ kind: "noOpinion", reason, error });

test.each([
  [[perhaps("a"), yes, no], yes],
  [[perhaps("a"), no, yes], no],
  [[perhaps("a"), perhaps(""), perhaps("b")], { kind: "noOpinion", reason: "a\nb" }],
  [[perhaps("", new Error("x"))], { kind: "noOpinion", reason: "", error: new Error("x") }],
  [[perhaps("", new Error("x")), yes], yes],
  [
    [perhaps("a", new Error("x")), perhaps("", new Error("y"))],
    { kind: "noOpinion", reason: "a", error: expect.objectContaining({ message: "[x, y]" }) },
  ],
])("%j is %j, whether they wait or not", async (decisions, expected) => {
  const atOnce = authorizerUnion(decisions.map((decision) => answering(decision))).authorize(question);
  expect(atOnce).not.toBeInstanceOf(Promise);
  expect(atOnce).toEqual(expected);
  const waiting = decisions.map((decision, index) =>
    answering(index % 2 === 0 ? Promise.resolve(decision) : decision),
  );
  expect(await authorizerUnion(waiting).authorize(question)).toEqual(expected);
});

test("an authorizer after the one that decides is not asked", async () => {
  const asked: string[] = [];
  const noting = (name: string, decision: Decision): Authorizer => ({
    authorize: () => {
      asked.push(name);
      return Promise.resolve(decision);
    },
    rulesFor: () => noAccess,
  });
  await authorizerUnion([noting("a", perhaps("")), noting("b", no), noting("c", yes)]).authorize(question);
  expect(asked).toEqual(["a", "b"]);
});

test("rules of all are joined", async () => {
  const rules = (verb: string, incomplete: boolean, error?: string): AccessRules => ({
    resourceRules: [{ verbs: [verb] }],
    nonResourceRules: [],
    incomplete,
    error,
  });
  const union = authorizerUnion([
    answering(yes, rules("get", false)),
    answering(yes, rules("list", true, "x")),
    answering(yes, rules("watch", false, "y")),
  ]);
  expect(await union.rulesFor(question.user, "default")).toEqual({
    resourceRules: [{ verbs: ["get"] }, { verbs: ["list"] }, { verbs: ["watch"] }],
    nonResourceRules: [],
    incomplete: true,
    error: "x, y",
  });
});

test("members of the privileged group may do what others may not", () => {
  const union = authorizerUnion([privilegedGroup("system:masters"), alwaysDeny]);
  const master = { ...question, user: { ...question.user, groups: ["system:masters"] } };
  expect(union.authorize(master)).toMatchObject({ kind: "allow" });
  expect(union.authorize(question)).toEqual({ kind: "noOpinion", reason: "Everything is forbidden." });
  expect(authorizerUnion([alwaysDeny, alwaysAllow]).authorize(question)).toMatchObject({ kind: "allow" });
});

test("what the privileged group may do is not listed", async () => {
  const union = authorizerUnion([privilegedGroup("system:masters"), alwaysAllow]);
  expect(await union.rulesFor({ ...question.user, groups: ["system:masters"] }, "default")).toEqual(
    alwaysAllow.rulesFor(question.user, "default"),
  );
});
