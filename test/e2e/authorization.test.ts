import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiAnswer, ApiClient, type AskOptions } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import {
  certificateUser,
  clientConfigText,
  type PeerAnswer,
  type RemotePeer,
  startRemotePeer,
} from "../support/remote-peer.js";
import { runClient } from "../support/run-client.js";
import { disposeAll, hasSeveralThreads } from "../support/server-process.js";
import { TestAuthority } from "../support/test-authority.js";

const directory = mkdtempSync(join(tmpdir(), "orch-authorization-"));
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const servers: ServerHere[] = [];
const clients: ApiClient[] = [];

afterAll(async () => {
  for (const client of clients) await client.close();
  await disposeAll(servers);
  rmSync(directory, { recursive: true, force: true });
});

async function start(args: readonly string[]): Promise<ApiClient> {
  const server = await startServerHere({ args });
  servers.push(server);
  const client = new ApiClient(server);
  clients.push(client);
  return client;
}

/** Sends the request as another user, as the administrator may. */
function as(
  client: ApiClient,
  user: string,
  method: string,
  path: string,
  options: AskOptions & { readonly group?: string } = {},
): Promise<ApiAnswer> {
  const { group, ...rest } = options;
  const headers = { "impersonate-user": user, ...(group !== undefined && { "impersonate-group": group }) };
  return client.ask(method, path, { ...rest, headers });
}

const create = async (client: ApiClient, path: string, body: object): Promise<void> => {
  const answer = await client.ask("POST", path, { body });
  expect(answer.status, answer.text).toBe(201);
};

const roleRef = (kind: string, name: string) => ({ apiGroup: "rbac.authorization.k8s.io", kind, name });
const toUser = (name: string) => ({ kind: "User", name, apiGroup: "rbac.authorization.k8s.io" });

