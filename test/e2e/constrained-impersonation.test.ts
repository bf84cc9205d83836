import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { disposeAll } from "../support/server-process.js";

const servers: ServerHere[] = [];
let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "constrained-impersonation-"));
  writeFileSync(join(home, "tokens.csv"), "t-dev,dev,1\nt-old,old,2\n");
  writeFileSync(
    join(home, "policy.yaml"),
    "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n",
  );
});

afterAll(async () => {
  await disposeAll(servers);
  rmSync(home, { recursive: true, force: true });
});

const authentication = "authentication.k8s.io";
const rules: Readonly<Record<string, readonly object[]>> = {
  // May see the pods that jane, an account or a node sees.
  dev: [
    {
      verbs: ["impersonate:user-info"],
      apiGroups: [authentication],
      resources: ["users"],
      resourceNames: ["jane"],
    },
    { verbs: ["impersonate:user-info"], apiGroups: [authentication], resources: ["groups"] },
    { verbs: ["impersonate:serviceaccount"], apiGroups: [authentication], resources: ["serviceaccounts"] },
    {
      verbs: ["impersonate:arbitrary-node"],
      apiGroups: [authentication],
      resources: ["nodes"],
      resourceNames: ["n1"],
    },
    {
      verbs: ["user-info", "serviceaccount", "arbitrary-node"].map((mode) => `impersonate-on:${mode}:list`),
      apiGroups: [""],
      resources: ["pods"],
    },
  ],
  old: [{ verbs: ["impersonate"], apiGroups: [""], resources: ["users", "serviceaccounts"] }],
};

describe.each([
  ["1.34", [], false],
  ["1.35", [], false],
  ["1.35", ["--feature-gates=ConstrainedImpersonation=true"], true],
  ["1.36", [], true],
] as const)("at %s with %j", (level, args, isConstrained) => {
  test("a user may be impersonated for some requests alone, as the level has it", async () => {
    const log = join(home, `audit-${level}-${args.length}.log`);
    const server = await startServerHere({
      args: [
        ...[
          `--api-level=${level}`,
          "--authorization-mode=RBAC",
          `--token-auth-file=${join(home, "tokens.csv")}`,
        ],
        ...[`--audit-policy-file=${join(home, "policy.yaml")}`, `--audit-log-path=${log}`, ...args],
      ],
    });
    servers.push(server);
    const admin = new ApiClient(server);
    const guest = new ApiClient(server, { anonymous: true });
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    const grant = async (name: string, to: readonly object[], subject: object) => {
      await admin.post(`${rbac}/clusterroles`, { metadata: { name }, rules: to });
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name };
      await admin.post(`${rbac}/clusterrolebindings`, { metadata: { name }, roleRef, subjects: [subject] });
    };
    const user = (name: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "User", name });
    const everything = [{ verbs: ["get", "list"], apiGroups: [""], resources: ["pods", "secrets"] }];
    for (const [name, granted] of Object.entries(rules)) await grant(name, granted, user(name));
    await grant("jane", everything, user("jane"));
    await grant("account", everything, { kind: "ServiceAccount", name: "default", namespace: "default" });

    const ask = async (who: string, path: string, as: Readonly<Record<string, string>>) => {
      const headers = { authorization: `Bearer t-${who}`, ...as };
      return await guest.ask("GET", path, { headers });
    };
    const jane = { "impersonate-user": "jane" };
    const account = { "impersonate-user": "system:serviceaccount:default:default" };
    const limited = isConstrained ? 200 : 403;
    expect((await ask("dev", "/api/v1/pods", jane)).status).toBe(limited);
    expect((await ask("dev", "/api/v1/pods", { ...jane, "impersonate-group": "g" })).status).toBe(limited);
    expect((await ask("dev", "/api/v1/pods", account)).status).toBe(limited);
    expect((await ask("dev", "/api/v1/secrets", jane)).status).toBe(403);
    expect((await ask("dev", "/api/v1/pods", { "impersonate-user": "joe" })).status).toBe(403);
    const masters = await ask("dev", "/api/v1/pods", { ...jane, "impersonate-group": "system:masters" });
    expect(masters.status).toBe(403);
    const node = await ask("dev", "/api/v1/pods", { "impersonate-user": "system:node:n1" });
    // The node may not list pods itself: it is asked about after the impersonation.
    expect(node.body.message).toContain(
      isConstrained ? 'User "system:node:n1" cannot list' : 'User "dev" cannot impersonate',
    );
    if (isConstrained) {
      expect(masters.body.message).toContain("impersonating the system:masters group is not allowed");
      expect((await ask("dev", "/api/v1/secrets", jane)).body.message).toContain(
        'cannot impersonate-on:user-info:list resource "secrets"',
      );
    }

    // The right to impersonate for everything is what it was. What is missing is told by the way that last succeeded.
    const joined = { ...jane, "impersonate-group": "g" };
    expect((await ask("old", "/api/v1/secrets", joined)).body.message).toContain(
      isConstrained ? "cannot impersonate-on:user-info:list" : 'cannot impersonate resource "groups"',
    );
    expect((await ask("old", "/api/v1/secrets", jane)).status).toBe(200);
    expect((await ask("old", "/api/v1/secrets", joined)).body.message).toContain(
      'cannot impersonate resource "groups"',
    );
    expect((await ask("old", "/api/v1/secrets", account)).status).toBe(200);
    expect((await ask("old", "/api/v1/pods", { "impersonate-group": "g" })).status).toBe(
      level === "1.34" ? 500 : 400,
    );

    const events = () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line.includes('"impersonatedUser"') && line.includes("ResponseComplete"))
        .map((line) => JSON.parse(line));
    await expect.poll(() => events().length).toBeGreaterThan(1);
    const constraints = events().map((event) => event.authenticationMetadata?.impersonationConstraint);
    expect(new Set(constraints.filter((each) => each !== undefined))).toEqual(
      new Set(
        isConstrained
          ? ["impersonate:user-info", "impersonate:serviceaccount", "impersonate:arbitrary-node"]
          : [],
      ),
    );
    expect(constraints).toContain(undefined);
    await Promise.all([admin.close(), guest.close()]);
  });
});

