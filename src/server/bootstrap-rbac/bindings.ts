import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ClusterRoleBinding, Role, RoleBinding, Subject } from "../../apis/gen/rbac-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { FeatureGates } from "../options/feature-gates.js";
import {
  autoUpdateAnnotation,
  bootstrapping,
  bootstrappingLabel,
  trustBundleDiscovery,
} from "./cluster-roles.js";
import { controllerRules } from "./controller-rules.js";
import { RuleWords, read } from "./policy-rules.js";

/** The subjects of a new cluster's cluster roles. */
export function clusterRoleBindings(naming: Naming, gates: FeatureGates): ClusterRoleBinding[] {
  const { users, systemNamespace } = naming;
  const { group, user, account } = subjectsOf(naming);
  const authenticated = group("system:authenticated");
  const bound: readonly (readonly [role: string, subjects: readonly Subject[]])[] = [
    ["cluster-admin", [group("system:masters")]],
    ["system:basic-user", [authenticated]],
    ["system:discovery", [authenticated]],
    ["system:monitoring", [group("system:monitoring")]],
    // The Node authorizer replaces this binding.
    ["system:node", []],
    ["system:node-proxier", [user(users.proxy)]],
    ["system:public-info-viewer", [authenticated, group("system:unauthenticated")]],
    ["system:service-account-issuer-discovery", [group("system:serviceaccounts")]],
    ["system:volume-scheduler", [user(users.scheduler)]],
    ...(gates.isEnabled("ClusterTrustBundle")
      ? [[trustBundleDiscovery, [group("system:serviceaccounts")]] as const]
      : []),
    [users.controllerManager, [user(users.controllerManager)]],
    [users.dns, [account(systemNamespace, `${naming.prefix}-dns`)]],
    [users.scheduler, [user(users.scheduler)]],
    ...[...controllerRules(naming, new RuleWords(naming), gates).keys()].map(
      (name) => [`system:controller:${name}`, [account(systemNamespace, name)]] as const,
    ),
  ];
  return bound.map(([role, subjects]) => ({
    metadata: { name: role, ...marks(naming) },
    roleRef: { apiGroup: naming.group("rbac.authorization"), kind: "ClusterRole", name: role },
    ...(subjects.length > 0 && { subjects: [...subjects] }),
  }));
}

/** Bindings in the system's own namespaces, by namespace. */
export function namespacedRoles(naming: Naming, level: ApiLevel): Role[] {
  const { systemNamespace, publicNamespace, prefix } = naming;
  const words = new RuleWords(naming);
  const role = (namespace: string, name: string, rules: Role["rules"]): Role => ({
    metadata: { namespace, name, ...marks(naming) },
    rules,
  });
  const locking = (component: string): Role =>
    role(systemNamespace, `system::leader-locking-${prefix}-${component}`, [
      ...(isAtLeast(level, "1.35")
        ? []
        : [
            words.rule("watch", "core", "configmaps"),
            words.rule("get update", "core", "configmaps", `${prefix}-${component}`),
          ]),
      ...(isAtLeast(level, "1.31")
        ? [
            words.rule(`create ${read} update`, "coordination", "leases"),
            words.rule(`create ${read} update`, "coordination", "leasecandidates"),
          ]
        : []),
    ]);
  return [
    role(systemNamespace, "extension-apiserver-authentication-reader", [
      words.rule(read, "core", "configmaps", "extension-apiserver-authentication"),
    ]),
    locking("controller-manager"),
    locking("scheduler"),
    role(systemNamespace, "system:controller:bootstrap-signer", [words.rule(read, "core", "secrets")]),
    role(systemNamespace, "system:controller:cloud-provider", [
      words.rule(`create ${read}`, "core", "configmaps"),
    ]),
    role(systemNamespace, "system:controller:token-cleaner", [
      words.rule(`delete ${read}`, "core", "secrets"),
      words.events,
    ]),
    role(publicNamespace, "system:controller:bootstrap-signer", [
      words.rule(read, "core", "configmaps"),
      words.rule("update", "core", "configmaps", "cluster-info"),
      words.events,
    ]),
  ];
}

export function roleBindings(naming: Naming, level: ApiLevel): RoleBinding[] {
  const { systemNamespace, publicNamespace, prefix, users } = naming;
  const { user, account } = subjectsOf(naming);
  const bind = (namespace: string, role: string, subjects: Subject[], name = role): RoleBinding => ({
    metadata: { namespace, name, ...marks(naming) },
    roleRef: { apiGroup: naming.group("rbac.authorization"), kind: "Role", name: role },
    subjects,
  });
  const controller = (namespace: string, name: string): RoleBinding =>
    bind(namespace, `system:controller:${name}`, [account(systemNamespace, name)]);
  const locking = (component: string, others: readonly Subject[] = []): RoleBinding =>
    bind(systemNamespace, `system::leader-locking-${prefix}-${component}`, [
      user(`system:${prefix}-${component}`),
      account(systemNamespace, `${prefix}-${component}`),
      ...others,
    ]);
  const elector = account(systemNamespace, "leader-election-controller");
  return [
    bind(
      systemNamespace,
      "extension-apiserver-authentication-reader",
      [user(users.controllerManager), user(users.scheduler)],
      "system::extension-apiserver-authentication-reader",
    ),
    locking("controller-manager", isAtLeast(level, "1.31") ? [elector] : []),
    locking("scheduler"),
    controller(systemNamespace, "bootstrap-signer"),
    controller(systemNamespace, "cloud-provider"),
    controller(systemNamespace, "token-cleaner"),
    controller(publicNamespace, "bootstrap-signer"),
  ];
}

function marks(naming: Naming) {
  return {
    labels: { [bootstrappingLabel(naming)]: bootstrapping },
    annotations: { [autoUpdateAnnotation(naming)]: "true" },
  };
}

function subjectsOf(naming: Naming) {
  const apiGroup = naming.group("rbac.authorization");
  return {
    group: (name: string): Subject => ({ kind: "Group", apiGroup, name }),
    user: (name: string): Subject => ({ kind: "User", apiGroup, name }),
    account: (namespace: string, name: string): Subject => ({ kind: "ServiceAccount", name, namespace }),
  };
}
