import { once } from "node:events";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { testSigningRequest } from "../../src/admission/testing/signing-request.js";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { Agent } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Issued, issue } from "../../src/access/authentication/certificates/testing/certificates.js";
import { ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { runClient } from "../support/run-client.js";
import { runtimeReadsChains } from "../support/runtime-reads-chains.js";
import { credentialsOf, type ServerProcess, startServer } from "../support/server-process.js";
import { ask, type Shown, whoAmI } from "../support/who-am-i.js";

const readsChains = await runtimeReadsChains();
const { clientAuth, serverAuth } = x509.ExtendedKeyUsage;
const usages = [clientAuth];
const fileToken = "sesame-open-wide";
let home: string;
let server: ServerProcess;
let api: ApiClient;
let clientCa: Issued;
let proxyCa: Issued;
let proxy: Issued;

const pem = (...chain: readonly Issued[]): { cert: string; key: string | undefined } => ({
  cert: chain.map(({ certPem }) => certPem).join(""),
  key: chain[0]?.keyPem,
});
const who = (shown: Shown) => whoAmI(server, shown);
const refused = { status: 401, challenge: 'Bearer realm="kubernetes"', message: "Unauthorized" };

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "authentication-"));
  clientCa = await issue({ subject: "CN=client-ca", authority: true });
  proxyCa = await issue({ subject: "CN=proxy-ca", authority: true });
  proxy = await issue({ subject: "CN=front-proxy", issuer: proxyCa, usages });
  writeFileSync(join(home, "client-ca.crt"), clientCa.certPem);
  writeFileSync(join(home, "proxy-ca.crt"), proxyCa.certPem);
  writeFileSync(join(home, "tokens.csv"), `${fileToken},alice,u1,"admins,staff"\n`);
  server = await startServer({
    args: [
      "--authorization-mode=RBAC",
      `--client-ca-file=${join(home, "client-ca.crt")}`,
      `--write-kubeconfig=${join(home, "admin.kubeconfig")}`,
      `--requestheader-client-ca-file=${join(home, "proxy-ca.crt")}`,
      "--requestheader-allowed-names=front-proxy",
      "--requestheader-username-headers=X-Remote-User",
      "--requestheader-group-headers=X-Remote-Group",
      "--requestheader-extra-headers-prefix=X-Remote-Extra-",
      `--token-auth-file=${join(home, "tokens.csv")}`,
      "--enable-bootstrap-token-auth",
      "--v=9",
    ],
  });
  renameSync(join(home, "admin.kubeconfig"), server.kubeconfig);
  api = new ApiClient(server);
  await letAsk("everyone", ["certificatesigningrequests"], ["create"], "certificates.k8s.io", [
    { kind: "Group", name: "system:authenticated" },
    { kind: "Group", name: "system:unauthenticated" },
  ]);
  await letAsk("namespaces", ["namespaces"], ["list"], "", [{ kind: "Group", name: "system:authenticated" }]);
  await letAsk("impersonators", ["users", "uids"], ["impersonate"], "*", [{ kind: "User", name: "bob" }]);
});

async function letAsk(
  name: string,
  resources: string[],
  verbs: string[],
  group: string,
  subjects: { readonly kind: string; readonly name: string }[],
): Promise<void> {
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const role = { metadata: { name }, rules: [{ apiGroups: [group], resources, verbs }] };
  const binding = {
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: subjects.map((subject) => ({ ...subject, apiGroup: "rbac.authorization.k8s.io" })),
  };
  expect((await api.post(`${rbac}/clusterroles`, role)).status).toBe(201);
  expect((await api.post(`${rbac}/clusterrolebindings`, binding)).status).toBe(201);
}

afterAll(async () => {
  await server?.dispose();
  rmSync(home, { recursive: true, force: true });
});

