import { createHmac, createPublicKey, createSign, generateKeyPairSync } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ServiceAccountClaims } from "./service-account-claims.js";
import { createTokenIssuer, keySigner } from "./service-account-issuer.js";
import type {
  LookedUpAccount,
  LookedUpObject,
  LookedUpSecret,
  SecretTokenTracking,
  ServiceAccountTokenSettings,
  TokenUse,
} from "./service-account-settings.js";
import { createServiceAccountMechanism } from "./service-account-token.js";
import { fixedTokenKeys, parseSigningKey, parseVerifyingKeys, type TokenSigningKey } from "./token-keys.js";
import { createBearerTokenAuthenticator, createTokenAuthenticator } from "./token-union.js";
import { createAuthenticator } from "./union.js";

const start = new Date("2026-01-01T00:00:00Z");
const seconds = start.getTime() / 1000;
const issuer = "https://issuer.example";

function newKey(curve = "P-256"): TokenSigningKey {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: curve });
  return parseSigningKey(String(privateKey.export({ type: "pkcs8", format: "pem" })), "key");
}

const key = newKey();
let now: Date;
let accounts: Map<string, LookedUpAccount>;
let pods: Map<string, LookedUpObject>;
let secrets: Map<string, LookedUpSecret>;
let nodes: Map<string, LookedUpObject>;
let uses: TokenUse[];

beforeEach(() => {
  now = start;
  accounts = new Map([["ns/robot", { uid: "u1", deletedAt: undefined, secrets: new Set() }]]);
  pods = new Map([["ns/p", { uid: "p1", deletedAt: undefined }]]);
  secrets = new Map();
  nodes = new Map([["n", { uid: "n1", deletedAt: undefined }]]);
  uses = [];
});

function authenticator(changes: Partial<ServiceAccountTokenSettings> = {}) {
  return createServiceAccountMechanism({
    issuers: [issuer],
    legacyIssuer: "vendor/serviceaccount",
    keys: fixedTokenKeys([newKey("P-384"), key], "1.36"),
    apiAudiences: ["api"],
    domain: "example.io",
    extraPrefix: "authentication.example.io",
    annotationPrefix: "authentication.example.io",
    lookupLegacy: true,
    lookup: {
      serviceAccount: async (namespace, name) => accounts.get(`${namespace}/${name}`),
      pod: async (namespace, name) => pods.get(`${namespace}/${name}`),
      secret: async (namespace, name) => secrets.get(`${namespace}/${name}`),
      node: async (name) => nodes.get(name),
    },
    now: () => now,
    used: (use) => uses.push(use),
    ...changes,
  });
}

const claims = {
  subject: "system:serviceaccount:ns:robot",
  audiences: ["api"],
  issuedAt: seconds,
  notBefore: seconds,
  expiresAt: seconds + 600,
  namespace: "ns",
  account: { name: "robot", uid: "u1" },
  pod: undefined,
  secret: undefined,
  warnAfter: undefined,
} satisfies Omit<ServiceAccountClaims, "issuer">;

const bound = { ...claims, pod: { name: "p", uid: "p1" } };

const sign = (content: Omit<ServiceAccountClaims, "issuer">, by = key, as = issuer) =>
  createTokenIssuer({
    issuer: as,
    legacyIssuer: "vendor/serviceaccount",
    sign: keySigner(by),
    domain: "example.io",
  }).sign(content);

const sample = await sign(claims);
const ask = (token: string, audiences?: readonly string[], changes?: Partial<ServiceAccountTokenSettings>) =>
  authenticator(changes).authenticate(token, { audiences: audiences ?? ["api"] });

test("a bound token is its account, in the groups of accounts, and tells its pod", async () => {
  expect(await ask(await sign(bound))).toEqual({
    kind: "authenticated",
    user: {
      name: "system:serviceaccount:ns:robot",
      uid: "u1",
      groups: ["system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"],
      extra: {
        "authentication.example.io/pod-name": ["p"],
        "authentication.example.io/pod-uid": ["p1"],
      },
    },
    audiences: ["api"],
  });
});

