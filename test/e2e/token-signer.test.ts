import { createPublicKey, verify } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../src/apimachinery/levels/feature-gates/feature-gates.js";
import type { Options } from "../../src/server/options/options.js";
import { FakeTokenSigner, newSignerKey } from "../support/fake-token-signer.js";
import { type InProcessServer, startInProcess } from "../support/in-process-server.js";
import { whoAmI } from "../support/who-am-i.js";

/** Tokens of service accounts that are signed by another process, KEP-740. */

const gate = new Map<FeatureGateName, boolean>([["ExternalServiceAccountTokenSigner", true]]);
const tokens = "/api/v1/namespaces/default/serviceaccounts/robot/token";
const robot = "system:serviceaccount:default:robot";
let directory: string;
let signer: FakeTokenSigner;
let server: InProcessServer | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "token-signer-"));
});
afterEach(async () => {
  await server?.dispose();
  server = undefined;
  await signer?.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function startSigner(version: "v1alpha1" | "v1"): Promise<string> {
  const socket = join(directory, "signer.sock");
  signer = new FakeTokenSigner(socket, version);
  await signer.start();
  return socket;
}

async function start(options: Partial<Options>) {
  server = await startInProcess({ serviceAccountIssuer: ["https://issuer.example.com"], ...options });
  await server.api.post("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "robot" } });
  return server;
}

async function tokenOf({ api }: InProcessServer, spec: object = {}): Promise<string> {
  const { status, body } = await api.post(tokens, { spec });
  expect(status).toBe(201);
  return body.status.token;
}

const headerOf = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

test.each<[ApiLevel, "v1alpha1" | "v1", Partial<Options>]>([
  ["1.32", "v1alpha1", { featureGates: gate }],
  ["1.33", "v1alpha1", { featureGates: gate }],
  ["1.34", "v1", {}],
  ["1.36", "v1", {}],
])(
  "at %s a signer that speaks %s signs, and its keys verify and are published",
  async (level, version, more) => {
    const socket = await startSigner(version);
    const hidden = newSignerKey("old", true);
    signer.keys = [...signer.keys, hidden];
    const running = await start({ apiLevel: level, serviceAccountSigningEndpoint: socket, ...more });
    const { api } = running;
    const token = await tokenOf(running);
    expect(headerOf(token)).toEqual({ alg: "ES256", kid: "first", typ: "JWT" });
    expect(claimsOf(token)).toMatchObject({ iss: "https://issuer.example.com", sub: robot });
    expect(await whoAmI(running, { token })).toMatchObject({ user: robot });
    // No keys of its own.
    expect(readdirSync(running.directory, { recursive: true }).join(" ")).not.toMatch(/\bsa\.(key|pub)/);

    const jwks = await api.get("/openid/v1/jwks");
    expect(jwks.body.keys).toMatchObject([{ kid: "first", alg: "ES256", use: "sig", kty: "EC" }]);
    const seconds = Number(/^public, max-age=(\d+)$/.exec(String(jwks.headers["cache-control"]))?.[1]);
    expect(seconds).toBeGreaterThan(1700);
    expect(seconds).toBeLessThanOrEqual(1800);
    const [head, claims, signature = ""] = token.split(".");
    const key = createPublicKey({ key: jwks.body.keys[0], format: "jwk" });
    const options = { key, dsaEncoding: "ieee-p1363" } as const;
    expect(
      verify("sha256", Buffer.from(`${head}.${claims}`), options, Buffer.from(signature, "base64url")),
    ).toBe(true);

    const { text } = await api.get("/metrics");
    expect(text).toContain('apiserver_externaljwt_sign_request_total{code="OK"} 1');
    expect(text).toContain('apiserver_externaljwt_fetch_keys_request_total{code="OK"}');
    expect(text).toContain("apiserver_externaljwt_fetch_keys_data_timestamp 1700000000");
    expect(text).toContain(`method="/${version}.ExternalJWTSigner/Sign",code="OK"`);
  },
);

test.each<[string, ApiLevel, Partial<Options>, RegExp]>([
  [
    "at 1.33 without the gate",
    "1.33",
    {},
    /signing-endpoint: requires enabling the ExternalServiceAccountTokenSigner/,
  ],
  [
    "beside a key file",
    "1.36",
    { serviceAccountKeyFile: ["/keys.pem"] },
    /signing-endpoint: cannot be set together with/,
  ],
  ["with a wrong name", "1.36", { serviceAccountSigningEndpoint: "@a/b" }, /valid abstract socket name/],
  [
    "with a longer limit",
    "1.36",
    { serviceAccountMaxTokenExpirationMs: 7_201_000 },
    /cannot be set longer than the token expiration supported by service-account-signing-endpoint: 7201s > 7200s/,
  ],
])("a server does not start %s", async (_what, apiLevel, options, expected) => {
  const serviceAccountSigningEndpoint = await startSigner("v1");
  await expect(start({ apiLevel, serviceAccountSigningEndpoint, ...options })).rejects.toThrow(expected);
});

test("a server does not start where its signer cannot be followed", async () => {
  const options = { apiLevel: "1.36", serviceAccountSigningEndpoint: await startSigner("v1") } as const;
  signer.maxExpirationSeconds = 599;
  await expect(start(options)).rejects.toThrow(
    /max token life .* \(599s\) is less than acceptable \(min 600s\)/,
  );
  signer.maxExpirationSeconds = 7200;
  signer.keys = [];
  await expect(start(options)).rejects.toThrow(/found no keys/);
  signer.keys = [newSignerKey("")];
  await expect(start(options)).rejects.toThrow(/found invalid public key id ""/);
  signer.keys = [newSignerKey("a")];
  signer.refreshHintSeconds = 0;
  await expect(start(options)).rejects.toThrow(/found invalid refresh hint \(0s\)/);
});

describe("with a signer at the newest level", () => {
  let running: InProcessServer;
  beforeEach(async () => {
    running = await start({ apiLevel: "1.36", serviceAccountSigningEndpoint: await startSigner("v1") });
  });

  test("no token lives longer than the signer says", async () => {
    const answer = await running.api.post(tokens, { spec: { expirationSeconds: 100_000 } });
    expect(answer.headers.warning).toContain(
      "requested expiration of 100000 seconds shortened to 7200 seconds",
    );
    const { exp, iat } = claimsOf(answer.body.status.token);
    expect(exp - iat).toBe(7200);
  });

  test("a new key is fetched when a token names it, and a key that is gone verifies no more", async () => {
    const old = await tokenOf(running);
    expect(await whoAmI(running, { token: old })).toMatchObject({ user: robot });
    signer.keys = [newSignerKey("second")];
    const token = await tokenOf(running);
    expect(headerOf(token).kid).toBe("second");
    expect(await whoAmI(running, { token })).toMatchObject({ user: robot });
    expect((await running.api.get("/openid/v1/jwks")).body.keys).toMatchObject([{ kid: "second" }]);
    expect(await whoAmI(running, { token: old })).toMatchObject({ status: 401 });
  });

  test.each<[string, object, string]>([
    [
      "more in its header",
      { jku: "https://example.com" },
      'while parsing header JSON: json: unknown field "jku"',
    ],
    ["no key", { kid: "" }, "key id missing"],
    ["another type", { typ: "at+jwt" }, "bad type"],
    ["another algorithm", { alg: "HS256" }, 'bad signing algorithm "HS256"'],
  ])("a token with %s is not handed out", async (_what, header, why) => {
    signer.header = header;
    const { status, body } = await running.api.post(tokens, { spec: {} });
    expect([status, body.reason]).toEqual([500, "InternalError"]);
    expect(body.message).toBe(
      `Internal error occurred: failed to generate token: while validating header: ${why}`,
    );
  });

  test("a key that is excluded from the published key set signs no tokens", async () => {
    signer.keys = [newSignerKey("hidden", true), ...signer.keys];
    const { status, body } = await running.api.post(tokens, { spec: {} });
    expect(status).toBe(500);
    expect(body.message).toContain(
      "key used for signing JWT (kid: hidden) is excluded from OIDC discovery docs",
    );
  });

  test("a refusal of the signer is reported, and the server waits for a signer that restarts", async () => {
    signer.failure = "the hardware is away";
    const { body } = await running.api.post(tokens, { spec: {} });
    expect(body.message).toContain(
      "failed to generate token: while signing jwt: rpc error: code = Unavailable desc = the hardware is away",
    );
    signer.failure = undefined;
    await signer.stop();
    const waiting = tokenOf(running);
    await signer.start();
    expect(claimsOf(await waiting)).toMatchObject({ sub: robot });
  });

  test("secrets get no tokens, which would never expire", async () => {
    const { api } = running;
    await api.post("/api/v1/namespaces/default/secrets", {
      metadata: { name: "robot", annotations: { "kubernetes.io/service-account.name": "robot" } },
      type: "kubernetes.io/service-account-token",
    });
    const data = async () => (await api.get("/api/v1/namespaces/default/secrets/robot")).body.data ?? {};
    await expect.poll(async () => Object.keys(await data()).sort()).toEqual(["ca.crt", "namespace"]);
  });
});