describe("RBAC", () => {
  let client: ApiClient;

  beforeAll(async () => {
    client = await start(["--authorization-mode=RBAC"]);
    await create(client, "/api/v1/namespaces", { metadata: { name: "a" } });
    await create(client, `${rbac}/clusterroles`, {
      metadata: { name: "pods-and-logs" },
      rules: [
        { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] },
        { verbs: ["get"], apiGroups: [""], resources: ["pods/log"] },
        { verbs: ["get"], apiGroups: [""], resources: ["configmaps"], resourceNames: ["one"] },
        { verbs: ["get"], nonResourceURLs: ["/metrics", "/logs/*"] },
      ],
    });
    await create(client, `${rbac}/clusterrolebindings`, {
      metadata: { name: "wide" },
      roleRef: roleRef("ClusterRole", "pods-and-logs"),
      subjects: [toUser("wide"), { ...toUser("team"), kind: "Group" }],
    });
    await create(client, `${rbac}/namespaces/a/rolebindings`, {
      metadata: { name: "narrow" },
      roleRef: roleRef("ClusterRole", "pods-and-logs"),
      subjects: [toUser("narrow"), { kind: "ServiceAccount", name: "default", namespace: "a" }],
    });
  });

  const account = "system:serviceaccount:a:default";
  test.each<[user: string, method: string, path: string, allowed: boolean]>([
    ["wide", "GET", "/api/v1/pods", true],
    ["wide", "GET", "/api/v1/namespaces/a/pods", true],
    ["wide", "GET", "/api/v1/namespaces/a/pods/x", true],
    ["wide", "GET", "/api/v1/namespaces/a/pods/x/log", true],
    ["wide", "GET", "/api/v1/namespaces/a/pods/x/status", false],
    ["wide", "POST", "/api/v1/namespaces/a/pods/x/exec?command=a", false],
    ["wide", "GET", "/api/v1/namespaces/a/pods?watch=1", false],
    ["wide", "DELETE", "/api/v1/namespaces/a/pods", false],
    ["wide", "DELETE", "/api/v1/namespaces/a/pods/x", false],
    ["wide", "GET", "/api/v1/namespaces/a/configmaps/one", true],
    ["wide", "GET", "/api/v1/namespaces/a/configmaps/two", false],
    ["wide", "GET", "/api/v1/namespaces/a/configmaps", false],
    ["wide", "GET", "/api/v1/namespaces/a/configmaps/one%2Ftwo", false],
    ["wide", "GET", "/api/v1/namespaces/a/configmaps/one%2F..%2Ftwo", false],
    ["wide", "GET", "/api/v1/namespaces/a/configmaps/%2e%2e", false],
    ["wide", "GET", "/api/v1/namespaces/a/pods/x/proxy/", false],
    ["wide", "GET", "/api/v1/proxy/namespaces/a/pods/x", false],
    ["wide", "GET", "/metrics", true],
    ["wide", "GET", "/metrics/x", false],
    ["wide", "POST", "/metrics", false],
    ["narrow", "GET", "/api/v1/namespaces/a/pods", true],
    ["narrow", "GET", "/api/v1/namespaces/default/pods", false],
    ["narrow", "GET", "/api/v1/pods", false],
    ["narrow", "GET", "/metrics", false],
    [account, "GET", "/api/v1/namespaces/a/pods", true],
    [account, "GET", "/api/v1/namespaces/default/pods", false],
    ["system:serviceaccount:default:default", "GET", "/api/v1/namespaces/a/pods", false],
    ["stranger", "GET", "/api/v1/namespaces/a/pods", false],
    ["stranger", "GET", "/version", true],
    ["stranger", "GET", "/apis", true],
    ["system:kube-scheduler", "GET", "/api/v1/nodes", true],
    ["system:kube-scheduler", "GET", "/api/v1/secrets", false],
    ["system:kube-controller-manager", "GET", "/api/v1/secrets?limit=1", true],
  ])("%s %s %s: %s", async (user, method, path, allowed) => {
    const abort = path.includes("watch=1") ? [404, 400, 200] : [];
    const { status, text } = await as(client, user, method, path);
    if (allowed) expect([200, 400, 404, 405, ...abort], text).toContain(status);
    else expect(status, text).toBe(403);
  });

  test("a refusal has Kubernetes' message", async () => {
    const listed = await as(client, "x", "GET", "/api/v1/namespaces/a/pods");
    expect(listed.body).toMatchObject({
      status: "Failure",
      reason: "Forbidden",
      code: 403,
      details: { kind: "pods" },
      message: 'pods is forbidden: User "x" cannot list resource "pods" in API group "" in the namespace "a"',
    });
    const scaled = await as(client, "x", "PATCH", "/apis/apps/v1/namespaces/a/deployments/d/scale", {
      body: {},
      contentType: "application/merge-patch+json",
    });
    expect(scaled.body.message).toBe(
      'deployments.apps "d" is forbidden: User "x" cannot patch resource "deployments/scale" in API group "apps" in the namespace "a"',
    );
  });

  test("a revocation takes effect before its write is answered", async () => {
    for (let round = 0; round < 10; round += 1) {
      const binding = {
        metadata: { name: "brief" },
        roleRef: roleRef("ClusterRole", "pods-and-logs"),
        subjects: [toUser("brief")],
      };
      await create(client, `${rbac}/clusterrolebindings`, binding);
      expect((await as(client, "brief", "GET", "/api/v1/pods")).status).toBe(200);
      expect((await client.ask("DELETE", `${rbac}/clusterrolebindings/brief`)).status).toBe(200);
      expect((await as(client, "brief", "GET", "/api/v1/pods")).status).toBe(403);
    }
  });

  test("nobody grants permissions that they do not have, by role, by binding or by aggregation", async () => {
    await create(client, `${rbac}/clusterroles`, {
      metadata: { name: "role-writer" },
      rules: [
        {
          verbs: ["create", "update", "patch", "get"],
          apiGroups: ["rbac.authorization.k8s.io"],
          resources: ["roles", "rolebindings", "clusterroles", "clusterrolebindings"],
        },
        { verbs: ["get"], apiGroups: [""], resources: ["pods"] },
        {
          verbs: ["bind"],
          apiGroups: ["rbac.authorization.k8s.io"],
          resources: ["clusterroles"],
          resourceNames: ["view"],
        },
      ],
    });
    await create(client, `${rbac}/clusterrolebindings`, {
      metadata: { name: "role-writer" },
      roleRef: roleRef("ClusterRole", "role-writer"),
      subjects: [toUser("writer")],
    });
    const write = (path: string, body: object) => as(client, "writer", "POST", `${rbac}${path}`, { body });
    const rule = (verbs: string[]) => ({ verbs, apiGroups: [""], resources: ["pods"] });
    const role = (name: string, rules: object[]) => ({ metadata: { name }, rules });
    expect((await write("/namespaces/a/roles", role("held", [rule(["get"])]))).status).toBe(201);
    expect((await write("/namespaces/a/roles", role("more", [rule(["get", "delete"])]))).body).toMatchObject({
      code: 403,
      message:
        'roles.rbac.authorization.k8s.io "more" is forbidden: user "writer" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}',
    });
    const grown = await as(client, "writer", "PATCH", `${rbac}/namespaces/a/roles/held`, {
      body: { rules: [rule(["*"])] },
      contentType: "application/merge-patch+json",
    });
    expect(grown.status).toBe(403);
    const binding = (name: string, ref: string) => ({
      metadata: { name },
      roleRef: roleRef("ClusterRole", ref),
      subjects: [toUser("friend")],
    });
    expect((await write("/clusterrolebindings", binding("up", "cluster-admin"))).status).toBe(403);
    expect((await write("/namespaces/a/rolebindings", binding("up", "cluster-admin"))).status).toBe(403);
    expect((await write("/namespaces/a/rolebindings", binding("viewer", "view"))).status).toBe(201);
    expect((await write("/namespaces/a/rolebindings", binding("none", "missing"))).status).toBe(404);
    const aggregate = {
      ...role("gathers", []),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { any: "x" } }] },
    };
    expect((await write("/clusterroles", aggregate)).body.message).toContain(
      "must have cluster-admin privileges to use the aggregationRule",
    );
  });

  test("escalate, bind and proxy are separate permissions", async () => {
    const group = "rbac.authorization.k8s.io";
    const rules = {
      lifter: [
        { verbs: ["create", "patch"], apiGroups: [group], resources: ["roles"] },
        { verbs: ["escalate"], apiGroups: [group], resources: ["roles"] },
      ],
      binder: [
        { verbs: ["create"], apiGroups: [group], resources: ["rolebindings"] },
        { verbs: ["bind"], apiGroups: [group], resources: ["clusterroles"], resourceNames: ["edit"] },
      ],
      caller: [{ verbs: ["get"], apiGroups: [""], resources: ["pods/proxy"] }],
    };
    for (const [name, held] of Object.entries(rules)) {
      await create(client, `${rbac}/clusterroles`, { metadata: { name }, rules: held });
      await create(client, `${rbac}/namespaces/a/rolebindings`, {
        metadata: { name },
        roleRef: roleRef("ClusterRole", name),
        subjects: [toUser(name)],
      });
    }
    const role = (namespace: string) =>
      as(client, "lifter", "POST", `${rbac}/namespaces/${namespace}/roles`, {
        body: {
          metadata: { name: "lifted" },
          rules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
        },
      });
    expect((await role("a")).status).toBe(201);
    expect((await role("default")).status).toBe(403);
    const bind = (name: string) =>
      as(client, "binder", "POST", `${rbac}/namespaces/a/rolebindings`, {
        body: {
          metadata: { name: `friends-${name}` },
          roleRef: roleRef("ClusterRole", name),
          subjects: [toUser("friend")],
        },
      });
    expect((await bind("edit")).status).toBe(201);
    expect((await bind("admin")).status).toBe(403);
    const pod = "/api/v1/namespaces/a/pods/missing";
    expect((await as(client, "caller", "GET", `${pod}/proxy/`)).status).toBe(404);
    expect((await as(client, "caller", "POST", `${pod}/proxy/`)).status).toBe(403);
    expect((await as(client, "caller", "GET", pod)).status).toBe(403);
    const former = await as(client, "caller", "GET", "/api/v1/proxy/namespaces/a/pods/missing");
    expect(former.body.message).toBe(
      'pods "missing" is forbidden: User "caller" cannot proxy resource "pods" in API group "" in the namespace "a"',
    );
  });

  test("who may not impersonate is refused, whatever the headers say", async () => {
    const [server] = servers;
    if (server === undefined) throw new Error("no server");
    const { status } = (
      await client.ask("POST", "/api/v1/namespaces/a/serviceaccounts/default/token", { body: { spec: {} } })
    ).body;
    const account = new ApiClient(server, { anonymous: true });
    const ask = (headers: Readonly<Record<string, string>>) =>
      account.ask("GET", "/api/v1/namespaces/a/pods", {
        headers: { authorization: `Bearer ${status.token}`, ...headers },
      });
    try {
      expect((await ask({})).status).toBe(200);
      const self = 'User "system:serviceaccount:a:default" cannot impersonate resource';
      expect((await ask({ "impersonate-user": "admin" })).body.message).toBe(
        `users "admin" is forbidden: ${self} "users" in API group "" at the cluster scope`,
      );
      expect((await ask({ "impersonate-user": "system:serviceaccount:b:robot" })).body.message).toBe(
        `serviceaccounts "robot" is forbidden: ${self} "serviceaccounts" in API group "" in the namespace "b"`,
      );
      // Groups without a user are a mistake, and no way around.
      expect((await ask({ "impersonate-group": "system:masters" })).status).toBe(500);
    } finally {
      await account.close();
    }
  });

  test("aggregated roles follow the roles that they select", async () => {
    const verbs = async (name: string): Promise<string> =>
      JSON.stringify((await client.get(`${rbac}/clusterroles/${name}`)).body.rules);
    await expect.poll(() => verbs("admin")).toContain("localsubjectaccessreviews");
    await expect.poll(() => verbs("admin")).toContain("pods/log");
    await create(client, `${rbac}/clusterroles`, {
      metadata: { name: "gadgets", labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" } },
      rules: [{ verbs: ["get"], apiGroups: ["example.com"], resources: ["gadgets"] }],
    });
    for (const name of ["view", "edit", "admin"]) await expect.poll(() => verbs(name)).toContain("gadgets");
    await client.ask("DELETE", `${rbac}/clusterroles/gadgets`);
    for (const name of ["view", "edit", "admin"])
      await expect.poll(() => verbs(name)).not.toContain("gadgets");
  });

  test("impersonating needs the verb, for every part", async () => {
    await create(client, `${rbac}/clusterroles`, {
      metadata: { name: "impersonator" },
      rules: [{ verbs: ["impersonate"], apiGroups: [""], resources: ["users"], resourceNames: ["jane"] }],
    });
    await create(client, `${rbac}/clusterrolebindings`, {
      metadata: { name: "impersonator" },
      roleRef: roleRef("ClusterRole", "impersonator"),
      subjects: [toUser("actor")],
    });
    const review = async (resource: string, name: string, group = ""): Promise<boolean> => {
      const answer = await client.ask("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
        body: { spec: { user: "actor", resourceAttributes: { verb: "impersonate", resource, name, group } } },
      });
      return answer.body.status.allowed;
    };
    expect(await review("users", "jane")).toBe(true);
    expect(await review("users", "joe")).toBe(false);
    expect(await review("groups", "system:masters")).toBe(false);
    expect(await review("userextras", "x", "authentication.k8s.io")).toBe(false);
  });

  test.each(["kubectl123", "kubectlCurrent"] as const)("%s lists, and reconciles roles", async (binary) => {
    const [server] = servers;
    const run = (args: readonly string[], input = "") =>
      runClient(clientBinaries()[binary], args, {
        kubeconfig: server?.kubeconfig ?? "",
        home: directory,
        input,
      });
    const listed = await run(["auth", "can-i", "--list", "--as", "narrow", "-n", "a"]);
    expect(listed.stdout).toMatch(/pods\/log\s+\[\]\s+\[\]\s+\[get\]/);
    expect(listed.stdout).toMatch(/configmaps\s+\[\]\s+\[one\]\s+\[get\]/);
    expect((await run(["auth", "can-i", "list", "pods", "--as", "narrow", "-n", "a"])).stdout).toBe("yes\n");
    expect((await run(["auth", "can-i", "list", "pods", "--as", "narrow", "-n", "default"])).stdout).toBe(
      "no\n",
    );
    const name = `reconciled-${binary.toLowerCase()}`;
    const manifest = (verbs: string[]) =>
      JSON.stringify({
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "Role",
        metadata: { name, namespace: "a" },
        rules: [{ apiGroups: [""], resources: ["pods"], verbs }],
      });
    expect((await run(["auth", "reconcile", "-f", "-"], manifest(["get"]))).stdout).toContain("reconciled");
    expect((await run(["auth", "reconcile", "-f", "-"], manifest(["list"]))).stdout).toContain("reconciled");
    const { rules } = (await client.get(`${rbac}/namespaces/a/roles/${name}`)).body;
    expect(rules.flatMap((rule: { verbs: string[] }) => rule.verbs).sort()).toEqual(["get", "list"]);
  });
});