test("a token has an id, and tells the node of its pod, to a server that reads them", async () => {
  const token = await sign({ ...bound, id: "i1", node: { name: "n", uid: "n1" } });
  expect(decodeJwt(token)).toMatchObject({ jti: "i1", "example.io": { node: { name: "n", uid: "n1" } } });
  const extraOf = async (ids: boolean, nodesOfPods: boolean) => {
    const result = await ask(token, undefined, { reads: { ids, nodesOfPods, boundNodes: true } });
    return result.kind === "authenticated" ? result.user.extra : undefined;
  };
  const pod = { "authentication.example.io/pod-name": ["p"], "authentication.example.io/pod-uid": ["p1"] };
  expect(await extraOf(false, false)).toEqual(pod);
  expect(await extraOf(true, true)).toEqual({
    ...pod,
    "authentication.example.io/credential-id": ["JTI=i1"],
    "authentication.example.io/node-name": ["n"],
    "authentication.example.io/node-uid": ["n1"],
  });
  // The node may be deleted before the pod.
  nodes.clear();
  expect(await extraOf(true, true)).toBeDefined();
});

test("a token that is bound to a node ends with it, where that is checked", async () => {
  const token = await sign({ ...claims, node: { name: "n", uid: "n1" } });
  const kindOf = async (boundNodes: boolean) =>
    await ask(token, undefined, { reads: { ids: true, nodesOfPods: true, boundNodes } });
  expect(await kindOf(true)).toMatchObject({ kind: "authenticated" });
  nodes.set("n", { uid: "n2", deletedAt: undefined });
  expect(await kindOf(false)).toMatchObject({ kind: "authenticated" });
  expect(await kindOf(true)).toMatchObject({
    kind: "rejected",
    reason: "node UID (n2) does not match service account node ref claim (n1)",
  });
  nodes.clear();
  expect(await kindOf(true)).toMatchObject({ kind: "rejected" });
});

test("all requests with a token have the same user object, by which others know what they cached", async () => {
  const token = await sign(bound);
  const own = authenticator();
  const [first, second] = [
    await own.authenticate(token, { audiences: ["api"] }),
    await own.authenticate(token, { audiences: ["api"] }),
  ];
  if (first.kind !== "authenticated" || second.kind !== "authenticated") throw new Error("refused");
  expect(second.user).toBe(first.user);
  expect(Object.isFrozen(first.user)).toBe(true);
});

test("tokens of other issuers, and what is no token, say nothing", async () => {
  expect(await ask(await sign(claims, key, "https://other.example"))).toEqual({ kind: "none" });
  expect(await ask("a.b.c")).toEqual({ kind: "none" });
  expect(await ask("opaque")).toEqual({ kind: "none" });
});

/** Signed with the accepted key, whatever its header says. */
function signText(payload: string, kid = decodeProtectedHeader(sample).kid): string {
  const { alg } = decodeProtectedHeader(sample);
  const part = (text: string): string => Buffer.from(text).toString("base64url");
  const content = `${part(JSON.stringify({ kid, alg }))}.${part(payload)}`;
  const signature = createSign("sha256")
    .update(content)
    .sign({ key: key.privateKey, dsaEncoding: "ieee-p1363" });
  return `${content}.${signature.toString("base64url")}`;
}

test.each(["exp", "nbf", "iat"])(
  "a token whose %s is no number is rejected: it would have no end",
  async (name) => {
    const whole = JSON.stringify({ ...decodeJwt(sample), [name]: 0 });
    for (const value of ['"1"', "1e999", "null", "[]", "{}", "true"]) {
      const token = signText(whole.replace(`"${name}":0`, `"${name}":${value}`));
      expect(await ask(token)).toEqual({
        kind: "rejected",
        reason: `token could not be validated: its ${name} claim is not a time`,
      });
    }
  },
);

test("a token whose audience is no text is rejected: it would be for the API", async () => {
  const whole = JSON.stringify({ ...decodeJwt(sample), aud: "AUD" });
  for (const value of ["1", "null", "{}", "[1]", '["a",null]', "[[]]"]) {
    expect(await ask(signText(whole.replace('"AUD"', value)))).toEqual({
      kind: "rejected",
      reason: "token could not be validated: its aud claim is not an audience",
    });
  }
});

test.each(['["a"]', '{"toString":1}', "1", "null"])(
  "a token whose issuer is %s is not authenticated",
  async (iss) => {
    expect(await ask(signText(`{"iss":${iss}}`))).toEqual({ kind: "none" });
    expect(await ask(signText(`{"iss":${iss.replace("a", issuer)}}`))).toEqual({ kind: "none" });
  },
);

test("a token that another key signed, or that was changed, is rejected", async () => {
  const reason = "invalid signature, no keys found";
  expect(await ask(await sign(claims, newKey()))).toEqual({ kind: "rejected", reason });
  const [head, , signature] = (await sign(claims)).split(".");
  const forged = Buffer.from(JSON.stringify({ iss: issuer, sub: "system:admin" })).toString("base64url");
  expect(await ask(`${head}.${forged}.${signature}`)).toEqual({
    kind: "rejected",
    reason: "invalid signature",
  });
});

