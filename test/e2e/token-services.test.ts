import { createHmac, createPublicKey } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { type JwtTransform, OAuth2Server } from "oauth2-mock-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Issued, issue } from "../../src/access/authentication/certificates/testing/certificates.js";
import { ApiClient } from "../support/api-client.js";
import { freePort } from "../support/free-ports.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { whoAmI } from "../support/who-am-i.js";

const localhost = new x509.SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }]);
const webhookToken = "tell-nobody";
let home: string;
let server: ServerHere;
let provider: OAuth2Server;
let providerPort: number;
let issuer: string;
let webhook: Server;
let reviews: { readonly peer: string; readonly review: Review }[];

interface Review {
  readonly apiVersion: string;
  readonly spec: { readonly token: string; readonly audiences: string[] };
}

const who = (token: string) => whoAmI(server, { token });

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "token-services-"));
  const ca = await issue({ subject: "CN=services-ca", authority: true });
  const serving = await issue({ subject: "CN=services", issuer: ca, extensions: [localhost] });
  const client = await issue({ subject: "CN=api-server", issuer: ca });
  for (const [name, text] of [
    ["ca.crt", ca.certPem],
    ["serving.crt", serving.certPem],
    ["serving.key", serving.keyPem],
    ["client.crt", client.certPem],
    ["client.key", client.keyPem],
  ] as const) {
    writeFileSync(join(home, name), text);
  }
  await startWebhook(ca, serving);
  providerPort = await freePort();
  issuer = `https://127.0.0.1:${providerPort}`;
  server = await startServerHere({
    args: [
      `--oidc-issuer-url=${issuer}`,
      "--oidc-client-id=cluster",
      `--oidc-ca-file=${join(home, "ca.crt")}`,
      "--oidc-username-claim=email",
      "--oidc-username-prefix=oidc:",
      "--oidc-groups-claim=groups",
      "--oidc-groups-prefix=oidc:",
      "--oidc-required-claim=hd=example.org",
      "--oidc-signing-algs=RS256,ES256",
      `--authentication-token-webhook-config-file=${join(home, "webhook.kubeconfig")}`,
      "--authentication-token-webhook-version=v1",
      "--authentication-token-webhook-cache-ttl=1h",
      "--v=9",
    ],
  });
});

afterAll(async () => {
  await server?.dispose();
  if (provider?.listening) await provider.stop();
  webhook?.close();
  rmSync(home, { recursive: true, force: true });
});

/** A service that takes clients of its own authority alone. */
async function startWebhook(ca: Issued, serving: Issued): Promise<void> {
  reviews = [];
  const options = {
    cert: serving.certPem,
    key: serving.keyPem,
    ca: ca.certPem,
    requestCert: true,
    rejectUnauthorized: true,
  };
  webhook = createServer(options, async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const review = JSON.parse(text) as Review;
    // An HTTPS server's sockets are these.
    const peer = (request.socket as TLSSocket).getPeerCertificate().subject.CN;
    reviews.push({ peer: String(peer), review });
    const known = review.spec.token === webhookToken;
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({
        apiVersion: review.apiVersion,
        kind: "TokenReview",
        status: known
          ? { authenticated: true, user: { username: "hook", groups: ["hooked"], extra: { a: ["b"] } } }
          : { authenticated: false, error: `what is ${review.spec.token}?` },
      }),
    );
  });
  await once(webhook.listen(0, "127.0.0.1"), "listening");
  const { port } = webhook.address() as AddressInfo; // a TCP server that listens
  writeFileSync(
    join(home, "webhook.kubeconfig"),
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [
        {
          name: "c",
          cluster: { server: `https://127.0.0.1:${port}/judge`, "certificate-authority": "ca.crt" },
        },
      ],
      users: [{ name: "u", user: { "client-certificate": "client.crt", "client-key": "client.key" } }],
    }),
  );
}

async function startProvider(): Promise<void> {
  provider = new OAuth2Server(join(home, "serving.key"), join(home, "serving.crt"));
  await provider.issuer.keys.generate("RS256", { kid: "one" });
  await provider.start(providerPort, "127.0.0.1");
  provider.issuer.url = issuer;
}

/** A valid ID token, except for what `change` alters. */
const idToken = (change: JwtTransform = () => {}, kid?: string) =>
  provider.issuer.buildToken({
    ...(kid !== undefined && { kid }),
    scopesOrTransform: (header, payload) => {
      Object.assign(payload, {
        aud: "cluster",
        email: "jane@example.org",
        groups: ["a", "b"],
        hd: "example.org",
      });
      change(header, payload);
    },
  });

const jane = {
  status: 201,
  user: "oidc:jane@example.org",
  groups: ["oidc:a", "oidc:b", "system:authenticated"],
};

test("the provider may be away when the server starts", async () => {
  await startProvider();
  await expect.poll(async () => await who(await idToken())).toEqual(jane);
});

test("keys rotate while the server runs, and the provider may go away again", async () => {
  await provider.issuer.keys.generate("ES256", { kid: "two" });
  const rotated = await idToken(() => {}, "two");
  await expect.poll(async () => await who(rotated)).toEqual(jane);
  expect(await who(await idToken(() => {}, "one"))).toEqual(jane);
  const late = await idToken((_header, payload) => Object.assign(payload, { groups: "c" }), "one");
  await provider.stop();
  expect(await who(late)).toEqual({ ...jane, groups: ["oidc:c", "system:authenticated"] });
  await provider.start(providerPort, "127.0.0.1");
  provider.issuer.url = issuer;
});

