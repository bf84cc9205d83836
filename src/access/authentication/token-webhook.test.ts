import { beforeEach, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { builtinTypes } from "../../apis/builtin-types.js";
import type { TokenReview } from "../../apis/gen/authentication-v1.js";
import { createNaming } from "../../naming/naming.js";
import { createTokenWebhookMechanism } from "./token-webhook.js";

const codec = builtinTypes(createNaming("kubernetes")).codec<TokenReview>("authentication/v1.TokenReview");

let now: number;
let sent: JsonObject[];
let answer: () => JsonObject;

beforeEach(() => {
  now = 0;
  sent = [];
  answer = () => ({ status: { authenticated: true, user: { username: "jane" } } });
});

function mechanism(cacheTtlMs = 1000) {
  return createTokenWebhookMechanism({
    post: async (review) => {
      sent.push(review);
      return codec.fromJson(answer());
    },
    apiVersion: "authentication.example.io/v1",
    apiAudiences: ["api"],
    cacheTtlMs,
    now: () => now,
  });
}

const ask = async (token = "t", audiences = ["api"], own = mechanism()) =>
  await own.authenticate(token, { audiences });

test("the service is sent a review, and its user is believed whole", async () => {
  answer = () => ({
    status: {
      authenticated: true,
      user: { username: "jane", uid: "7", groups: ["a"], extra: { scope: ["x", "y"] } },
    },
  });
  expect(await ask()).toEqual({
    kind: "authenticated",
    user: { name: "jane", uid: "7", groups: ["a", "system:authenticated"], extra: { scope: ["x", "y"] } },
    audiences: ["api"],
  });
  expect(sent).toMatchObject([
    {
      kind: "TokenReview",
      apiVersion: "authentication.example.io/v1",
      spec: { token: "t", audiences: ["api"] },
    },
  ]);
});

test.each<[string, JsonObject, string[], object]>([
  ["names none: the API's", {}, ["api", "other"], { audiences: ["api"] }],
  ["names none, others are asked for", {}, ["other"], { kind: "none" }],
  ["names some of those asked for", { audiences: ["a", "b"] }, ["b", "c"], { audiences: ["b"] }],
  ["names none of those asked for", { audiences: ["a"] }, ["api"], { kind: "none" }],
])("audiences, the service %s", async (_what, more, audiences, expected) => {
  answer = () => ({ status: { authenticated: true, user: { username: "jane" }, ...more } });
  expect(await ask("t", audiences)).toMatchObject(expected);
});

test.each<[string, JsonObject]>([
  ["no status", {}],
  ["not authenticated", { status: { authenticated: false, user: { username: "jane" } } }],
])("%s: nobody", async (_what, body) => {
  answer = () => body;
  expect(await ask()).toEqual({ kind: "none" });
});

test("verdicts, good and bad, are kept for the time given, by token and audiences", async () => {
  const own = mechanism();
  await ask("t", ["api"], own);
  await ask("t", ["api"], own);
  expect(sent).toHaveLength(1);
  await ask("t", ["api", "x"], own);
  await ask("u", ["api"], own);
  expect(sent).toHaveLength(3);
  now = 1000;
  answer = () => ({ status: { authenticated: false } });
  expect(await ask("t", ["api"], own)).toEqual({ kind: "none" });
  expect(await ask("t", ["api"], own)).toEqual({ kind: "none" });
  expect(sent).toHaveLength(4);
});

test("failures are not kept, and never show the token", async () => {
  const own = mechanism();
  answer = () => ({ status: { error: "the token sesame is odd" } });
  const refusal = { kind: "rejected", reason: "the token <token> is odd" };
  expect(await ask("sesame", ["api"], own)).toEqual(refusal);
  answer = () => {
    throw new Error("no route to host");
  };
  expect(await ask("sesame", ["api"], own)).toEqual({ kind: "rejected", reason: "no route to host" });
  answer = () => ({ status: { authenticated: true, user: { username: "jane" } } });
  expect(await ask("sesame", ["api"], own)).toMatchObject({ kind: "authenticated" });
});

test("nothing is kept without a time, and one question at a time is asked about a token", async () => {
  const own = mechanism(0);
  await Promise.all([ask("t", ["api"], own), ask("t", ["api"], own)]);
  expect(sent).toHaveLength(1);
  await ask("t", ["api"], own);
  expect(sent).toHaveLength(2);
});