test("no header talks the server into another algorithm, or into a key of the client's own", async () => {
  const { kid, alg } = decodeProtectedHeader(sample);
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const admin = encode({ ...decodeJwt(sample), sub: "system:serviceaccount:ns:admin" });
  const own = newKey();
  const signedBy = (header: object, by: TokenSigningKey): string => {
    const content = `${encode(header)}.${admin}`;
    const signature = createSign("sha256")
      .update(content)
      .sign({ key: by.privateKey, dsaEncoding: "ieee-p1363" });
    return `${content}.${signature.toString("base64url")}`;
  };
  const withHash = (header: object, secret: string | Uint8Array): string => {
    const content = `${encode(header)}.${admin}`;
    return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
  };
  const publicKey = createPublicKey(key.privateKey);
  const [, , signature] = sample.split(".");
  const forged = [
    `${encode({ alg: "none" })}.${admin}.`,
    `${encode({ alg: "none", kid })}.${admin}.`,
    `${encode({ alg: "None", kid })}.${admin}.${signature}`,
    // The public key as a shared secret.
    withHash({ alg: "HS256", kid }, publicKey.export({ type: "spki", format: "pem" })),
    withHash({ alg: "HS256", kid }, publicKey.export({ type: "spki", format: "der" })),
    withHash({ alg: "HS256" }, ""),
    // Keys that the token contains or points to, and key IDs that are paths.
    signedBy({ alg, kid, jwk: createPublicKey(own.privateKey).export({ format: "jwk" }) }, own),
    signedBy({ alg, kid, jku: "https://example.com/keys" }, own),
    signedBy({ alg, kid: "../../../../dev/null" }, own),
    signedBy({ alg, kid: "" }, own),
    signedBy({ alg }, own),
    signedBy({ alg: "RS256", kid }, key),
    signedBy({ alg, kid, crit: ["exp"] }, key),
  ];
  for (const token of forged) expect((await ask(token)).kind, token).toBe("rejected");
  expect((await ask(sample)).kind).toBe("authenticated");
});

test("a token whose subject is no text is rejected", async () => {
  expect(await ask(signText(JSON.stringify({ ...decodeJwt(sample), sub: 1 })))).toEqual({
    kind: "rejected",
    reason: "token could not be validated: its sub claim is not a text",
  });
});

test.each<[ApiLevel, object]>([
  ["1.30", { kind: "authenticated" }],
  ["1.31", { kind: "rejected", reason: "invalid signature, no keys found" }],
])("a token whose header names another key, at %s", async (level, result) => {
  const token = signText(JSON.stringify(decodeJwt(sample)), "other");
  const keys = fixedTokenKeys([key], level);
  expect(await ask(token, undefined, { keys })).toMatchObject(result);
  expect((await ask(sample, undefined, { keys })).kind).toBe("authenticated");
});

test("a token that is not valid yet is rejected", async () => {
  const later = { ...claims, notBefore: seconds + 300, issuedAt: seconds };
  expect(await ask(await sign(later))).toEqual({
    kind: "rejected",
    reason: "service account token is not valid yet",
  });
});

test("a token ends a minute after its time, even one whose signature was seen before", async () => {
  const token = await sign(claims);
  const own = authenticator();
  const asked = { audiences: ["api"] };
  expect(await own.authenticate(token, asked)).toMatchObject({ kind: "authenticated" });
  now = new Date(start.getTime() + 659_000);
  expect(await own.authenticate(token, asked)).toMatchObject({ kind: "authenticated" });
  now = new Date(start.getTime() + 661_000);
  expect(await own.authenticate(token, asked)).toEqual({
    kind: "rejected",
    reason: "service account token has expired",
  });
});

test("audiences: the API's own unless asked for others", async () => {
  const elsewhere = await sign({ ...claims, audiences: ["vault"] });
  expect(await ask(elsewhere)).toEqual({
    kind: "rejected",
    reason: 'token audiences ["vault"] is invalid for the target audiences ["api"]',
  });
  expect(await ask(elsewhere, ["vault", "x"])).toMatchObject({ audiences: ["vault"] });
});