test("default roles exist in every mode, and are completed at a start unless they say otherwise", async () => {
  const dataDirectory = mkdtempSync(join(directory, "restart-"));
  const args = ["--authorization-mode=AlwaysAllow", "--anonymous-auth=false"];
  const first = await startServerHere({ args, dataDirectory });
  const before = new ApiClient(first);
  const kept = `${rbac}/clusterroles/system:basic-user`;
  const completed = `${rbac}/clusterroles/system:discovery`;
  const patch = { contentType: "application/merge-patch+json" };
  try {
    await before.ask("PATCH", kept, {
      ...patch,
      body: {
        rules: [],
        metadata: { annotations: { "rbac.authorization.kubernetes.io/autoupdate": "false" } },
      },
    });
    await before.ask("PATCH", completed, { ...patch, body: { rules: [] } });
    await before.ask("DELETE", `${rbac}/clusterrolebindings/cluster-admin`);
  } finally {
    await before.close();
    await first.stop();
  }
  const second = await startServerHere({ args, dataDirectory });
  const after = new ApiClient(second);
  try {
    expect((await after.get(kept)).body.rules ?? []).toEqual([]);
    expect((await after.get(completed)).text).toContain("/openapi/*");
    expect((await after.get(`${rbac}/clusterrolebindings/cluster-admin`)).status).toBe(200);
  } finally {
    await after.close();
    await second.stop();
  }
});

