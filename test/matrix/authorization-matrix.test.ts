import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiAnswer, ApiClient } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { clientConfigText, type RemotePeer, startRemotePeer } from "../support/remote-peer.js";
import { runClient } from "../support/run-client.js";
import { disposeAll } from "../support/server-process.js";
import { TestAuthority } from "../support/test-authority.js";

const directory = mkdtempSync(join(tmpdir(), "matrix-"));
const rbac = "/apis/rbac.authorization.k8s.io/v1";

/** Modes that allow a request: RBAC, Node with RBAC, ABAC, Webhook. AlwaysAllow allows each, AlwaysDeny none. */
type Row = readonly [who: string, verb: string, what: string, namespace: string, name: string, modes: string];

const robot = "system:serviceaccount:a:robot";
const n1 = "system:node:n1 system:nodes";
const certificates = "certificates.k8s.io";
const access = "authorization.k8s.io";
const roles = "rbac.authorization.k8s.io";

/** `who` is a user with groups, `what` is `resource/subresource.group`, or a path. */
const matrix: readonly Row[] = [
  // Namespaces: everywhere, in one, and cluster-wide.
  ["wide", "get", "pods", "a", "x", "RNAW"],
  ["wide", "get", "pods", "b", "x", "RNAW"],
  ["wide", "list", "pods", "", "", "RNAW"],
  ["wide", "list", "pods", "b", "", "RNAW"],
  ["narrow", "get", "pods", "a", "x", "RNAW"],
  ["narrow", "list", "pods", "a", "", "RNAW"],
  ["narrow", "get", "pods", "b", "x", ""],
  ["narrow", "list", "pods", "", "", ""],
  // Groups and accounts.
  ["anyone team", "list", "pods", "a", "", "RNA"],
  ["anyone team", "list", "pods", "b", "", ""],
  ["team", "list", "pods", "a", "", ""],
  [`${robot} system:serviceaccounts`, "list", "pods", "a", "", "RN"],
  ["system:serviceaccount:b:robot system:serviceaccounts", "list", "pods", "a", "", ""],
  ["anyone system:masters", "deletecollection", "secrets", "b", "", "RNAWD"],
  // Verbs.
  ["wide", "watch", "pods", "a", "", "RNAW"],
  ["wide", "create", "pods", "a", "", ""],
  ["wide", "update", "pods", "a", "x", ""],
  ["wide", "patch", "pods", "a", "x", ""],
  ["wide", "delete", "pods", "a", "x", ""],
  ["wide", "deletecollection", "pods", "a", "", ""],
  ["cleaner", "delete", "pods", "a", "x", "RN"],
  ["cleaner", "deletecollection", "pods", "a", "", "RN"],
  ["cleaner", "get", "pods", "a", "x", ""],
  // Subresources. A policy of ABAC names resources only.
  ["wide", "get", "pods/log", "a", "x", "RNAW"],
  ["wide", "get", "pods/status", "a", "x", "A"],
  ["wide", "get", "pods/exec", "a", "x", "A"],
  ["wide", "create", "pods/exec", "a", "x", ""],
  ["wide", "create", "pods/eviction", "a", "x", ""],
  ["wide", "create", "pods/binding", "a", "x", ""],
  ["evictor", "create", "pods/eviction", "a", "x", "RN"],
  ["evictor", "create", "pods/binding", "a", "x", ""],
  ["scaler", "patch", "deployments/scale.apps", "a", "d", "RN"],
  ["scaler", "patch", "deployments.apps", "a", "d", ""],
  ["scaler", "patch", "deployments/scale.extensions", "a", "d", ""],
  // Names.
  ["wide", "get", "configmaps", "a", "one", "RN"],
  ["wide", "get", "configmaps", "a", "two", ""],
  ["wide", "list", "configmaps", "a", "one", "RN"],
  ["wide", "list", "configmaps", "a", "", ""],
  // Groups of APIs.
  ["wide", "get", "pods.metrics.k8s.io", "a", "x", ""],
  ["wide", "get", "deployments.apps", "a", "x", ""],
  // Virtual kinds.
  ["anyone", "create", `selfsubjectaccessreviews.${access}`, "", "", "RN"],
  ["anyone", "create", `selfsubjectrulesreviews.${access}`, "", "", "RN"],
  ["wide", "create", `selfsubjectrulesreviews.${access}`, "", "", "RNAW"],
  ["anyone", "create", `subjectaccessreviews.${access}`, "", "", ""],
  ["anyone", "create", `localsubjectaccessreviews.${access}`, "a", "", ""],
  ["anyone", "create", "tokenreviews.authentication.k8s.io", "", "", ""],
  ["anyone", "create", "bindings", "a", "", ""],
  ["anyone", "list", "componentstatuses", "", "", ""],
  ["reviewer", "create", `subjectaccessreviews.${access}`, "", "", "RN"],
  ["reviewer", "create", `localsubjectaccessreviews.${access}`, "a", "", "RN"],
  ["reviewer", "create", "tokenreviews.authentication.k8s.io", "", "", "RN"],
  ["reviewer", "list", "componentstatuses", "", "", "RN"],
  ["reviewer", "create", "serviceaccounts/token", "a", "robot", "RN"],
  ["reviewer", "create", "serviceaccounts/token", "a", "other", ""],
  // Verbs that no method of HTTP stands for.
  ["special", "use", "podsecuritypolicies.policy", "", "free", "RN"],
  ["special", "use", "podsecuritypolicies.policy", "", "other", ""],
  ["special", "bind", `clusterroles.${roles}`, "", "view", "RN"],
  ["special", "bind", `clusterroles.${roles}`, "", "admin", ""],
  ["special", "escalate", `clusterroles.${roles}`, "", "any", "RN"],
  ["special", "escalate", `roles.${roles}`, "a", "any", ""],
  ["special", "impersonate", "users", "", "jane", "RN"],
  ["special", "impersonate", "users", "", "joe", ""],
  ["special", "impersonate", "groups", "", "devs", "RN"],
  ["special", "impersonate", "groups", "", "system:masters", ""],
  ["special", "impersonate", "serviceaccounts", "a", "robot", "RN"],
  ["special", "impersonate", "serviceaccounts", "b", "robot", ""],
  ["special", "impersonate", "uids.authentication.k8s.io", "", "1", "RN"],
  ["special", "impersonate", "userextras/scopes.authentication.k8s.io", "", "read", "RN"],
  ["special", "impersonate", "userextras/other.authentication.k8s.io", "", "read", ""],
  ["special", "approve", `signers.${certificates}`, "", "example.com/one", "RN"],
  ["special", "approve", `signers.${certificates}`, "", "example.org/one", ""],
  ["special", "sign", `signers.${certificates}`, "", "example.com/one", "RN"],
  ["special", "sign", `signers.${certificates}`, "", "example.com/two", ""],
  ["special", "proxy", "pods", "a", "x", "RN"],
  ["special", "proxy", "services", "a", "x", ""],
  ["special", "get", "pods/proxy", "a", "x", "RN"],
  ["special", "create", "pods/proxy", "a", "x", ""],
  ["special", "get", "services/proxy", "a", "x", ""],
  ["special", "get", "nodes/proxy", "", "n1", ""],
  // Node agents.
  [n1, "get", "secrets", "a", "of-n1", "N"],
  [n1, "get", "secrets", "a", "of-n2", ""],
  [n1, "list", "secrets", "a", "", ""],
  [n1, "create", "serviceaccounts/token", "a", "robot", "N"],
  [n1, "create", "serviceaccounts/token", "a", "other", ""],
  [n1, "update", "leases.coordination.k8s.io", "kube-node-lease", "n1", "N"],
  [n1, "update", "leases.coordination.k8s.io", "kube-node-lease", "n2", ""],
  [n1, "patch", "nodes/status", "", "n1", "N"],
  ["system:node:n1", "get", "secrets", "a", "of-n1", ""],
  // Paths.
  ["wide", "get", "/metrics", "", "", "RNA"],
  ["wide", "post", "/metrics", "", "", ""],
  ["wide", "get", "/logs/a", "", "", "RN"],
  ["wide", "get", "/logs", "", "", ""],
  ["anyone", "get", "/healthz", "", "", "RNA"],
  ["anyone", "get", "/version", "", "", "RN"],
  ["barred", "get", "/version", "", "", "RN"],
];