test.each<[string, () => void, string]>([
  ["account gone", () => accounts.clear(), 'serviceaccounts "robot" not found'],
  [
    "another account of the name",
    () => accounts.set("ns/robot", { uid: "u2", deletedAt: undefined, secrets: new Set() }),
    "service account UID (u2) does not match claim (u1)",
  ],
  [
    "account deleted a while ago",
    () =>
      accounts.set("ns/robot", {
        uid: "u1",
        deletedAt: new Date(start.getTime() - 61_000),
        secrets: new Set(),
      }),
    "service account ns/robot has been deleted",
  ],
  ["pod gone", () => pods.clear(), "service account token has been invalidated"],
  [
    "another pod of the name",
    () => pods.set("ns/p", { uid: "p2", deletedAt: undefined }),
    "pod UID (p2) does not match service account pod ref claim (p1)",
  ],
])("%s: rejected", async (_what, change, reason) => {
  change();
  expect(await ask(await sign(bound))).toEqual({ kind: "rejected", reason });
});

test("a token bound to a secret becomes invalid with it", async () => {
  const token = await sign({ ...claims, secret: { name: "s", uid: "s1" } });
  secrets.set("ns/s", { uid: "s1", deletedAt: undefined, labels: {}, token: undefined });
  expect(await ask(token)).toMatchObject({ kind: "authenticated" });
  secrets.set("ns/s", { uid: "s2", deletedAt: undefined, labels: {}, token: undefined });
  expect(await ask(token)).toEqual({
    kind: "rejected",
    reason: "secret UID (s2) does not match service account secret ref claim (s1)",
  });
});

const legacyToken = () =>
  createTokenIssuer({
    issuer,
    legacyIssuer: "vendor/serviceaccount",
    sign: keySigner(key),
    domain: "example.io",
  }).signForSecret({
    namespace: "ns",
    account: { name: "robot", uid: "u1" },
    secretName: "robot-token",
  });

test("a token of a secret is valid while the secret holds it, or for ever without the lookup", async () => {
  const token = await legacyToken();
  expect(await ask(token)).toEqual({
    kind: "rejected",
    reason: "Token has been invalidated",
  });
  expect(await ask(token, undefined, { lookupLegacy: false })).toMatchObject({ kind: "authenticated" });
  secrets.set("ns/robot-token", { uid: "s", deletedAt: undefined, labels: {}, token: Buffer.from(token) });
  expect(await ask(token)).toMatchObject({ kind: "authenticated", user: { uid: "u1", extra: {} } });
  secrets.set("ns/robot-token", {
    uid: "s",
    deletedAt: undefined,
    labels: {},
    token: Buffer.from("another"),
  });
  expect(await ask(token)).toEqual({
    kind: "rejected",
    reason: "Token does not match server's copy",
  });
});

test("use after the time to renew is counted, and noted for audit events", async () => {
  const token = await sign({ ...bound, expiresAt: seconds + 3600, warnAfter: seconds + 60 });
  expect(await ask(token)).toMatchObject({ kind: "authenticated", notes: undefined });
  now = new Date((seconds + 95) * 1000);
  expect(await ask(token)).toMatchObject({
    kind: "authenticated",
    notes: [
      {
        key: "authentication.example.io/stale-token",
        value: "subject: system:serviceaccount:ns:robot, seconds after warning threshold: 35",
      },
    ],
  });
  expect(await ask(await sign(bound))).toMatchObject({ notes: undefined });
  expect(uses).toEqual(["valid", "stale"]);
});

test("use of a token out of a secret is counted, and noted for audit events", async () => {
  const token = await legacyToken();
  await ask(token);
  expect(uses).toEqual([]);
  expect(await ask(token, undefined, { lookupLegacy: false })).toMatchObject({
    notes: [{ key: "authentication.example.io/legacy-token", value: "system:serviceaccount:ns:robot" }],
  });
  expect(uses).toEqual(["legacy"]);
});