describe("Node", () => {
  let client: ApiClient;
  const node = (name: string, method: string, path: string, options: AskOptions = {}) =>
    as(client, `system:node:${name}`, method, path, { ...options, group: "system:nodes" });

  beforeAll(async () => {
    client = await start(["--authorization-mode=Node,RBAC"]);
    const pod = (name: string, nodeName: string, secretName: string) => ({
      metadata: { name },
      spec: {
        nodeName,
        containers: [{ name: "c", image: "i" }],
        volumes: [{ name: "s", secret: { secretName } }],
      },
    });
    await create(client, "/api/v1/namespaces/default/secrets", { metadata: { name: "one" } });
    await create(client, "/api/v1/namespaces/default/secrets", { metadata: { name: "two" } });
    await create(client, "/api/v1/namespaces/default/pods", pod("p1", "n1", "one"));
    await create(client, "/api/v1/namespaces/default/pods", pod("p2", "n2", "two"));
  });

  test("a node reads the secrets of its own pods, as long as they are there", async () => {
    const secrets = "/api/v1/namespaces/default/secrets";
    await expect.poll(async () => (await node("n1", "GET", `${secrets}/one`)).status).toBe(200);
    await expect.poll(async () => (await node("n2", "GET", `${secrets}/two`)).status).toBe(200);
    expect((await node("n1", "GET", `${secrets}/two`)).body).toMatchObject({
      code: 403,
      message:
        'secrets "two" is forbidden: User "system:node:n1" cannot get resource "secrets" in API group "" in the namespace "default": no relationship found between node \'n1\' and this object',
    });
    expect((await node("n1", "GET", secrets)).status).toBe(403);
    await client.ask("DELETE", "/api/v1/namespaces/default/pods/p1?gracePeriodSeconds=0");
    await expect.poll(async () => (await node("n1", "GET", `${secrets}/one`)).status).toBe(403);
    if (hasSeveralThreads) return;
    const { text } = await client.ask("GET", "/metrics");
    const actions = "node_authorizer_graph_actions_duration_seconds_count";
    expect(text).toMatch(new RegExp(`^${actions}\\{operation="AddPod"\\} [2-9]$`, "m"));
    expect(text).toMatch(new RegExp(`^${actions}\\{operation="DeletePod"\\} 1$`, "m"));
  });

  test("a node writes its own lease, and no other", async () => {
    const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    const body = { metadata: { name: "n1" }, spec: { holderIdentity: "n1" } };
    expect((await node("n1", "POST", leases, { body })).status).toBe(201);
    expect((await node("n1", "GET", `${leases}/n1`)).status).toBe(200);
    expect((await node("n2", "GET", `${leases}/n1`)).status).toBe(403);
    expect((await as(client, "system:node:n1", "GET", `${leases}/n1`)).status).toBe(403);
  });
});

