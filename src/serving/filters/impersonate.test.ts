import { expect, test } from "vitest";
import {
  type AccessQuestion,
  allow,
  type Decision,
  noOpinion,
} from "../../apimachinery/requests/authorizer.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { HttpExchange } from "../http/exchange.js";
import { openContext } from "../request/open-context.js";
import { impersonate } from "./impersonate.js";

/** The user in effect; `refused` is a resource that may not be impersonated. */
async function madeAs(
  headers: Record<string, string | string[]>,
  refused?: string,
  blamesServer = false,
): Promise<{ user: UserInfo; asked: string[] }> {
  // What the filter touches of an exchange.
  const exchange = {
    method: "GET",
    path: "/api",
    query: "",
    headers,
    headerLines: () =>
      Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
    addResponseHeader() {},
  } as unknown as HttpExchange;
  const context = openContext(exchange, new Date(0));
  context.user = { name: "admin", uid: "1", groups: ["admins"], extra: {} };
  const asked: string[] = [];
  const authorizer = ({ user, info }: AccessQuestion): Decision => {
    const { verb, apiGroup, namespace, resource, subresource, name } = info;
    asked.push([user.name, verb, apiGroup, namespace, resource, subresource, name].join("|"));
    return resource === refused ? noOpinion : allow;
  };
  await impersonate(authorizer, { authenticationGroup: "authentication.example.io", blamesServer })(
    context,
    async () => {},
  );
  return { user: context.user, asked };
}

test("without the headers nothing changes", async () => {
  expect(await madeAs({ accept: "*/*" })).toMatchObject({ user: { name: "admin" }, asked: [] });
});

test("everything that is asked for has to be allowed", async () => {
  const { user, asked } = await madeAs({
    "impersonate-user": "jane",
    "impersonate-group": ["a", "b"],
    "impersonate-uid": "u",
    "impersonate-extra-example.org%2fscope": ["x", "y"],
  });
  expect(user).toEqual({
    name: "jane",
    uid: "u",
    groups: ["a", "b", "system:authenticated"],
    extra: { "example.org/scope": ["x", "y"] },
  });
  expect(asked).toEqual([
    "admin|impersonate|||users||jane",
    "admin|impersonate|||groups||a",
    "admin|impersonate|||groups||b",
    "admin|impersonate|authentication.example.io||userextras|example.org/scope|x",
    "admin|impersonate|authentication.example.io||userextras|example.org/scope|y",
    "admin|impersonate|authentication.example.io||uids||u",
  ]);
});

test.each<[Record<string, string>, Partial<UserInfo>]>([
  // The bytes of UTF-8, one character each, as parsers give them.
  [{ "impersonate-user": "J\u00c3\u00b6rg" }, { name: "J\u00f6rg" }],
  [
    { "impersonate-user": "system:serviceaccount:ns:robot" },
    {
      name: "system:serviceaccount:ns:robot",
      groups: ["system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"],
    },
  ],
  [
    { "impersonate-user": "system:anonymous" },
    { name: "system:anonymous", groups: ["system:unauthenticated"] },
  ],
  [
    { "impersonate-user": "jane", "impersonate-group": "system:unauthenticated" },
    { groups: ["system:unauthenticated"] },
  ],
])("%j is in the groups that go with the name", async (headers, user) => {
  expect((await madeAs(headers)).user).toMatchObject(user);
});

test.each(["a-:robot", "a:robot-", "a:b:c", "a.b:robot", ":robot", "a:"])(
  "a user named like an account that cannot exist is no account: %s",
  async (rest) => {
    const name = `system:serviceaccount:${rest}`;
    const { user, asked } = await madeAs({ "impersonate-user": name });
    expect(asked).toEqual([`admin|impersonate|||users||${name}`]);
    expect(user.groups).toEqual(["system:authenticated"]);
  },
);

test("a refusal is addressed to the impersonator's own name", async () => {
  await expect(madeAs({ "impersonate-user": "jane" }, "users")).rejects.toThrow(
    'users "jane" is forbidden: User "admin" cannot impersonate resource "users" in API group "" at the cluster scope',
  );
});

test("groups need a user", async () => {
  const headers = { "impersonate-group": ["a", "b"], "impersonate-uid": "u", "impersonate-extra-k": "v" };
  const what =
    "[{Group  a    } {Group  b    } {UserExtra  v  authentication.example.io/v1  k} {UID  u  authentication.example.io/v1  }]";
  const message = `requested ${what} without impersonating a user`;
  await expect(madeAs(headers)).rejects.toMatchObject({ code: 400, message });
  await expect(madeAs(headers, undefined, true)).rejects.toMatchObject({
    code: 500,
    message: `Internal error occurred: ${message}`,
  });
});

test("extra of any name is the impersonated user's own", async () => {
  const headers = Object.fromEntries([
    ["impersonate-user", "jane"],
    ["impersonate-extra-__proto__", "x"],
    ["impersonate-extra-constructor", "y"],
  ]);
  const { user } = await madeAs(headers);
  expect(Object.entries(user.extra)).toEqual([
    ["__proto__", ["x"]],
    ["constructor", ["y"]],
  ]);
});

test("more checks by the authorizers than anybody needs are refused before the first", async () => {
  const many = Array.from({ length: 1000 }, (_, i) => [`impersonate-extra-${i}`, "x"]);
  const headers: Record<string, string> = Object.fromEntries([["impersonate-user", "jane"], ...many]);
  await expect(madeAs(headers)).rejects.toMatchObject({ code: 400 });
});

test("when the user may not be impersonated, nothing else is checked", async () => {
  const headers = { "impersonate-group": ["a", "b"], "impersonate-user": "jane" };
  await expect(madeAs(headers, "users")).rejects.toThrow('users "jane" is forbidden');
});
