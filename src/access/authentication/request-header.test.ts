import { beforeAll, expect, test } from "vitest";
import type { AuthenticationResult } from "./authenticator.js";
import { ClientAuthorities } from "./certificates/client-authorities.js";
import { type Issued, issue } from "./certificates/testing/certificates.js";
import { createClientCertificateAuthenticator } from "./client-certificate.js";
import { createRequestHeaderAuthenticator, isRequestHeader } from "./request-header.js";
import { createAuthenticator } from "./union.js";

const names = {
  username: ["X-Remote-User", "X-Other-User"],
  group: ["X-Remote-Group", "X-Other-Group"],
  extraPrefixes: ["X-Remote-Extra-"],
};
const proxies = new ClientAuthorities();
const clients = new ClientAuthorities();
let proxy: Issued;
let stranger: Issued;
let client: Issued;

beforeAll(async () => {
  const proxyCa = await issue({ subject: "CN=proxy-ca", authority: true });
  const clientCa = await issue({ subject: "CN=client-ca", authority: true });
  proxies.replace([proxyCa.certificate]);
  clients.replace([clientCa.certificate]);
  proxy = await issue({ subject: "CN=front-proxy", issuer: proxyCa });
  stranger = await issue({ subject: "CN=stranger", issuer: proxyCa });
  client = await issue({ subject: "CN=jane", issuer: clientCa });
});

type Headers = readonly (readonly [string, string])[];

const credentials = (headers: Headers, certificate: Issued | undefined) => ({
  authorization: undefined,
  headers: { entries: () => headers },
  certificates: certificate && { leaf: certificate.certificate, others: [] },
  signal: new AbortController().signal,
});
const settings = { ...names, authorities: proxies, now: () => new Date() };

async function ask(
  headers: Headers,
  certificate: Issued | undefined = proxy,
  allowedNames = ["front-proxy"],
): Promise<AuthenticationResult> {
  const authenticator = createRequestHeaderAuthenticator({ ...settings, allowedNames });
  return await authenticator.authenticate(credentials(headers, certificate));
}

const user: Headers = [["x-remote-user", "bob"]];

test("a front proxy says who asks: user, groups of all headers, other facts by their decoded keys", async () => {
  const headers: Headers = [
    ["x-other-group", "c"],
    ["x-remote-user", "bob"],
    ["x-remote-user", "mallory"],
    ["x-remote-group", "a"],
    ["x-remote-group", ""],
    ["x-remote-group", "b,b"],
    ["x-remote-extra-example.org%2fscope", "x"],
    ["x-remote-extra-example.org%2fscope", "y"],
    ["x-remote-extra-bad%zz", "z"],
  ];
  expect(await ask(headers)).toEqual({
    kind: "authenticated",
    user: {
      name: "bob",
      uid: "",
      groups: ["a", "b,b", "c", "system:authenticated"],
      extra: { "example.org/scope": ["x", "y"], "bad%zz": ["z"] },
    },
  });
});

test("names are in UTF-8, of which parsers give each byte as a character", async () => {
  const headers: Headers = [
    ["x-remote-user", "J\u00c3\u00b6rg"],
    ["x-remote-group", "\u00c3\u00a4"],
  ];
  expect(await ask(headers)).toMatchObject({
    user: { name: "J\u00f6rg", groups: ["\u00e4", "system:authenticated"] },
  });
});

test("the first header with a name counts", async () => {
  const headers: Headers = [
    ["x-other-user", "second"],
    ["x-remote-user", ""],
  ];
  expect(await ask(headers)).toMatchObject({ user: { name: "second" } });
  expect(await ask([...headers, ["x-remote-user", "late"]])).toMatchObject({ user: { name: "second" } });
});

test("a proxy may forward an anonymous user, who is not in the group of authenticated ones", async () => {
  const headers: Headers = [
    ["x-remote-user", "system:anonymous"],
    ["x-remote-group", "system:unauthenticated"],
  ];
  expect(await ask(headers)).toMatchObject({ user: { groups: ["system:unauthenticated"] } });
});

test.each<[string, Headers]>([
  ["no headers", []],
  ["an empty name", [["x-remote-user", ""]]],
  ["groups alone", [["x-remote-group", "system:masters"]]],
  ["underscores", [["x_remote_user", "bob"]]],
])("%s: nothing is said", async (_what, headers) => {
  expect(await ask(headers)).toEqual({ kind: "none" });
});

test("without a certificate of the proxies' own authority the headers mean nothing", async () => {
  const authenticator = createRequestHeaderAuthenticator({ ...settings, allowedNames: [] });
  expect(await authenticator.authenticate(credentials(user, undefined))).toEqual({ kind: "none" });
  expect(await ask(user, client, [])).toEqual({
    kind: "rejected",
    reason: "x509: certificate signed by unknown authority",
  });
});

test("the certificate's name must be allowed, when names are given", async () => {
  expect(await ask(user, stranger)).toEqual({
    kind: "rejected",
    reason: "x509: subject with cn=stranger is not in the allowed list",
  });
  expect(await ask(user, stranger, [])).toMatchObject({ user: { name: "bob" } });
});

test("the two authorities do not vouch for each other's certificates", async () => {
  const authenticate = createAuthenticator([
    createRequestHeaderAuthenticator({ ...settings, allowedNames: [] }),
    createClientCertificateAuthenticator({ authorities: clients, now: () => new Date() }),
  ]);
  const who = async (headers: Headers, certificate: Issued) => {
    const result = await authenticate(credentials(headers, certificate));
    return result.kind === "user" ? result.user.name : "refused";
  };
  expect(await who(user, client)).toBe("jane");
  expect(await who(user, proxy)).toBe("bob");
  // The proxy itself is not a user.
  expect(await who([], proxy)).toBe("refused");
});

test("the headers of the proxy are told apart, in any case", () => {
  const isIdentity = isRequestHeader(names);
  for (const name of ["X-REMOTE-user", "x-other-group", "x-remote-extra-scope"]) {
    expect(isIdentity(name), name).toBe(true);
  }
  for (const name of ["x-remote-userx", "authorization", "x_remote_user"]) {
    expect(isIdentity(name), name).toBe(false);
  }
});

test("the first header for the uid with a value names it, where there is one", async () => {
  const authenticator = createRequestHeaderAuthenticator({
    ...settings,
    uid: ["X-Remote-Uid", "X-Other-Uid"],
    allowedNames: [],
  });
  const headers: Headers = [...user, ["x-other-uid", "2"], ["x-remote-uid", ""], ["x-remote-uid", "1"]];
  expect(await authenticator.authenticate(credentials(headers, proxy))).toMatchObject({ user: { uid: "2" } });
  expect(await ask(headers)).toMatchObject({ user: { uid: "" } });
  expect(isRequestHeader({ ...names, uid: ["X-Remote-Uid"] })("x-remote-uid")).toBe(true);
});