for (const http2 of [false, true]) {
  test.runIf(readsChains)(`a certificate with its intermediates is its user, HTTP/2 ${http2}`, async () => {
    const between = await issue({ subject: "CN=between", issuer: clientCa, authority: true });
    const jane = await issue({ subject: "CN=jane, O=one, O=two", issuer: between, usages });
    expect(await who({ ...pem(jane, between), http2 })).toEqual({
      status: 201,
      user: "jane",
      groups: ["one", "two", "system:authenticated"],
    });
    expect(await who({ ...pem(jane), http2 })).toEqual(refused);
  });
}

const badCertificates: readonly (readonly [
  string,
  () => Promise<{ readonly cert: string; readonly key: string | undefined }>,
])[] = [
  ["signed by itself", async () => pem(await issue({ subject: "CN=admin, O=system:masters" }))],
  [
    "of servers",
    async () => pem(await issue({ subject: "CN=jane", issuer: clientCa, usages: [serverAuth] })),
  ],
  [
    "expired",
    async () =>
      pem(
        await issue({ subject: "CN=jane", issuer: clientCa, usages, notAfter: new Date(Date.now() - 1000) }),
      ),
  ],
  [
    "not valid yet",
    async () =>
      pem(
        await issue({
          subject: "CN=jane",
          issuer: clientCa,
          usages,
          notBefore: new Date(Date.now() + 60_000),
        }),
      ),
  ],
  [
    "of the front proxies' authority",
    async () => pem(await issue({ subject: "CN=jane, O=system:masters", issuer: proxyCa, usages })),
  ],
  [
    "forged in the authority's name",
    async () =>
      pem(
        await issue({
          subject: "CN=jane",
          issuer: await issue({ subject: "CN=mallory" }),
          issuerName: "CN=client-ca",
          usages,
        }),
      ),
  ],
  [
    "with a damaged signature",
    async () => {
      const jane = await issue({ subject: "CN=jane", issuer: clientCa, usages });
      const { raw } = jane.certificate;
      raw[raw.length - 1] = (raw.at(-1) ?? 0) ^ 1;
      const text = raw.toString("base64").replace(/.{64}/g, "$&\n");
      return { cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`, key: jane.keyPem };
    },
  ],
];

for (const http2 of [false, true]) {
  test.each(badCertificates)(
    `a certificate %s is refused and not anonymous, and a good token beside it decides, HTTP/2 ${http2}`,
    async (_what, make) => {
      const shown = { ...(await make()), http2 };
      expect(await who(shown)).toEqual(refused);
      expect(await who({ ...shown, token: fileToken })).toMatchObject({ user: "alice", uid: "u1" });
      expect(await who({ ...shown, token: "wrong" })).toEqual(refused);
    },
  );
}

test("the first valid credentials decide, a certificate before a token", async () => {
  const jane = pem(await issue({ subject: "CN=jane", issuer: clientCa, usages }));
  expect(await who({ ...jane, token: "wrong" })).toMatchObject({ user: "jane" });
  expect(await who({ ...jane, token: fileToken })).toMatchObject({ user: "jane" });
});

test("without credentials a request is anonymous", async () => {
  expect(await who({})).toEqual({
    status: 201,
    user: "system:anonymous",
    groups: ["system:unauthenticated"],
  });
  expect(await who({ token: "wrong" })).toEqual(refused);
  expect(await who({ headers: { authorization: `bEaReR ${fileToken}` } })).toMatchObject({ user: "alice" });
});

test("who asks is found out before who they want to be", async () => {
  const extras = Array.from({ length: 1_100 }, (_, i) => [`Impersonate-Extra-${i}`, "x"]);
  const headers = { "Impersonate-User": "bob", ...Object.fromEntries(extras) };
  for (const http2 of [false, true]) {
    expect(await who({ token: "wrong", headers, http2 })).toEqual(refused);
    expect(await who({ token: fileToken, headers, http2 })).toMatchObject({
      status: 400,
      message: "too many impersonation headers: 1101, at most 1000 are allowed",
    });
  }
});

test("a front proxy says who asks", async () => {
  const headers = {
    "X-Remote-User": "bob",
    "x-remote-group": ["a", "b"],
    "X-Remote-Extra-Example.org%2FScope": "x",
  };
  expect(await who({ ...pem(proxy), headers })).toEqual({
    status: 201,
    user: "bob",
    groups: ["a", "b", "system:authenticated"],
    extra: { "example.org/scope": ["x"] },
  });
  const lines = { "X-Remote-User": "bob", "X-Remote-Group": "a" };
  expect(await who({ ...pem(proxy), headers: lines, http2: true })).toMatchObject({
    user: "bob",
    groups: ["a", "system:authenticated"],
  });
});

test("kubectl works through a front proxy that asks for a password", async () => {
  const { ca } = credentialsOf(server);
  const own = await issue({
    subject: "CN=proxy",
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }])],
  });
  const passing = createServer(pem(own), (incoming, answer) => {
    const [, password = ""] = (incoming.headers.authorization ?? "").split(" ");
    const [user = ""] = Buffer.from(password, "base64").toString().split(":");
    const { authorization: _taken, host: _own, ...headers } = incoming.headers;
    const onward = httpsRequest(`${server.url}${incoming.url}`, {
      method: incoming.method,
      headers: { ...headers, "X-Remote-User": user, "X-Remote-Group": "people" },
      ca,
      ...pem(proxy),
    });
    onward.on("response", (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    incoming.pipe(onward);
  });
  await once(passing.listen(0, "127.0.0.1"), "listening");
  const { port } = passing.address() as AddressInfo; // a TCP server that listens
  writeFileSync(join(home, "passing.crt"), own.certPem);
  writeFileSync(join(home, "empty.kubeconfig"), "");
  writeFileSync(
    join(home, "csr.yaml"),
    JSON.stringify({
      apiVersion: "certificates.k8s.io/v1",
      kind: "CertificateSigningRequest",
      metadata: { name: "through-proxy" },
      spec: {
        request: await testSigningRequest(),
        signerName: "example.org/signer",
        usages: ["client auth"],
      },
    }),
  );
  const run = await runClient(
    clientBinaries().kubectl123,
    [
      `--server=https://127.0.0.1:${port}`,
      `--certificate-authority=${join(home, "passing.crt")}`,
      "--username=dora",
      "--password=secret",
      "create",
      "-f",
      join(home, "csr.yaml"),
      "-o",
      "jsonpath={.spec.username} {.spec.groups}",
    ],
    { kubeconfig: join(home, "empty.kubeconfig"), home },
  );
  passing.close();
  expect(run).toMatchObject({ status: 0, stdout: 'dora ["people","system:authenticated"]' });
});