test.each(["1.35", "1.36"])(
  "at %s a pod may impersonate the node on which it runs, and no other",
  async (level) => {
    const gate = "--feature-gates=ConstrainedImpersonation=true";
    const server = await startServerHere({
      args: [`--api-level=${level}`, "--authorization-mode=RBAC", gate],
    });
    servers.push(server);
    const admin = new ApiClient(server);
    const guest = new ApiClient(server, { anonymous: true });
    const made = async (path: string, body: object) => {
      const answer = await admin.post(path, body);
      expect([path, answer.status, answer.body.message]).toEqual([path, 201, undefined]);
      return answer.body;
    };
    const namespace = "/api/v1/namespaces/default";
    await made("/api/v1/nodes", { metadata: { name: "n1" } });
    await made(`${namespace}/serviceaccounts`, { metadata: { name: "agent" } });
    await made(`${namespace}/pods`, {
      metadata: { name: "agent" },
      spec: { nodeName: "n1", serviceAccountName: "agent", containers: [{ name: "c", image: "i" }] },
    });
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    const grant = async (name: string, granted: readonly object[], subject: object) => {
      await made(`${rbac}/clusterroles`, { metadata: { name }, rules: granted });
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name };
      await made(`${rbac}/clusterrolebindings`, { metadata: { name }, roleRef, subjects: [subject] });
    };
    const pods = { apiGroups: [""], resources: ["pods"] };
    const impersonates = [
      { verbs: ["impersonate:associated-node"], apiGroups: [authentication], resources: ["nodes"] },
      { ...pods, verbs: ["impersonate-on:associated-node:list"] },
    ];
    await grant("agent", impersonates, { kind: "ServiceAccount", name: "agent", namespace: "default" });
    const node = { apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "system:node:n1" };
    await grant("n1", [{ ...pods, verbs: ["list"] }], node);

    const token = async (boundObjectRef?: object) => {
      const spec = { ...(boundObjectRef !== undefined && { boundObjectRef }) };
      return (await made(`${namespace}/serviceaccounts/agent/token`, { spec })).status.token;
    };
    const bound = await token({ apiVersion: "v1", kind: "Pod", name: "agent" });
    const ask = async (by: string, name: string, resource: string) => {
      const headers = { authorization: `Bearer ${by}`, "impersonate-user": `system:node:${name}` };
      return await guest.ask("GET", `/api/v1/${resource}`, { headers });
    };
    expect((await ask(bound, "n1", "pods")).status).toBe(200);
    const refusals = [
      [bound, "n1", "secrets", "associated-node"],
      [bound, "n2", "pods", "arbitrary-node"],
      [await token(), "n1", "pods", "arbitrary-node"],
    ] as const;
    for (const [by, name, resource, mode] of refusals) {
      const { status, body } = await ask(by, name, resource);
      expect([status, body.message]).toEqual([
        403,
        expect.stringContaining(`cannot impersonate-on:${mode}:list resource "${resource}"`),
      ]);
    }
    await Promise.all([admin.close(), guest.close()]);
  },
);
