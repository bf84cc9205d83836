import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type ApiLevel, apiLevels, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ClusterRole, PolicyRule, Role, Subject } from "../../apis/gen/rbac-v1.js";
import { createNaming } from "../../naming/naming.js";
import { FeatureGates } from "../options/feature-gates.js";
import { clusterRoleBindings, namespacedRoles, roleBindings } from "./bindings.js";
import { clusterRoles } from "./cluster-roles.js";

const naming = createNaming("kubernetes");
const gates = new FeatureGates(new Map(), "1.23");
const rbacGroup = naming.group("rbac.authorization");

/** The paragraphs of the fixture by their first word, a role's name. */
const expected = new Map(
  readFileSync(new URL("fixtures/roles.txt", import.meta.url), "utf8")
    .replace(/^#.*\n/gm, "")
    .trim()
    .split(/\n\n+/)
    .map((paragraph): [string, string] => [paragraph.split(/\s/, 1)[0] ?? "", paragraph]),
);

describe("the roles of a new cluster", () => {
  const roles = [...clusterRoles(naming, gates), ...namespacedRoles(naming, "1.23")];

  test("are those of Kubernetes 1.23", () => {
    expect(roles.map(nameOf).sort()).toEqual([...expected.keys()].sort());
  });

  test.each(roles.map((role) => [nameOf(role), role] as const))("%s", (name, role) => {
    expect(shown(role, gates)).toBe(expected.get(name));
  });

  test("are marked as the server's own", () => {
    for (const { metadata } of [
      ...roles,
      ...clusterRoleBindings(naming, gates),
      ...roleBindings(naming, gates.level),
    ]) {
      expect(metadata.labels).toMatchObject({ "kubernetes.io/bootstrapping": "rbac-defaults" });
      expect(metadata.annotations).toEqual({ "rbac.authorization.kubernetes.io/autoupdate": "true" });
    }
  });

  test("name no role in a binding that does not exist", () => {
    const bound = [
      ...clusterRoleBindings(naming, gates).map(({ roleRef }) => roleRef.name),
      ...roleBindings(naming, gates.level).map(
        ({ metadata, roleRef }) => `${metadata.namespace}/${roleRef.name}`,
      ),
    ];
    expect(bound.filter((name) => !expected.has(name))).toEqual([]);
  });
});

test("roles without rules and bindings without subjects omit the list, so that the server owns no empty list", () => {
  const empty = [...clusterRoles(naming, gates), ...clusterRoleBindings(naming, gates)].filter((each) =>
    "roleRef" in each ? (each.subjects ?? []).length === 0 : (each.rules ?? []).length === 0,
  );
  expect(empty.map(({ metadata }) => metadata.name)).toEqual(["admin", "edit", "view", "system:node"]);
  for (const each of empty) {
    expect(each).not.toHaveProperty("rules");
    expect(each).not.toHaveProperty("subjects");
  }
});

test("controllers behind feature gates have roles when the gates are on", () => {
  const on = new FeatureGates(
    new Map([
      ["StatefulSetAutoDeletePVC", true],
      ["StorageVersionAPI", true],
      ["APIServerIdentity", true],
    ] as const),
    "1.23",
  );
  const before = new Map(clusterRoles(naming, gates).map((role) => [nameOf(role), lines(role.rules)]));
  const changed = clusterRoles(naming, on)
    .map((role): [string, string[]] => [nameOf(role), lines(role.rules)])
    .filter(([name, rules]) => before.get(name)?.join() !== rules.join());
  expect(Object.fromEntries(changed)).toEqual({
    "system:controller:statefulset-controller": [
      ...(before.get("system:controller:statefulset-controller") ?? []),
      "update | core | persistentvolumeclaims",
    ],
    "system:controller:storage-version-garbage-collector": [
      "get list watch | coordination.k8s.io | leases",
      "delete get list patch update watch | internal.apiserver.k8s.io | storageversions",
      "get patch update | internal.apiserver.k8s.io | storageversions/status",
    ],
  });
});

test.each<[ApiLevel, string[]]>([
  [
    "1.27",
    [
      "get list watch | core | pods",
      "update | core | pods/finalizers",
      "create get list watch | resource.k8s.io | resourceclaims",
      "patch update | resource.k8s.io | resourceclaims/status",
    ],
  ],
  [
    "1.28",
    [
      "get list watch | core | pods",
      "update | core | pods/finalizers",
      "create delete get list watch | resource.k8s.io | resourceclaims",
      "create get list patch update watch | resource.k8s.io | podschedulingcontexts",
      "patch update | resource.k8s.io | resourceclaims/status",
      "patch update | core | pods/status",
    ],
  ],
  [
    "1.32",
    [
      "get list watch | core | pods",
      "update | core | pods/finalizers",
      "create delete get list watch | resource.k8s.io | resourceclaims",
      "patch update | resource.k8s.io | resourceclaims resourceclaims/status",
      "patch update | core | pods/status",
    ],
  ],
])("at %s, the controller of resource claims may %j", (level, rules) => {
  const on = new FeatureGates(new Map([["DynamicResourceAllocation", true]] as const), level);
  const role = clusterRoles(naming, on).find(
    (each) => nameOf(each) === "system:controller:resource-claim-controller",
  );
  expect(lines(role?.rules).filter((line) => !line.includes("events"))).toEqual(rules);
});

/** For each later level, the roles that differ from the level before, by name; undefined for those that were removed. */
const changes = new Map(
  readFileSync(new URL("fixtures/later-roles.txt", import.meta.url), "utf8")
    .replace(/^# .*\n/gm, "")
    .trim()
    .split(/^## /m)
    .filter((section) => section !== "")
    .map((section): [string, Map<string, string | undefined>] => {
      const [level = "", ...paragraphs] = section.trim().split(/\n\n+/);
      const entries = paragraphs.map((paragraph): [string, string | undefined] => {
        const [first = "", second = ""] = paragraph.split(/\s+/, 2);
        return first === "gone" ? [second, undefined] : [first, paragraph];
      });
      return [level, new Map(entries)];
    }),
);

describe("the roles of later levels", () => {
  test("are told of every level", () => {
    expect([...changes.keys()]).toEqual(apiLevels.slice(1));
  });

  test.each(apiLevels.slice(1))("%s has those of Kubernetes", (level) => {
    const at = new FeatureGates(new Map(), level);
    const having = new Map(expected);
    for (const each of apiLevels.filter((earlier) => isAtLeast(level, earlier))) {
      for (const [name, role] of changes.get(each) ?? []) {
        if (role === undefined) having.delete(name);
        else having.set(name, role);
      }
    }
    const roles = [...clusterRoles(naming, at), ...namespacedRoles(naming, level)];
    const made = new Map(roles.map((role) => [nameOf(role), shown(role, at)]));
    expect(Object.fromEntries(sorted(made))).toEqual(Object.fromEntries(sorted(having)));
    const bound = [
      ...clusterRoleBindings(naming, at).map(({ roleRef }) => roleRef.name),
      ...roleBindings(naming, level).map(({ metadata, roleRef }) => `${metadata.namespace}/${roleRef.name}`),
    ];
    expect(bound.filter((name) => !having.has(name))).toEqual([]);
  });

  test("of a gate come with the binding to them", () => {
    const withBundles = new FeatureGates(new Map([["ClusterTrustBundle", true]] as const), "1.33");
    const names = (each: readonly ClusterRole[]) => each.map(nameOf);
    expect(names(clusterRoles(naming, withBundles))).toContain("system:cluster-trust-bundle-discovery");
    expect(clusterRoleBindings(naming, withBundles).map(({ roleRef }) => roleRef.name)).toContain(
      "system:cluster-trust-bundle-discovery",
    );
  });
});

function nameOf({ metadata: { namespace, name } }: Role | ClusterRole): string {
  return namespace === undefined ? `${name}` : `${namespace}/${name}`;
}

function sorted<T>(map: ReadonlyMap<string, T>): (readonly [string, T])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A role as the fixture writes it. */
function shown(role: Role | ClusterRole, at: FeatureGates): string {
  const aggregations = Object.keys(role.metadata.labels ?? {})
    .filter((label) => label.startsWith(`${rbacGroup}/`))
    .map((label) => label.slice(rbacGroup.length + 1));
  const gathered = "aggregationRule" in role ? (role.aggregationRule?.clusterRoleSelectors ?? []) : [];
  return [
    [nameOf(role), ...aggregations].join(" "),
    ...gathered.map(({ matchLabels = {} }) => `  gathers ${shownSelector(matchLabels)}`),
    ...lines(role.rules).map((line) => `  ${line}`),
    ...bindingsOf(role, at).map((line) => `  ${line}`),
  ].join("\n");
}

function shownSelector(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`.replace(/^.*aggregate-to-(.*)=true$/, "$1"))
    .join(" ");
}

function lines(rules: readonly PolicyRule[] | undefined): string[] {
  return (rules ?? []).map(({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }) =>
    [verbs, apiGroups?.map((group) => group || "core"), resources, resourceNames, nonResourceURLs]
      .flatMap((values) => values?.join(" ") ?? [])
      .join(" | "),
  );
}

function bindingsOf(role: Role | ClusterRole, at: FeatureGates): string[] {
  const { namespace, name } = role.metadata;
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  return [...clusterRoleBindings(naming, at), ...roleBindings(naming, at.level)]
    .filter(
      ({ metadata, roleRef }) =>
        metadata.namespace === namespace &&
        roleRef.kind === kind &&
        roleRef.apiGroup === rbacGroup &&
        roleRef.name === name,
    )
    .map(({ metadata, subjects = [] }) => {
      const by = metadata.name === name ? "" : `by ${metadata.name} `;
      return `bound ${by}to ${subjects.map(shownSubject).join(", ") || "nobody"}`;
    });
}

function shownSubject({ kind, apiGroup, name, namespace }: Subject): string {
  if (kind === "ServiceAccount" && apiGroup === undefined) return `account ${namespace}/${name}`;
  return `${kind.toLowerCase()} ${apiGroup === rbacGroup ? name : apiGroup}`;
}