test("extension servers are told how to authenticate, and of authorities that come later", async () => {
  const path = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
  const data = async () => (await api.get(path)).body.data;
  expect(await data()).toMatchObject({
    "requestheader-client-ca-file": proxyCa.certPem,
    "requestheader-username-headers": '["X-Remote-User"]',
    "requestheader-group-headers": '["X-Remote-Group"]',
    "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
    "requestheader-allowed-names": '["front-proxy"]',
  });
  expect((await data())["client-ca-file"]).toContain(clientCa.certPem);
  await api.ask("DELETE", path);
  await expect.poll(async () => Object.keys((await data()) ?? {})).toContain("client-ca-file");
});

test("nobody else may say so: not without its certificate, not with another, not by other spellings", async () => {
  const headers = { "X-Remote-User": "bob", "X-REMOTE-GROUP": "system:masters" };
  expect(await who({ headers })).toMatchObject({ user: "system:anonymous" });
  expect(await who({ headers, token: fileToken })).toMatchObject({ user: "alice" });
  const jane = await issue({ subject: "CN=jane", issuer: clientCa, usages });
  expect(await who({ ...pem(jane), headers })).toMatchObject({
    user: "jane",
    groups: ["system:authenticated"],
  });
  const namesake = await issue({ subject: "CN=front-proxy", issuer: clientCa, usages });
  expect(await who({ ...pem(namesake), headers })).toMatchObject({ user: "front-proxy" });
  const other = await issue({ subject: "CN=other-proxy", issuer: proxyCa, usages });
  expect(await who({ ...pem(other), headers })).toEqual(refused);
  expect(await who({ ...pem(proxy), headers: { X_Remote_User: "bob" } })).toEqual(refused);
});