const policies = [
  { user: "wide", namespace: "*", resource: "pods", readonly: true },
  { user: "narrow", namespace: "a", resource: "pods", readonly: true },
  { group: "team", namespace: "a", resource: "pods", readonly: true },
  { user: "wide", nonResourcePath: "/metrics", readonly: true },
  { user: "wide", namespace: "*", resource: "selfsubjectrulesreviews", apiGroup: access },
  { group: "system:authenticated", nonResourcePath: "/healthz", readonly: true },
];

const rules: Readonly<Record<string, readonly object[]>> = {
  wide: [
    { verbs: ["get", "list", "watch"], apiGroups: [""], resources: ["pods"] },
    { verbs: ["get"], apiGroups: [""], resources: ["pods/log"] },
    { verbs: ["get", "list"], apiGroups: [""], resources: ["configmaps"], resourceNames: ["one"] },
    { verbs: ["get"], nonResourceURLs: ["/metrics", "/logs/*"] },
  ],
  cleaner: [{ verbs: ["delete", "deletecollection"], apiGroups: [""], resources: ["pods"] }],
  evictor: [{ verbs: ["create"], apiGroups: [""], resources: ["pods/eviction"] }],
  scaler: [{ verbs: ["patch"], apiGroups: ["apps"], resources: ["*/scale"] }],
  reviewer: [
    { verbs: ["create"], apiGroups: [access], resources: ["*"] },
    { verbs: ["create"], apiGroups: ["authentication.k8s.io"], resources: ["tokenreviews"] },
    { verbs: ["list"], apiGroups: [""], resources: ["componentstatuses"] },
    { verbs: ["create"], apiGroups: [""], resources: ["serviceaccounts/token"], resourceNames: ["robot"] },
  ],
  special: [
    { verbs: ["use"], apiGroups: ["policy"], resources: ["podsecuritypolicies"], resourceNames: ["free"] },
    { verbs: ["bind"], apiGroups: [roles], resources: ["clusterroles"], resourceNames: ["view"] },
    { verbs: ["escalate"], apiGroups: [roles], resources: ["clusterroles"] },
    { verbs: ["impersonate"], apiGroups: [""], resources: ["users"], resourceNames: ["jane"] },
    { verbs: ["impersonate"], apiGroups: [""], resources: ["groups"], resourceNames: ["devs"] },
    {
      verbs: ["impersonate"],
      apiGroups: ["authentication.k8s.io"],
      resources: ["uids", "userextras/scopes"],
    },
    {
      verbs: ["approve", "sign"],
      apiGroups: [certificates],
      resources: ["signers"],
      resourceNames: ["example.com/one"],
    },
    { verbs: ["proxy"], apiGroups: [""], resources: ["pods"] },
    { verbs: ["get"], apiGroups: [""], resources: ["pods/proxy"] },
  ],
};

