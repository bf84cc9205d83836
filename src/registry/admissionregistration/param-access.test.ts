import { expect, test } from "vitest";
import type { FieldError } from "../../apimachinery/errors/field-error.js";
import { aggregate } from "../../apimachinery/errors/shown-errors.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { AccessInfo, Authorizer } from "../../apimachinery/requests/authorizer.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { RegistryContext } from "../generic/registry-context.js";
import { bindingHooks, policyHooks } from "./param-access.js";

const alice: UserInfo = {
  name: "alice",
  uid: "7",
  groups: ["staff", "system:authenticated"],
  extra: { scopes: ["a", "b"], area: ["x"] },
};
const aliceText = "&{alice 7 [staff system:authenticated] map[area:[x] scopes:[a b]]}";
const paramKind = { apiVersion: "rules.example.com/v1", kind: "Limit" };

function ground(level: ApiLevel, isAllowed = false) {
  const asked: Partial<AccessInfo>[] = [];
  const authorizer: Pick<Authorizer, "authorize"> = {
    async authorize({ info }) {
      const { verb, apiGroup, apiVersion, resource, namespace, name } = info;
      asked.push({ verb, apiGroup, apiVersion, resource, namespace, name });
      return isAllowed ? { kind: "allow", reason: "" } : { kind: "noOpinion", reason: "" };
    },
  };
  const parts = {
    level,
    authorizer: { ...authorizer, rulesFor: () => Promise.reject(new Error("not asked")) },
    resourceOf: ({ kind }: { readonly kind: string }) => (kind === "Limit" ? "limits" : undefined),
  };
  return { parts, asked };
}

function contextOf(user: UserInfo): RegistryContext {
  // The hooks read no more of it.
  return { user, signal: new AbortController().signal } as RegistryContext;
}

const policy = (spec: object) => ({ metadata: { name: "p" }, spec });
const binding = (spec: object) => ({ metadata: { name: "b" }, spec: { policyName: "p", ...spec } });

async function texts(refused: Promise<readonly FieldError[]> | undefined): Promise<string[]> {
  return ((await refused) ?? []).map((error) => aggregate([error]));
}

test("a policy asks for every object of its kind, once the kind changes", async () => {
  const { parts, asked } = ground("1.36");
  const { refusals } = policyHooks(parts);
  expect(await texts(refusals?.(contextOf(alice), policy({ paramKind }), undefined))).toEqual([
    `spec.paramKind: Forbidden: user ${aliceText} must have "get" permission on all objects of the referenced paramKind (kind=Limit, apiVersion=rules.example.com/v1)`,
  ]);
  expect(asked).toEqual([
    {
      verb: "get",
      apiGroup: "rules.example.com",
      apiVersion: "v1",
      resource: "limits",
      namespace: "*",
      name: "*",
    },
  ]);
  const unknown = { apiVersion: "v1", kind: "Nothing" };
  await refusals?.(contextOf(alice), policy({ paramKind: unknown }), policy({ paramKind }));
  expect(asked[1]).toMatchObject({ apiGroup: "", apiVersion: "v1", resource: "*" });
  asked.length = 0;
  for (const [now, before] of [
    [{ paramKind }, { paramKind }],
    [{}, { paramKind }],
    [{}, undefined],
  ]) {
    expect(await refusals?.(contextOf(alice), policy(now ?? {}), before && policy(before))).toEqual([]);
  }
  const master = { ...alice, groups: ["system:masters"] };
  expect(await refusals?.(contextOf(master), policy({ paramKind }), undefined)).toEqual([]);
  expect(asked).toEqual([]);
});

const named = { name: "one", namespace: "here" };
const every = { selector: {}, parameterNotFoundAction: "Allow" };

test.each<[ApiLevel, object, object | undefined, string]>([
  ["1.27", every, { paramKind }, `user ${aliceText} does not have "get" permission on the object`],
  ["1.28", every, { paramKind }, `user list does not have "${aliceText}" permission on the object`],
  ["1.30", named, { paramKind }, `user get does not have "${aliceText}" permission on the object`],
  ["1.31", named, undefined, `user ${aliceText} does not have "get" permission on the object`],
  ["1.36", every, { paramKind }, `user ${aliceText} does not have "list" permission on the object`],
  [
    "1.32",
    named,
    undefined,
    `unable to get policy p to determine minimum required permissions and user ${aliceText} does not have "get" permission for all`,
  ],
  [
    "1.36",
    named,
    { paramKind: { apiVersion: "v1", kind: "Nothing" } },
    `unable to resolve paramKind &{v1 Nothing} to determine minimum required permissions and user ${aliceText} does not`,
  ],
])("at %s a binding with %j to a policy with %j is refused", async (level, paramRef, spec, text) => {
  const { parts } = ground(level);
  const { refusals } = bindingHooks(parts, async () => spec && policy(spec));
  const [message = ""] = await texts(refusals?.(contextOf(alice), binding({ paramRef }), undefined));
  expect(message).toContain(`spec.paramRef: Forbidden: ${text}`);
});

test("a binding asks for what it refers to", async () => {
  const { parts, asked } = ground("1.36", true);
  const { refusals } = bindingHooks(parts, async (name) =>
    name === "p" ? policy({ paramKind }) : undefined,
  );
  const refused = (now: object, before?: object) =>
    refusals?.(contextOf(alice), binding(now), before && binding(before));
  expect(await refused({ paramRef: named })).toEqual([]);
  await refused({ paramRef: every });
  await refused({ paramRef: named, policyName: "other" }, { paramRef: named });
  expect(asked).toEqual([
    { verb: "get", apiGroup: "rules.example.com", apiVersion: "v1", resource: "limits", ...named },
    {
      verb: "list",
      apiGroup: "rules.example.com",
      apiVersion: "v1",
      resource: "limits",
      name: "",
      namespace: "",
    },
    { verb: "get", apiGroup: "*", apiVersion: "*", resource: "*", ...named },
  ]);
  asked.length = 0;
  await refused({ paramRef: named }, { paramRef: named });
  await refused({});
  expect(asked).toEqual([]);
  await refused({ paramRef: every }, { paramRef: every });
  expect(asked).toHaveLength(1);
});