test("groups may be claims of another token, which the provider names the place of", async () => {
  const asked: (string | undefined)[] = [];
  const [cert, key] = ["serving.crt", "serving.key"].map((name) => readFileSync(join(home, name)));
  const claims = createServer({ cert, key }, async (request, response) => {
    asked.push(request.headers.authorization);
    const content = await idToken((_header, payload) => Object.assign(payload, { groups: ["far"] }));
    response.end(request.url === "/forged" ? content.slice(0, -8) : content);
  });
  await once(claims.listen(0, "127.0.0.1"), "listening");
  const { port } = claims.address() as AddressInfo; // a TCP server that listens
  const elsewhere = (path: string) =>
    idToken((_header, payload) => {
      delete payload.groups;
      Object.assign(payload, {
        _claim_names: { groups: "there" },
        _claim_sources: {
          there: { endpoint: `https://127.0.0.1:${port}${path}`, access_token: "key-to-claims" },
        },
      });
    });
  expect(await who(await elsewhere("/groups"))).toEqual({
    ...jane,
    groups: ["oidc:far", "system:authenticated"],
  });
  expect(asked).toEqual(["Bearer key-to-claims"]);
  expect(await who(await elsewhere("/forged"))).toMatchObject({ status: 401 });
  claims.close();
  claims.closeAllConnections();
  expect(await who(await elsewhere("/gone"))).toMatchObject({ status: 401 });
});

const now = () => Math.floor(Date.now() / 1000);
test.each<[string, JwtTransform]>([
  ["for another audience", (_header, payload) => Object.assign(payload, { aud: "other" })],
  ["of another issuer", (_header, payload) => Object.assign(payload, { iss: `${issuer}/` })],
  ["expired", (_header, payload) => Object.assign(payload, { exp: now() - 10 })],
  ["not valid yet", (_header, payload) => Object.assign(payload, { nbf: now() + 600 })],
  ["without its required claim", (_header, payload) => void delete payload.hd],
  ["of an unverified address", (_header, payload) => Object.assign(payload, { email_verified: false })],
  ["without a name", (_header, payload) => void delete payload.email],
])("an ID token %s is refused", async (_what, change) => {
  expect(await who(await idToken(change))).toMatchObject({ status: 401, message: "Unauthorized" });
});

test("forged ID tokens are refused: no signature, another key's, the public key as a shared secret", async () => {
  const token = await idToken(() => {}, "one");
  const [head = "", payload = "", signature = ""] = token.split(".");
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const admin = encode({ ...decode(payload), email: "admin@example.org" });
  const [publicKey] = provider.issuer.keys.toJSON();
  const publicPem = createPublicKey({ key: publicKey ?? {}, format: "jwk" }).export({
    type: "spki",
    format: "pem",
  });
  const confused = `${encode({ alg: "HS256", kid: "one" })}.${admin}`;
  for (const forged of [
    `${encode({ alg: "none" })}.${admin}.`,
    `${encode({ alg: "none", kid: "one" })}.${admin}.${signature}`,
    `${head}.${admin}.${signature}`,
    `${confused}.${createHmac("sha256", publicPem).update(confused).digest("base64url")}`,
    `${encode({ alg: "RS256", kid: "../../../dev/null" })}.${payload}.${signature}`,
    `${encode({ alg: "RS256", kid: "one", jku: "https://127.0.0.1:1/" })}.${payload}.${signature}`,
  ]) {
    expect(await who(forged), forged).toMatchObject({ status: 401 });
  }
  expect(await who(token)).toEqual(jane);
});

function decode(part: string): object {
  return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
}

test("a webhook is asked over mutual TLS, once for each token", async () => {
  const hooked = {
    status: 201,
    user: "hook",
    groups: ["hooked", "system:authenticated"],
    extra: { a: ["b"] },
  };
  expect(await who(webhookToken)).toEqual(hooked);
  expect(await who(webhookToken)).toEqual(hooked);
  const asked = reviews.filter(({ review }) => review.spec.token === webhookToken);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ peer: "api-server", review: { apiVersion: "authentication.k8s.io/v1" } });
  expect(await who("unheard-of")).toMatchObject({ status: 401, message: "Unauthorized" });
  // Tokens of the provider are judged before, and those that it does not know of are the webhook's.
  expect(
    reviews.every(({ review }) => !review.spec.token.startsWith("eyJhbGciOiJSUzI1NiIsImtpZCI6Im9uZSJ9")),
  ).toBe(true);
});

test("a TokenReview asks them all", async () => {
  const api = new ApiClient(server);
  const review = async (token: string) =>
    (await api.post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token } })).body.status;
  expect(await review(await idToken())).toMatchObject({ authenticated: true, user: { username: jane.user } });
  expect(await review(webhookToken)).toMatchObject({ authenticated: true, user: { username: "hook" } });
  expect((await review("unheard-of-too")).error).toContain("what is <token>?");
});

test("no token is in the log", () => {
  const log = server.output();
  expect(log).toContain("oidc: verify token");
  for (const secret of ["eyJ", webhookToken, "unheard-of", "key-to-claims"])
    expect(log).not.toContain(secret);
});