test("the user of a front proxy may act as others as far as that is granted", async () => {
  const headers = { "X-Remote-User": "bob", "Impersonate-User": "carol", "Impersonate-Uid": "7" };
  expect(await who({ ...pem(proxy), headers })).toMatchObject({ user: "carol", uid: "7" });
  const asked = { ...headers, "Impersonate-Group": "system:masters" };
  expect(await who({ ...pem(proxy), headers: asked })).toMatchObject({
    status: 403,
    message:
      'groups "system:masters" is forbidden: User "bob" cannot impersonate resource "groups" in API group "" at the cluster scope',
  });
  expect(await who({ ...pem(proxy), headers: { ...headers, "X-Remote-User": "eve" } })).toMatchObject({
    status: 403,
  });
});

test("a bootstrap token is accepted while its secret says so", async () => {
  const token = "abcdef.0123456789abcdef";
  const secrets = "/api/v1/namespaces/kube-system/secrets";
  expect(await who({ token })).toEqual(refused);
  const created = await api.post(secrets, {
    metadata: { name: "bootstrap-token-abcdef" },
    type: "bootstrap.kubernetes.io/token",
    stringData: {
      "token-id": "abcdef",
      "token-secret": "0123456789abcdef",
      "usage-bootstrap-authentication": "true",
      "auth-extra-groups": "system:bootstrappers:workers",
    },
  });
  expect(created.status).toBe(201);
  expect(await who({ token })).toEqual({
    status: 201,
    user: "system:bootstrap:abcdef",
    groups: ["system:bootstrappers", "system:bootstrappers:workers", "system:authenticated"],
  });
  expect(await who({ token: "abcdef.0123456789abcdeg" })).toEqual(refused);
  const path = `${secrets}/bootstrap-token-abcdef`;
  const expired = { stringData: { expiration: new Date(Date.now() - 1000).toISOString() } };
  await api.ask("PATCH", path, { body: expired, contentType: "application/merge-patch+json" });
  expect(await who({ token })).toEqual(refused);
  await api.ask("PATCH", path, {
    body: { data: { expiration: null } },
    contentType: "application/merge-patch+json",
  });
  expect(await who({ token })).toMatchObject({ status: 201 });
  await api.ask("DELETE", path);
  expect(await who({ token })).toEqual(refused);
});

test("a service account's token dies with its account, one of the same name included", async () => {
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  const make = async () => {
    expect((await api.post(accounts, { metadata: { name: "robot" } })).status).toBe(201);
    const answer = await api.post(`${accounts}/robot/token`, {});
    return String(answer.body.status.token);
  };
  const token = await make();
  expect(await who({ token })).toMatchObject({ user: "system:serviceaccount:default:robot" });
  await api.ask("DELETE", `${accounts}/robot`);
  expect(await who({ token })).toEqual(refused);
  const next = await make();
  expect(await who({ token })).toEqual(refused);
  expect(await who({ token: next })).toMatchObject({ user: "system:serviceaccount:default:robot" });
});

test("a secret that asks for a token of an account gets it, and goes with the account", async () => {
  const namespace = "/api/v1/namespaces/default";
  const account = { metadata: { name: "keeper" } };
  expect((await api.post(`${namespace}/serviceaccounts`, account)).status).toBe(201);
  const secret = {
    metadata: { name: "keeper-token", annotations: { "kubernetes.io/service-account.name": "keeper" } },
    type: "kubernetes.io/service-account-token",
  };
  expect((await api.post(`${namespace}/secrets`, secret)).status).toBe(201);
  const path = `${namespace}/secrets/keeper-token`;
  const data = async () => (await api.get(path)).body.data ?? {};
  await expect.poll(async () => Object.keys(await data()).sort()).toEqual(["ca.crt", "namespace", "token"]);
  const text = async (key: string) => Buffer.from((await data())[key], "base64").toString("utf8");
  expect(await text("namespace")).toBe("default");
  expect(await text("ca.crt")).toBe(credentialsOf(server).ca);
  const token = await text("token");
  expect(await who({ token })).toEqual({
    status: 201,
    user: "system:serviceaccount:default:keeper",
    uid: expect.any(String),
    groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
  });
  await api.ask("DELETE", `${namespace}/serviceaccounts/keeper`);
  await expect.poll(async () => (await api.get(path)).status).toBe(404);
  expect(await who({ token })).toEqual(refused);
});