const user = (name: string) => ({ kind: "User", name, apiGroup: roles });
/** In namespace `a` only. */
const bound: readonly (readonly [role: string, subjects: readonly object[]])[] = [
  [
    "wide",
    [
      user("narrow"),
      { ...user("team"), kind: "Group" },
      { kind: "ServiceAccount", name: "robot", namespace: "a" },
    ],
  ],
  ["impersonates-robot", [user("special")]],
];

/** Of a SubjectAccessReview. */
interface Spec {
  readonly user: string;
  readonly resourceAttributes?: {
    readonly verb: string;
    readonly resource: string;
    readonly subresource?: string;
    readonly group?: string;
    readonly namespace?: string;
  };
}

/** What the remote service allows. */
function decides({ user: name, resourceAttributes: of }: Spec): object {
  if (name === "barred") return { allowed: false, denied: true };
  if (name === "wide" && of?.resource === "selfsubjectrulesreviews") return { allowed: true };
  const isRead = ["get", "list", "watch"].includes(of?.verb ?? "");
  const isPods =
    of?.resource === "pods" && (of.group ?? "") === "" && [undefined, "", "log"].includes(of.subresource);
  return { allowed: isRead && isPods && (name === "wide" || (name === "narrow" && of?.namespace === "a")) };
}

const servers: ServerHere[] = [];
const clients: ApiClient[] = [];
let peer: RemotePeer;

beforeAll(async () => {
  const authority = await TestAuthority.create("decider-ca");
  peer = await startRemotePeer({ authority }, ({ body }) => ({
    body: { status: decides(JSON.parse(body).spec) },
  }));
  writeFileSync(join(directory, "webhook"), clientConfigText({ server: peer.url, caPem: authority.caPem }));
  writeFileSync(
    join(directory, "policy"),
    policies
      .map((spec) => ({ apiVersion: "abac.authorization.kubernetes.io/v1beta1", kind: "Policy", spec }))
      .map((policy) => JSON.stringify(policy))
      .join("\n"),
  );
});

afterAll(async () => {
  for (const client of clients) await client.close();
  await disposeAll(servers);
  await peer?.close();
  rmSync(directory, { recursive: true, force: true });
});