describe("where uses of secrets are tracked", () => {
  const [date, invalid] = ["example.io/last-used", "example.io/invalid-since"];
  let labelled: string[];
  let tracked: string[];
  let token: string;

  const tracking = (invalidSinceLabel: string | undefined = invalid): SecretTokenTracking => ({
    lastUsedLabel: date,
    invalidSinceLabel,
    label: ({ namespace, name, uid }, day) => labelled.push(`${namespace}/${name} ${uid} ${day}`),
    used: (use) => tracked.push(use),
  });
  const keep = (labels: Readonly<Record<string, string>> = {}) =>
    secrets.set("ns/robot-token", { uid: "s", deletedAt: undefined, labels, token: Buffer.from(token) });

  beforeEach(async () => {
    labelled = [];
    tracked = [];
    token = await legacyToken();
    keep();
  });

  test("a secret that somebody created is labelled with the day, once", async () => {
    const today = now.toISOString().slice(0, 10);
    expect(await ask(token, undefined, { tracking: tracking() })).toMatchObject({
      kind: "authenticated",
      notes: [
        { key: "authentication.example.io/legacy-token" },
        { key: "authentication.example.io/legacy-token-manual-secret", value: "robot-token" },
      ],
    });
    expect(labelled).toEqual([`ns/robot-token s ${today}`]);
    keep({ [date]: today });
    await ask(token, undefined, { tracking: tracking() });
    expect(labelled).toHaveLength(1);
    expect(tracked).toEqual(["manual", "manual"]);
  });

  test("use of a secret that came with its account is warned of", async () => {
    accounts.set("ns/robot", { uid: "u1", deletedAt: undefined, secrets: new Set(["robot-token"]) });
    expect(await ask(token, undefined, { tracking: tracking() })).toMatchObject({
      notes: [
        { key: "authentication.example.io/legacy-token" },
        {
          key: "authentication.example.io/legacy-token-autogenerated-secret",
          value: "robot-token",
          warning: expect.stringContaining("Use tokens from the TokenRequest API"),
        },
      ],
    });
    expect(tracked).toEqual(["auto"]);
  });

  test("a secret that is marked as invalid is refused, and its use is still known", async () => {
    keep({ [invalid]: "2020-01-01" });
    const refused = await ask(token, undefined, { tracking: tracking() });
    expect(refused).toMatchObject({
      kind: "rejected",
      reason: expect.stringContaining("has been marked invalid. Use tokens from the TokenRequest API"),
      notes: [{}, { key: "authentication.example.io/legacy-token-invalidated", value: "robot-token/ns" }],
    });
    expect(labelled).toHaveLength(1);
    expect(tracked).toEqual(["invalid"]);
    const before = { ...tracking(), invalidSinceLabel: undefined };
    expect(await ask(token, undefined, { tracking: before })).toMatchObject({ kind: "authenticated" });
  });

  test("where they are not, nothing is said", async () => {
    keep({ [invalid]: "2020-01-01" });
    expect(await ask(token)).toMatchObject({
      kind: "authenticated",
      notes: [{ key: "authentication.example.io/legacy-token" }],
    });
    expect(labelled).toEqual([]);
  });
});

test("a note reaches those who ask with a bearer token", async () => {
  const token = await legacyToken();
  const judge = createTokenAuthenticator([authenticator({ lookupLegacy: false })], ["api"]);
  const request = createAuthenticator([createBearerTokenAuthenticator(judge)]);
  const credentials = {
    authorization: `Bearer ${token}`,
    headers: { entries: () => [] },
    certificates: undefined,
  };
  expect(await request(credentials)).toMatchObject({
    kind: "user",
    notes: [{ key: "authentication.example.io/legacy-token" }],
  });
});

test("a review names what was wrong, and keeps users without audiences from others'", async () => {
  const fixed = {
    authenticate: (token: string) =>
      token === "fixed"
        ? ({ kind: "authenticated", user: { name: "bob", uid: "", groups: [], extra: {} } } as const)
        : ({ kind: "none" } as const),
  };
  const judge = createTokenAuthenticator([fixed, authenticator()], ["api"]);
  expect(await judge("nobody's", undefined)).toEqual({
    kind: "refused",
    error: "invalid bearer token",
  });
  expect(await judge(await sign(claims, newKey()), undefined)).toEqual({
    kind: "refused",
    error: "[invalid bearer token, invalid signature, no keys found]",
  });
  expect(await judge("fixed", undefined)).toMatchObject({
    user: { name: "bob" },
    audiences: ["api"],
  });
  expect(await judge("fixed", ["vault"])).toEqual({ kind: "refused", error: "invalid bearer token" });
});

test("key files hold public keys, certificates or private keys; anything else is refused with the file's name", () => {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const publicPem = String(pair.publicKey.export({ type: "spki", format: "pem" }));
  const privatePem = String(pair.privateKey.export({ type: "pkcs1", format: "pem" }));
  const [fromPublic, fromPrivate] = parseVerifyingKeys(`${publicPem}\n${privatePem}`, "f");
  expect(fromPublic?.algorithm).toBe("RS256");
  expect(fromPrivate?.keyId).toBe(fromPublic?.keyId);
  expect(() => parseVerifyingKeys("nothing", "sa.pub")).toThrow(/^sa\.pub: does not contain any valid/);
  expect(() => parseSigningKey(publicPem, "sa.key")).toThrow(/^sa\.key: /);
  const edwards = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" });
  expect(() => parseVerifyingKeys(String(edwards), "ed.pub")).toThrow(/^ed\.pub: only RSA/);
});
