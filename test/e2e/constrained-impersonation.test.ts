import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { disposeAll, type ServerProcess, startServer } from "../support/server-process.js";

const servers: ServerProcess[] = [];
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
    const server = await startServer({
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

    // The right to impersonate for everything is what it was.
    expect((await ask("old", "/api/v1/secrets", jane)).status).toBe(200);
    expect((await ask("old", "/api/v1/secrets", account)).status).toBe(200);
    expect((await ask("old", "/api/v1/pods", { "impersonate-group": "g" })).status).toBe(
      isConstrained ? 400 : 500,
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
