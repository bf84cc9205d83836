import { beforeEach, expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../apimachinery/json/json-value.js";
import { type AccessQuestion, resourceAccess } from "../../apimachinery/requests/authorizer.js";
import type { SubjectAccessReviewStatus } from "../../apis/gen/authorization-v1.js";
import { WebhookAuthorizer, type WebhookAuthorizerSettings } from "./webhook-authorizer.js";

let now = 0;
let posted: JsonObject[];
let status: Partial<SubjectAccessReviewStatus> | Error;
const failures: string[] = [];

beforeEach(() => {
  posted = [];
  status = { allowed: true, reason: "fine" };
});

function authorizer(changes: Partial<WebhookAuthorizerSettings> = {}) {
  return new WebhookAuthorizer({
    post: async (review) => {
      posted.push(review);
      if (status instanceof Error) throw status;
      return { status: { allowed: false, ...status } };
    },
    group: "authorization.example.io",
    version: "v1",
    authorizedTtlMs: 300,
    unauthorizedTtlMs: 30,
    now: () => now,
    onFailure: (error) => failures.push(error.message),
    ...changes,
  });
}

const question: AccessQuestion = {
  user: { name: "jane", uid: "1", groups: ["a", "b"], extra: { scopes: ["x"] } },
  info: resourceAccess({
    verb: "get",
    apiGroup: "apps",
    apiVersion: "v1",
    resource: "deployments",
    subresource: "scale",
    namespace: "n",
    name: "d",
  }),
  signal: new AbortController().signal,
};
const path = { ...question, info: { ...question.info, isResourceRequest: false, path: "/x" } };

test.each([
  ["v1", "groups"],
  ["v1beta1", "group"],
] as const)("asks in version %s, with what the question has", async (version, groups) => {
  expect(await authorizer({ version }).authorize(question)).toEqual({ kind: "allow", reason: "fine" });
  await authorizer({ version }).authorize(path);
  expect(posted).toEqual([
    {
      kind: "SubjectAccessReview",
      apiVersion: `authorization.example.io/${version}`,
      metadata: { creationTimestamp: null },
      spec: {
        resourceAttributes: {
          namespace: "n",
          verb: "get",
          group: "apps",
          version: "v1",
          resource: "deployments",
          subresource: "scale",
          name: "d",
        },
        user: "jane",
        [groups]: ["a", "b"],
        extra: { scopes: ["x"] },
        uid: "1",
      },
      status: { allowed: false },
    },
    expect.objectContaining({
      spec: expect.objectContaining({ nonResourceAttributes: { path: "/x", verb: "get" } }),
    }),
  ]);
});

test.each(["v1", "v1beta1"] as const)("selectors are told in version %s, and kept apart", async (version) => {
  const asked = authorizer({ version });
  const fields = [{ key: "spec.nodeName", operator: "In", values: ["n1"] }];
  const labels = [{ key: "a", operator: "Exists" }];
  await asked.authorize({ ...question, info: { ...question.info, selectors: { fields, labels } } });
  await asked.authorize({ ...question, info: { ...question.info, selectors: { fields: [], labels } } });
  await asked.authorize(question);
  const attributes = posted.map(({ spec }) => (isJsonObject(spec) ? spec.resourceAttributes : undefined));
  expect(attributes).toEqual([
    expect.objectContaining({
      fieldSelector: { requirements: fields },
      labelSelector: { requirements: labels },
    }),
    expect.not.objectContaining({ fieldSelector: expect.anything() }),
    expect.not.objectContaining({ labelSelector: expect.anything() }),
  ]);
});

test.each<[JsonObject | Error, object]>([
  [
    { allowed: false, reason: "no rule" },
    { kind: "noOpinion", reason: "no rule" },
  ],
  [
    { allowed: false, denied: true, reason: "never" },
    { kind: "deny", reason: "never" },
  ],
  [
    { allowed: true, denied: true },
    {
      kind: "deny",
      error: { message: "webhook subject access review returned both allow and deny response" },
    },
  ],
  [{}, { kind: "noOpinion", reason: "" }],
  [new Error("away"), { kind: "noOpinion", reason: "", error: { message: "away" } }],
])("answer %j is %j", async (answer, decision) => {
  status = answer;
  expect(await authorizer().authorize(question)).toMatchObject(decision);
});

test("answers are kept, those that allow for longer, failures not at all", async () => {
  const asked = authorizer();
  const ask = async (at: number): Promise<string> => {
    now = at;
    return (await asked.authorize(question)).kind;
  };
  expect(await ask(0)).toBe("allow");
  status = { allowed: false };
  expect([await ask(299), posted.length]).toEqual(["allow", 1]);
  expect([await ask(300), posted.length]).toEqual(["noOpinion", 2]);
  status = new Error("away");
  expect([await ask(329), posted.length]).toEqual(["noOpinion", 2]);
  expect([await ask(330), posted.length]).toEqual(["noOpinion", 3]);
  expect([await ask(330), posted.length]).toEqual(["noOpinion", 4]);
});

test("long reviews, and those with long answers, are not cached, and the cache has a bound", async () => {
  now = 0;
  const asked = authorizer();
  const long = { ...question, info: { ...question.info, name: "x".repeat(10_000) } };
  await asked.authorize(long);
  await asked.authorize(long);
  expect(posted).toHaveLength(2);
  status = { allowed: true, reason: "x".repeat(10_000) };
  await asked.authorize(question);
  await asked.authorize(question);
  expect(posted).toHaveLength(4);
  status = { allowed: true };
  for (let number = 0; number <= 8192; number += 1) {
    await asked.authorize({ ...question, info: { ...question.info, name: String(number) } });
  }
  posted = [];
  await asked.authorize({ ...question, info: { ...question.info, name: "8192" } });
  expect(posted).toHaveLength(0);
  await asked.authorize({ ...question, info: { ...question.info, name: "0" } });
  expect(posted).toHaveLength(1);
});

test("a request that no match condition admits is not sent, and failures follow the failure policy", async () => {
  const observed: string[] = [];
  const observer = {
    asked: (result: string, _ms: number, failedOpen: boolean) => observed.push(`${result} ${failedOpen}`),
    matched: (kind: string) => observed.push(kind),
  };
  const notMet = authorizer({ conditions: () => ({ kind: "notMet" }), observer });
  expect(await notMet.authorize(question)).toEqual({ kind: "noOpinion", reason: "" });
  const failing = {
    conditions: () => ({ kind: "failed", error: new Error("no such key") }) as const,
    observer,
  };
  expect(await authorizer(failing).authorize(question)).toMatchObject({ kind: "noOpinion" });
  expect(await authorizer({ ...failing, onError: "deny" }).authorize(question)).toMatchObject({
    kind: "deny",
    error: { message: "no such key" },
  });
  expect(posted).toEqual([]);
  const met = { conditions: () => ({ kind: "met" }) as const, observer };
  expect(await authorizer(met).authorize(question)).toMatchObject({ kind: "allow" });
  status = new Error("away");
  expect(await authorizer({ observer, onError: "deny" }).authorize(question)).toMatchObject({ kind: "deny" });
  expect(await authorizer({ observer }).authorize(question)).toMatchObject({ kind: "noOpinion" });
  expect(observed).toEqual([
    "notMet",
    "failed",
    "failed",
    "met",
    "success false",
    "error false",
    "error true",
  ]);
});