async function startWith(args: readonly string[]): Promise<ApiClient> {
  const server = await startServerHere({ args: [...args, "--disable-admission-plugins=ServiceAccount"] });
  servers.push(server);
  const client = new ApiClient(server);
  clients.push(client);
  const create = async (path: string, body: object): Promise<void> => {
    const answer = await client.post(path, body);
    expect(answer.status, answer.text).toBe(201);
  };
  const bind = async (path: string, role: string, subjects: readonly object[]): Promise<void> => {
    const roleRef = { apiGroup: roles, kind: "ClusterRole", name: role };
    await create(`${rbac}/${path}`, { metadata: { name: `${role}-bound` }, roleRef, subjects });
  };
  for (const name of ["a", "b"]) await create("/api/v1/namespaces", { metadata: { name } });
  for (const [name, held] of Object.entries(rules)) {
    await create(`${rbac}/clusterroles`, { metadata: { name }, rules: held });
    await bind("clusterrolebindings", name, [user(name)]);
  }
  await create(`${rbac}/clusterroles`, {
    metadata: { name: "impersonates-robot" },
    rules: [
      { verbs: ["impersonate"], apiGroups: [""], resources: ["serviceaccounts"], resourceNames: ["robot"] },
    ],
  });
  for (const [role, subjects] of bound) await bind("namespaces/a/rolebindings", role, subjects);
  for (const name of ["n1", "n2"]) {
    await create("/api/v1/namespaces/a/secrets", { metadata: { name: `of-${name}` } });
    await create("/api/v1/namespaces/a/pods", {
      metadata: { name: `p-${name}` },
      spec: {
        nodeName: name,
        serviceAccountName: name === "n1" ? "robot" : "other",
        containers: [{ name: "c", image: "i" }],
        volumes: [{ name: "s", secret: { secretName: `of-${name}` } }],
      },
    });
  }
  return client;
}

interface Asked {
  readonly name: string;
  readonly groups: readonly string[];
  readonly path: string | undefined;
  readonly resource: string;
  readonly subresource: string;
  readonly group: string;
}

function parse([who, , what]: Row): Asked {
  const [name = "", ...groups] = who.split(" ");
  const isPath = what.startsWith("/");
  const [plural = "", ...group] = isPath ? [] : what.split(".");
  const [resource = "", subresource = ""] = plural.split("/");
  return { name, groups, path: isPath ? what : undefined, resource, subresource, group: group.join(".") };
}

