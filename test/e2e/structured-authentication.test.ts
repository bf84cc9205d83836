import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { OAuth2Server } from "oauth2-mock-server";
import { Agent, request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { issue } from "../../src/access/authentication/certificates/testing/certificates.js";
import { ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { freePort } from "../support/free-ports.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";
import { credentialsOf } from "../support/server-process.js";
import { whoAmI } from "../support/who-am-i.js";

const localhost = new x509.SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }]);
let home: string;
let file: string;
let caPem: string;
let server: ServerHere;
const providers: { readonly url: string; readonly provider: OAuth2Server }[] = [];

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "structured-authentication-"));
  file = join(home, "authentication.yaml");
  const ca = await issue({ subject: "CN=services-ca", authority: true });
  const serving = await issue({ subject: "CN=services", issuer: ca, extensions: [localhost] });
  caPem = ca.certPem;
  writeFileSync(join(home, "serving.crt"), serving.certPem);
  writeFileSync(join(home, "serving.key"), serving.keyPem);
  for (let count = 0; count < 2; count++) {
    const provider = new OAuth2Server(join(home, "serving.key"), join(home, "serving.crt"));
    await provider.issuer.keys.generate("RS256");
    const port = await freePort();
    await provider.start(port, "127.0.0.1");
    const url = `https://127.0.0.1:${port}`;
    provider.issuer.url = url;
    providers.push({ url, provider });
  }
  write(configuration());
  server = await startServerHere({
    args: ["--api-level=1.35", "--authorization-mode=RBAC", `--authentication-config=${file}`],
  });
});

afterAll(async () => {
  await server?.dispose();
  for (const { provider } of providers) if (provider.listening) await provider.stop();
  rmSync(home, { recursive: true, force: true });
});

function write(document: object): void {
  writeFileSync(`${file}.new`, JSON.stringify(document));
  renameSync(`${file}.new`, file);
}

function issuerOf(index: number) {
  return {
    url: providers[index]?.url ?? "",
    audiences: ["cluster", "other"],
    audienceMatchPolicy: "MatchAny",
    certificateAuthority: caPem,
  };
}

/** One issuer with claims and one with expressions. */
function configuration(version = "v1", firstPrefix = "one:") {
  return {
    apiVersion: `apiserver.config.k8s.io/${version}`,
    kind: "AuthenticationConfiguration",
    jwt: [
      {
        issuer: issuerOf(0),
        claimValidationRules: [{ claim: "hd", requiredValue: "example.org" }],
        claimMappings: {
          username: { claim: "email", prefix: firstPrefix },
          groups: { claim: "groups", prefix: "one:" },
          uid: { claim: "sub" },
        },
      },
      {
        issuer: { ...issuerOf(1), discoveryURL: `${providers[1]?.url}/.well-known/openid-configuration` },
        claimValidationRules: [
          { expression: "claims.exp - claims.nbf <= 86400", message: "must not live longer than a day" },
        ],
        claimMappings: {
          username: { expression: "'two:' + claims.sub" },
          groups: { expression: "claims.roles.split(',')" },
          extra: [{ key: "acme.com/team", valueExpression: "claims.?team.orValue('')" }],
        },
        userValidationRules: [
          { expression: "!user.username.startsWith('two:system:')", message: "reserved name" },
        ],
      },
    ],
    anonymous: { enabled: true, conditions: [{ path: "/livez" }, { path: "/readyz" }] },
  };
}

async function token(index: number, claims: object): Promise<string> {
  const provider = providers[index]?.provider;
  if (provider === undefined) throw new Error("no such provider");
  return await provider.issuer.buildToken({
    scopesOrTransform: (_header, payload) => Object.assign(payload, { aud: "cluster" }, claims),
  });
}

const now = () => Math.floor(Date.now() / 1000);
const one = { sub: "u-1", email: "jane@example.org", groups: ["a"], hd: "example.org" };
const two = () => ({
  sub: "joe",
  roles: "dev,ops",
  team: "blue",
  nbf: now() - 10,
  exp: now() + 600,
  jti: "t-1",
});

const ask = async (bearer: string) => {
  const api = new ApiClient(server);
  const answer = await api.post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: bearer } });
  await api.close();
  return answer.body.status;
};

test("tokens of several issuers are users by claims and by expressions", async () => {
  await expect
    .poll(async () => await ask(await token(0, one)))
    .toMatchObject({
      authenticated: true,
      user: {
        username: "one:jane@example.org",
        uid: "u-1",
        groups: ["one:a", "system:authenticated"],
      },
    });
  await expect
    .poll(async () => await ask(await token(1, two())))
    .toMatchObject({
      authenticated: true,
      user: {
        username: "two:joe",
        groups: ["dev", "ops", "system:authenticated"],
        extra: { "acme.com/team": ["blue"], "authentication.kubernetes.io/credential-id": ["JTI=t-1"] },
      },
    });
  expect(await ask(await token(1, { ...two(), aud: ["x", "other"] }))).toMatchObject({ authenticated: true });
});