test("ABAC: one policy per line; an invalid line stops the start and is named", async () => {
  const file = join(directory, "policy.jsonl");
  const policy = (spec: object) =>
    JSON.stringify({ apiVersion: "abac.authorization.kubernetes.io/v1beta1", kind: "Policy", spec });
  writeFileSync(
    file,
    `# people\n${policy({ user: "alice", namespace: "*", resource: "*", apiGroup: "*" })}\n${policy({ user: "bob", namespace: "default", resource: "pods", readonly: true })}\n`,
  );
  const args = ["--authorization-mode=ABAC", `--authorization-policy-file=${file}`];
  const client = await start(args);
  expect((await as(client, "alice", "GET", "/api/v1/secrets")).status).toBe(200);
  expect((await as(client, "bob", "GET", "/api/v1/namespaces/default/pods")).status).toBe(200);
  expect((await as(client, "bob", "DELETE", "/api/v1/namespaces/default/pods/x")).body.message).toContain(
    "No policy matched.",
  );
  writeFileSync(file, `${policy({ user: "alice" })}\n{"user": 1}\n`);
  await expect(startServerHere({ args })).rejects.toThrow(
    /--authorization-policy-file: .*line 2: user must be a string/,
  );
});

describe("Webhook", () => {
  let authority: TestAuthority;
  let peer: RemotePeer;
  let answer: (spec: Record<string, unknown>) => PeerAnswer | "hang";

  beforeAll(async () => {
    authority = await TestAuthority.create("webhook-ca");
    peer = await startRemotePeer({ authority, clientCaPem: authority.caPem }, ({ body }) =>
      answer(JSON.parse(body).spec),
    );
  });
  afterAll(async () => await peer.close());

  test.skipIf(hasSeveralThreads).each(["v1beta1", "v1"])(
    "%s: its answers decide, are cached, and expire",
    async (version) => {
      const user = certificateUser(await authority.issue({ commonName: "apiserver", usage: "client" }));
      const file = join(directory, `webhook-${version}`);
      writeFileSync(
        file,
        clientConfigText({ server: `${peer.url}/authorize`, caPem: authority.caPem, user }),
      );
      answer = ({ user: name }) => ({
        body: {
          status: {
            allowed: name === "yes",
            denied: name === "never",
            reason: name === "yes" ? "" : `${name} is not on the list`,
          },
        },
      });
      const client = await start([
        "--authorization-mode=Webhook,RBAC",
        `--authorization-webhook-config-file=${file}`,
        `--authorization-webhook-version=${version}`,
      ]);
      const pods = "/api/v1/namespaces/default/pods";
      expect((await as(client, "yes", "GET", pods)).status).toBe(200);
      const asked = peer.requests.length;
      expect((await as(client, "yes", "GET", pods)).status).toBe(200);
      expect(peer.requests.length).toBe(asked);
      expect(peer.requests.at(-1)).toMatchObject({ client: "apiserver", path: "/authorize" });
      expect(JSON.parse(peer.requests.at(-1)?.body ?? "")).toMatchObject({
        kind: "SubjectAccessReview",
        apiVersion: `authorization.k8s.io/${version}`,
        spec: {
          user: "yes",
          [version === "v1" ? "groups" : "group"]: ["system:authenticated"],
          resourceAttributes: { namespace: "default", verb: "list", version: "v1", resource: "pods" },
        },
      });
      expect((await as(client, "no", "GET", pods)).body.message).toContain("no is not on the list");
      // RBAC lets everyone authenticated read the version, unless the webhook denies.
      expect((await as(client, "no", "GET", "/version")).status).toBe(200);
      expect((await as(client, "never", "GET", "/version")).status).toBe(403);
      answer = () => ({ status: 403 });
      expect((await as(client, "new", "GET", pods)).status).toBe(500);
      expect((await as(client, "new", "GET", "/version")).status).toBe(200);
      expect((await as(client, "yes", "GET", pods)).status).toBe(200);
      expect((await client.get(pods)).status).toBe(200);
    },
  );
});