async function reviewed(client: ApiClient, row: Row): Promise<boolean> {
  const [, verb, , namespace, rowName] = row;
  const { name, groups, path, resource, subresource, group } = parse(row);
  const attributes =
    path === undefined
      ? { resourceAttributes: { verb, resource, subresource, group, namespace, name: rowName } }
      : { nonResourceAttributes: { verb, path } };
  const answer = await client.post(`/apis/${access}/v1/subjectaccessreviews`, {
    spec: { user: name, groups: [...groups, "system:authenticated"], ...attributes },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.status.allowed;
}

const methods: Readonly<Record<string, string>> = {
  get: "GET",
  list: "GET",
  watch: "GET",
  create: "POST",
  post: "POST",
  update: "PUT",
  patch: "PATCH",
  delete: "DELETE",
  deletecollection: "DELETE",
};
const versions: Readonly<Record<string, string>> = { "": "/api/v1", extensions: "", "metrics.k8s.io": "" };

/** The request that stands for a row; undefined when none does. It changes nothing. */
async function requested(client: ApiClient, row: Row): Promise<ApiAnswer | undefined> {
  const [, verb, , namespace, rowName] = row;
  const { name, groups, path, resource, subresource, group } = parse(row);
  const isLegacyProxy = verb === "proxy";
  const method = isLegacyProxy ? "GET" : methods[verb];
  const version = versions[group] ?? `/apis/${group}/v1`;
  // No server answers for an unserved group. A list of one name is made by a field selector.
  if (method === undefined || version === "") return undefined;
  const query = verb === "list" && rowName !== "" ? `fieldSelector=metadata.name%3D${rowName}` : "dryRun=All";
  const parts = [
    isLegacyProxy ? "proxy" : "",
    namespace === "" ? "" : `namespaces/${namespace}`,
    resource,
    verb === "list" ? "" : rowName,
    subresource,
  ];
  const below = parts.filter((part) => part !== "").join("/");
  const url = path ?? `${version}/${below}?${query}${verb === "watch" ? "&watch=1&timeoutSeconds=1" : ""}`;
  const contentType = verb === "patch" ? "application/merge-patch+json" : "application/json";
  const impersonated = groups.map((each, index) => [index === 0 ? "impersonate-group" : `x-${index}`, each]);
  return await client.ask(method, url, {
    ...(["POST", "PUT", "PATCH"].includes(method) && { body: {}, contentType }),
    headers: { "impersonate-user": name, ...Object.fromEntries(impersonated) },
  });
}

const everything = [/^\*\.\*\s+\[\]\s+\[\]\s+\[\*\]$/m, /^\s+\[\*\]\s+\[\]\s+\[\*\]$/m];
const ofRoles = [/^pods\/log\s+\[\]\s+\[\]\s+\[get\]$/m, /^configmaps\s+\[\]\s+\[one\]\s+\[get list\]$/m];
const incomplete = (mode: string) =>
  new RegExp(
    `warning: the list may be incomplete: ${mode} authorizer does not support user rule resolution`,
    "i",
  );

/** `listed` is what `kubectl auth can-i --list` prints for the user `wide`. */
describe.each<[letter: string, mode: string, args: () => readonly string[], listed: readonly RegExp[]]>([
  ["*", "AlwaysAllow", () => [], everything],
  ["D", "AlwaysDeny", () => [], [/Forbidden/]],
  ["R", "RBAC", () => [], ofRoles],
  ["N", "Node,RBAC", () => [], ofRoles],
  [
    "A",
    "ABAC",
    () => [`--authorization-policy-file=${join(directory, "policy")}`],
    [/^pods\s+\[\]\s+\[\]\s+\[get list watch\]$/m],
  ],
  [
    "W",
    "Webhook",
    () => [`--authorization-webhook-config-file=${join(directory, "webhook")}`],
    [incomplete("webhook")],
  ],
])("%s: %s", (letter, mode, args, listed) => {
  let client: ApiClient;

  beforeAll(async () => {
    client = await startWith([`--authorization-mode=${mode}`, ...args()]);
  });

  const isAllowed = (modes: string): boolean => letter === "*" || modes.includes(letter);

  test.runIf(mode.startsWith("Node"))("the graph of nodes has the pods", async () => {
    await expect.poll(() => reviewed(client, [n1, "get", "secrets", "a", "of-n1", "N"])).toBe(true);
  });

  test.each(["kubectl123", "kubectlCurrent"] as const)("%s lists what is in force", async (binary) => {
    const run = async (asked: readonly string[]) => {
      const { stdout, stderr } = await runClient(
        clientBinaries()[binary],
        ["auth", "can-i", "--list", ...asked],
        {
          kubeconfig: servers.at(-1)?.kubeconfig ?? "",
          home: directory,
        },
      );
      return `${stderr}\n${stdout}`;
    };
    const ofWide = await run(["--as=wide", "-n=a"]);
    for (const line of listed) expect(ofWide).toMatch(line);
    expect(/may be incomplete/i.test(ofWide)).toBe(letter === "W");
    if (letter === "N") {
      expect(await run(["--as=system:node:n1", "--as-group=system:nodes", "-n=a"])).toMatch(
        incomplete("node"),
      );
    }
    if (letter === "*" || letter === "D") return;
    expect(ofWide).not.toMatch(everything[0] ?? /./);
    // A role states what this group may do. Elsewhere nothing does.
    const ofMasters = await run(["--as=anyone", "--as-group=system:masters"]);
    expect((everything[0] ?? /./).test(ofMasters)).toBe(letter === "R" || letter === "N");
  });

  test.each(matrix)("%s %s %s in %j named %j", async (...row) => {
    const allowed = isAllowed(row[5]);
    expect(await reviewed(client, row)).toBe(allowed);
    const answer = await requested(client, row);
    if (answer === undefined) return;
    if (!allowed) {
      expect(answer.status, answer.text).toBe(403);
      expect(answer.body.message).toContain(`User "${parse(row).name}" cannot ${row[1]} `);
    } else if (answer.status === 403) {
      // Allowed, but refused by what comes after authorization.
      expect(answer.body.message).not.toContain(`User "${parse(row).name}" cannot`);
    } else {
      // The list of the host's logs is below the path that is asked for.
      const statuses = row[2] === "/logs" ? [301] : [200, 201, 400, 404, 405, 409, 415, 422];
      expect(statuses, answer.text).toContain(answer.status);
    }
  });
});
