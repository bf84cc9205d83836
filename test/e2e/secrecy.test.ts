import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { startRemotePeer } from "../support/remote-peer.js";
import { runClient } from "../support/run-client.js";
import { startServer } from "../support/server-process.js";
import { TestAuthority } from "../support/test-authority.js";
import { startTraceCollector } from "../support/trace-collector.js";

/** What must be found nowhere, by where it is used. */
const secrets = {
  fileToken: "static-token-Zq7m1",
  wrongToken: "no-such-token-Hd83k",
  webhookToken: "token-for-the-webhook-Pw55x",
  webhookCredential: "credential-of-the-server-Lk29a",
  bootstrapSecret: "0123456789abcdef",
  secretValue: "value-of-a-secret-Vv41c",
  encryptionKey: Buffer.from("key-of-encryption-32-bytes-Gg77q").toString("base64"),
  password: "basic-password-Rt66b",
};

const base64 = (text: string): string => Buffer.from(text).toString("base64");

test("no secret reaches the log at -v=10, the metrics, the traces, the audit log or an error", async () => {
  const directory = mkdtempSync(join(tmpdir(), "secrecy-"));
  const file = (name: string, content: string | object): string => {
    const path = join(directory, name);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  const authority = await TestAuthority.create("reviewers");
  // It is as careless as a service can be: it repeats the token in its error.
  const reviewer = await startRemotePeer({ authority }, ({ body }) => ({
    body: {
      status: body.includes(secrets.webhookToken)
        ? { authenticated: true, user: { username: "jane" } }
        : { error: `what is ${JSON.parse(body).spec.token}?` },
    },
  }));
  const collector = await startTraceCollector();
  const auditLog = join(directory, "audit.log");
  const server = await startServer({
    args: [
      "-v=10",
      `--token-auth-file=${file("tokens.csv", `${secrets.fileToken},alice,1,"system:masters"\n`)}`,
      "--enable-bootstrap-token-auth",
      `--authentication-token-webhook-config-file=${file("webhook.json", {
        apiVersion: "v1",
        kind: "Config",
        "current-context": "c",
        contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
        users: [{ name: "u", user: { token: secrets.webhookCredential } }],
        clusters: [
          {
            name: "c",
            cluster: { server: `${reviewer.url}/`, "certificate-authority-data": base64(authority.caPem) },
          },
        ],
      })}`,
      `--encryption-provider-config=${file("encryption.json", {
        apiVersion: "apiserver.config.k8s.io/v1",
        kind: "EncryptionConfiguration",
        resources: [
          {
            resources: ["secrets"],
            providers: [
              { aescbc: { keys: [{ name: "k", secret: secrets.encryptionKey }] } },
              { identity: {} },
            ],
          },
        ],
      })}`,
      `--audit-log-path=${auditLog}`,
      `--audit-policy-file=${file("policy.json", {
        apiVersion: "audit.k8s.io/v1",
        kind: "Policy",
        rules: [{ level: "Metadata" }],
      })}`,
      "--feature-gates=APIServerTracing=true",
      `--tracing-config-file=${file("tracing.json", {
        apiVersion: "apiserver.config.k8s.io/v1alpha1",
        kind: "TracingConfiguration",
        endpoint: collector.endpoint,
        samplingRatePerMillion: 1_000_000,
      })}`,
    ],
    env: { OTEL_BSP_SCHEDULE_DELAY: "50" },
  });
  const admin = new ApiClient(server);
  const anyone = new ApiClient(server, { anonymous: true });
  const answers: string[] = [];
  const asked = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await anyone.ask("GET", "/api/v1/namespaces/default/configmaps", { headers });
    answers.push(answer.text);
    return answer.status;
  };
  try {
    const inDefault = "/api/v1/namespaces/default";
    const type = "bootstrap.kubernetes.io/token";
    const stringData = {
      "token-id": "abcdef",
      "token-secret": secrets.bootstrapSecret,
      "usage-bootstrap-authentication": "true",
    };
    const bootstrap = { metadata: { name: "bootstrap-token-abcdef" }, type, stringData };
    expect((await admin.post("/api/v1/namespaces/kube-system/secrets", bootstrap)).status).toBe(201);
    const data = { password: base64(secrets.secretValue) };
    const made = await admin.post(`${inDefault}/secrets`, { metadata: { name: "s" }, data });
    expect(made.body.data).toEqual(data);
    // Neither a bad secret nor a bad patch of one tells its content.
    for (const bad of [
      await admin.post(`${inDefault}/secrets`, { metadata: { name: "S S" }, data }),
      await admin.post(`${inDefault}/secrets`, { metadata: { name: "t" }, data: { a: secrets.secretValue } }),
      await admin.patch(`${inDefault}/secrets/s`, "application/merge-patch+json", {
        data: { password: base64(secrets.secretValue), "not valid": "" },
      }),
    ]) {
      expect(bad.status).toBeGreaterThanOrEqual(400);
      answers.push(bad.text);
    }
    await expect.poll(async () => (await admin.get(`${inDefault}/serviceaccounts/default`)).status).toBe(200);
    const issued = await admin.post(`${inDefault}/serviceaccounts/default/token`, { spec: {} });
    const accountToken: string = issued.body.status.token;
    expect(await asked(secrets.fileToken)).toBe(200);
    expect(await asked(accountToken)).toBe(200);
    expect(await asked(secrets.webhookToken)).toBe(200);
    expect(await asked(`abcdef.${secrets.bootstrapSecret}`)).toBe(200);
    expect(await asked(secrets.wrongToken)).toBe(401);
    const forged = `${accountToken.slice(0, -8)}AAAAAAAA`;
    expect(await asked(forged)).toBe(401);
    const basic = { authorization: `Basic ${base64(`jane:${secrets.password}`)}` };
    answers.push((await anyone.ask("GET", inDefault, { headers: basic })).text);
    answers.push((await anyone.get(`${inDefault}?access_token=${secrets.wrongToken}`)).text);
    for (const token of [accountToken, secrets.wrongToken]) {
      const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } };
      const answer = await admin.post("/apis/authentication.k8s.io/v1/tokenreviews", review);
      expect(answer.status).toBe(201);
      const { status } = answer.body;
      answers.push(JSON.stringify(status));
    }
    const read = await runClient(clientBinaries().kubectlCurrent, ["get", "secrets", "-o", "yaml", "-A"], {
      kubeconfig: server.kubeconfig,
      home: directory,
    });
    expect(read.stdout).toContain(base64(secrets.secretValue));
    const metrics = (await admin.get("/metrics")).text;
    const hasTokenSpan = (): boolean =>
      collector.spans.some(({ attributes }) => attributes.resource === "tokenreviews");
    await expect.poll(hasTokenSpan).toBe(true);
    await server.stop();

    const places = {
      log: server.output(),
      metrics,
      traces: JSON.stringify(collector.spans),
      audit: readFileSync(auditLog, "utf8"),
      answers: answers.join("\n"),
    };
    // The log at this level has the bodies of other requests.
    expect(places.log).toContain("request headers");
    expect(places.audit).toContain("bootstrap-token-abcdef");
    const [, , signature = ""] = accountToken.split(".");
    const hidden = { ...secrets, signature, forgedSignature: forged.split(".")[2] ?? "" };
    const found: string[] = [];
    for (const [place, text] of Object.entries(places)) {
      for (const [name, secret] of Object.entries(hidden)) {
        if (text.includes(secret) || text.includes(base64(secret))) found.push(`${name} in ${place}`);
      }
    }
    expect(found).toEqual([]);
  } finally {
    await admin.close();
    await anyone.close();
    await server.dispose();
    await reviewer.close();
    collector.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