test("kubectl auth whoami shows such a user", async () => {
  const { ca } = credentialsOf(server);
  writeFileSync(join(home, "server-ca.crt"), ca);
  const shown = await runClient(
    clientBinaries().kubectlCurrent,
    [
      `--server=${server.url}`,
      `--certificate-authority=${join(home, "server-ca.crt")}`,
      `--token=${await token(1, two())}`,
      "auth",
      "whoami",
      "-o=jsonpath={.status.userInfo.username}",
    ],
    { home, kubeconfig: "/dev/null" },
  );
  expect(shown.stdout).toBe("two:joe");
});

test.each<[string, number, object, string]>([
  ["for another audience", 0, { ...one, aud: "x" }, 'expected audience in ["cluster" "other"] got ["x"]'],
  ["without the required claim", 0, { ...one, hd: "x" }, "required claim hd value does not match"],
  ["that lives too long", 1, { sub: "joe", roles: "", nbf: 1 }, "failed: must not live longer than a day"],
  ["of a user with a reserved name", 1, { sub: "system:joe" }, "failed: reserved name"],
  ["whose claims are of other types", 1, { roles: 3 }, "error evaluating group claim expression"],
])("a token %s is refused", async (_what, index, claims, problem) => {
  const all = index === 0 ? claims : { ...two(), ...claims };
  const { authenticated, error } = await ask(await token(index, all));
  expect(authenticated).toBeUndefined();
  expect(error).toContain(problem);
});

test("anonymous requests are let in to the given paths alone", async () => {
  const { ca } = credentialsOf(server);
  const agent = new Agent({ connect: { ca } });
  const statusOf = async (path: string) => {
    const answer = await request(server.url + path, { dispatcher: agent });
    await answer.body.dump();
    return answer.statusCode;
  };
  expect([await statusOf("/livez"), await statusOf("/readyz")]).toEqual([200, 200]);
  expect([await statusOf("/healthz"), await statusOf("/livez/ping"), await statusOf("/api")]).toEqual([
    401, 401, 401,
  ]);
  await agent.close();
});

test("a changed file is used without a restart, and a broken one is not", async () => {
  const api = new ApiClient(server);
  const reloads = async (status: string): Promise<number> => {
    const { text } = await api.get("/metrics");
    const line = new RegExp(
      `^apiserver_authentication_config_controller_automatic_reloads_total\\{status="${status}",.*\\} (\\d+)$`,
      "m",
    );
    return Number(line.exec(text)?.[1] ?? 0);
  };
  const userOf = async () =>
    (await ask(await token(0, { ...one, jti: String(Math.random()) }))).user?.username;
  write(configuration("v1", "new:"));
  await expect.poll(userOf).toBe("new:jane@example.org");
  expect(await reloads("success")).toBe(1);
  write({ ...configuration("v1", "bad:"), jwt: [{}] });
  await expect.poll(() => reloads("failure")).toBe(1);
  expect(await userOf()).toBe("new:jane@example.org");
  expect(server.output()).toContain("jwt[0].issuer.url: Required value");
  const { text } = await api.get("/metrics");
  expect(text).toMatch(
    /^apiserver_authentication_jwt_authenticator_latency_seconds_count\{result="success",jwt_issuer_hash="sha256:[0-9a-f]{64}"\} \d+$/m,
  );
  for (const name of [
    "authentication_config_controller_last_config_info",
    "authentication_jwt_authenticator_jwks_fetch_last_key_set_info",
  ]) {
    expect(text).toMatch(new RegExp(`^apiserver_${name}\\{.*,hash="sha256:[0-9a-f]{64}"\\} 1$`, "m"));
  }
  const [first] = configuration().jwt;
  write({ ...configuration(), jwt: [first] });
  await expect.poll(userOf).toBe("one:jane@example.org");
  expect(await whoAmI(server, { token: await token(1, two()) })).toMatchObject({ status: 401 });
  await api.close();
});

test.each<[string, readonly string[], object, string]>([
  ["1.28", [], {}, "--authentication-config: unknown option at API level 1.28"],
  ["1.29", [], {}, "--authentication-config: set --feature-gates=StructuredAuthenticationConfiguration=true"],
  ["1.30", ["--oidc-client-id=a", "--oidc-issuer-url=https://a"], {}, "oidc-* flags are mutually exclusive"],
  ["1.30", [], { anonymous: { enabled: true } }, 'unknown field "anonymous"'],
  [
    "1.35",
    ["--anonymous-auth=false"],
    { anonymous: { enabled: true } },
    "--anonymous-auth flag cannot be set",
  ],
  ["1.35", [], { jwt: [{}] }, "jwt[0].issuer.url: Required value"],
])("at %s with %j and %j the server does not start", async (level, args, change, problem) => {
  const other = join(home, "other.json");
  const { anonymous: _, ...rest } = configuration("v1beta1");
  writeFileSync(other, JSON.stringify({ ...rest, ...change }));
  const started = startServerHere({
    args: [`--api-level=${level}`, `--authentication-config=${other}`, ...args],
  });
  await expect(started).rejects.toThrow(problem);
});

test("a duplicate key stops the start, because the last one would silently win", async () => {
  const other = join(home, "repeated.yaml");
  writeFileSync(other, `${JSON.stringify(configuration("v1beta1")).slice(0, -1)},\n"jwt": []}`);
  const started = startServerHere({ args: ["--api-level=1.30", `--authentication-config=${other}`] });
  await expect(started).rejects.toThrow('line 2: key "jwt" already set in map');
});