test.runIf(readsChains)("kubectl works with a certificate chain and with a token", async () => {
  const between = await issue({ subject: "CN=between", issuer: clientCa, authority: true });
  const jane = await issue({ subject: "CN=jane", issuer: between, usages });
  const { cert, key } = pem(jane, between);
  writeFileSync(join(home, "jane.crt"), cert);
  writeFileSync(join(home, "jane.key"), key ?? "");
  writeFileSync(join(home, "ca.crt"), credentialsOf(server).ca);
  writeFileSync(join(home, "empty.kubeconfig"), "");
  const kubectl = (args: readonly string[]) =>
    runClient(
      clientBinaries().kubectl123,
      [
        `--server=${server.url}`,
        `--certificate-authority=${join(home, "ca.crt")}`,
        ...args,
        "get",
        "namespaces",
        "-o",
        "name",
      ],
      { kubeconfig: join(home, "empty.kubeconfig"), home },
    );
  const good = [
    [`--client-certificate=${join(home, "jane.crt")}`, `--client-key=${join(home, "jane.key")}`],
    [`--token=${fileToken}`],
  ];
  for (const args of good) expect(await kubectl(args)).toMatchObject({ status: 0 });
  const bad = await kubectl(["--token=wrong"]);
  expect(bad.status).toBe(1);
  expect(bad.stderr).toContain("You must be logged in to the server (Unauthorized)");
});

test("authorities are changed under load without a failed request", async () => {
  const { ca } = credentialsOf(server);
  const jane = await issue({ subject: "CN=jane", issuer: clientCa, usages });
  const agent = new Agent({ connect: { ca, ...pem(jane) } });
  const statuses: number[] = [];
  let done = false;
  const load = (async () => {
    while (!done) {
      statuses.push((await ask(server, {}, agent)).status);
      await setTimeout(10);
    }
  })();
  const nextCa = await issue({ subject: "CN=next-ca", authority: true });
  const joe = await issue({ subject: "CN=joe", issuer: nextCa, usages });
  expect(await who(pem(joe))).toEqual(refused);
  writeFileSync(join(home, "client-ca.new"), clientCa.certPem + nextCa.certPem);
  renameSync(join(home, "client-ca.new"), join(home, "client-ca.crt"));
  await expect.poll(async () => (await who(pem(joe))).user).toBe("joe");
  done = true;
  await load;
  expect(statuses.length).toBeGreaterThan(0);
  expect(statuses.filter((status) => status !== 201)).toEqual([]);
  // The first authority goes: the connection that it vouched for stays open, and is refused.
  writeFileSync(join(home, "client-ca.new"), nextCa.certPem);
  renameSync(join(home, "client-ca.new"), join(home, "client-ca.crt"));
  await expect.poll(async () => (await ask(server, {}, agent)).status).toBe(401);
  expect(await who(pem(joe))).toMatchObject({ user: "joe" });
  await agent.close();
});

test("what was wrong is logged and counted, and no secret is", async () => {
  const metrics = (await api.get("/metrics")).text;
  expect(metrics).toMatch(/authentication_attempts\{result="error"\} [1-9]/);
  expect(metrics).toMatch(/authentication_attempts\{result="success"\} [1-9]/);
  const log = server.output();
  expect(log).toContain("unable to authenticate the request");
  expect(log).toContain("x509: certificate signed by unknown authority");
  // Head and claims of a signed token; fewer letters may also be in what is compressed.
  for (const secret of [fileToken, "0123456789abcdef", /eyJ[\w-]+\.eyJ/]) {
    expect(log).not.toMatch(secret);
    expect(metrics).not.toMatch(secret);
  }
});
