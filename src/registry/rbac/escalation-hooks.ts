import { forbiddenError, notFound } from "../../apimachinery/errors/status.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { type Authorizer, resourceAccess } from "../../apimachinery/requests/authorizer.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import { isForGarbageCollection } from "../../apis/definition/garbage-collection-update.js";
import type { ClusterRole, PolicyRule, Role, RoleBinding, RoleRef } from "../../apis/gen/rbac-v1.js";
import type { RegistryContext } from "../generic/registry-context.js";
import type { RegistryHooks } from "../generic/write-stages.js";
import { describeRules, missingRules, quotedList } from "./rule-cover.js";

/** The roles and bindings in force. */
export interface HeldRoles {
  /** The rules in a namespace, including those of cluster role bindings; for "" only the latter. */
  rulesOfUser(user: UserInfo, namespace: string): readonly PolicyRule[];
  /** The error in the user's bindings, if any. `resourceOf` returns the resource that a missing role's error names. */
  problemOf(user: UserInfo, namespace: string, resourceOf: ResourceOfRole): string | undefined;
  /** Undefined when the role does not exist. */
  rulesOfRole(ref: RoleRef, namespace: string): readonly PolicyRule[] | undefined;
}

export type ResourceOfRole = (kind: "Role" | "ClusterRole") => string;

export interface EscalationParts {
  /** API group of roles and bindings. */
  readonly group: string;
  readonly authorizer: Authorizer;
  readonly roles: HeldRoles;
}

/** Since 1.32, Kubernetes looks roles up within the request, so errors name the request's resource. */
function roleResource(level: ApiLevel, requested: string): ResourceOfRole {
  if (isAtLeast(level, "1.32")) return () => requested;
  return (kind) => (kind === "Role" ? "roles" : "clusterroles");
}

const everything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

/**
 * Prevents privilege escalation: writing a role requires all of its rules, or the verb `escalate` on it. Throws 403. Source:
 * Kubernetes documentation, "Using RBAC Authorization", "Privilege escalation prevention and bootstrapping".
 */
export function roleHooks(
  resource: "roles" | "clusterroles",
  parts: EscalationParts,
  level: ApiLevel,
): RegistryHooks<Role | ClusterRole> {
  const of = { group: parts.group, resource };
  const resourceOf = roleResource(level, resource);
  const check = async (
    context: RegistryContext,
    role: Role | ClusterRole,
    old: Role | ClusterRole | undefined,
  ): Promise<undefined> => {
    const name = nameOf(role);
    if (isMaster(context.user) || (await mayEscalate(parts, context, resource, name))) return;
    if (old !== undefined && isForGarbageCollection(role, old)) return;
    refuseUnlessHeld(parts, context, { of, name, resourceOf }, role.rules ?? []);
    const aggregates = aggregationOf(role) !== undefined || (old && aggregationOf(old)) !== undefined;
    if (aggregates && missingRules(parts.roles.rulesOfUser(context.user, ""), everything).length > 0) {
      // An aggregated role gets the rules of any role with matching labels.
      throw forbiddenError(of, name, "must have cluster-admin privileges to use the aggregationRule");
    }
  };
  return { beforeCreate: (context, role) => check(context, role, undefined), beforeUpdate: check };
}

/**
 * Writing a binding requires the rules of its role, or the verb `bind` on it. Throws 403, and 404 for a missing role.
 */
export function bindingHooks(
  resource: "rolebindings" | "clusterrolebindings",
  parts: EscalationParts,
  level: ApiLevel,
): RegistryHooks<RoleBinding> {
  const of = { group: parts.group, resource };
  const resourceOf = roleResource(level, resource);
  const check = async (
    context: RegistryContext,
    binding: RoleBinding,
    old: RoleBinding | undefined,
  ): Promise<undefined> => {
    if (isMaster(context.user) || (old !== undefined && isForGarbageCollection(binding, old))) return;
    const { roleRef } = binding;
    const namespace = resource === "rolebindings" ? context.namespace : "";
    if (await mayBind(parts, context, roleRef, namespace)) return;
    const rules = parts.roles.rulesOfRole(roleRef, namespace);
    if (rules === undefined) {
      const kind = roleRef.kind === "Role" ? "Role" : "ClusterRole";
      throw notFound({ group: parts.group, resource: resourceOf(kind) }, roleRef.name);
    }
    refuseUnlessHeld(parts, context, { of, name: nameOf(binding), resourceOf }, rules);
  };
  return { beforeCreate: (context, binding) => check(context, binding, undefined), beforeUpdate: check };
}

interface Refused {
  readonly of: { readonly group: string; readonly resource: string };
  readonly name: string;
  readonly resourceOf: ResourceOfRole;
}

function refuseUnlessHeld(
  { roles }: EscalationParts,
  { user, namespace }: RegistryContext,
  { of, name, resourceOf }: Refused,
  rules: readonly PolicyRule[],
): void {
  const missing = missingRules(roles.rulesOfUser(user, namespace), rules);
  if (missing.length === 0) return;
  const problem = roles.problemOf(user, namespace, resourceOf);
  const why = problem === undefined ? "" : `; resolution errors: [${problem}]`;
  const who = `user ${quotedList([user.name]).slice(1, -1)} (groups=${quotedList(user.groups)})`;
  throw forbiddenError(
    of,
    name,
    `${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}${why}`,
  );
}

async function mayEscalate(
  { group, authorizer }: EscalationParts,
  { user, namespace, signal, verb }: RegistryContext,
  resource: string,
  name: string,
): Promise<boolean> {
  const info = resourceAccess({
    verb: "escalate",
    apiGroup: group,
    apiVersion: "*",
    resource,
    // The name from the request's path: a PUT or an apply may name a new role there, a POST cannot.
    name: verb === "create" ? "" : name,
    namespace,
  });
  return (await authorizer.authorize({ user, info, signal })).kind === "allow";
}

async function mayBind(
  { authorizer }: EscalationParts,
  { user, signal }: RegistryContext,
  { apiGroup, kind, name }: RoleRef,
  namespace: string,
): Promise<boolean> {
  if (kind !== "Role" && kind !== "ClusterRole") return false;
  const resource = kind === "Role" ? "roles" : "clusterroles";
  const info = resourceAccess({ verb: "bind", apiGroup, apiVersion: "*", resource, name, namespace });
  return (await authorizer.authorize({ user, info, signal })).kind === "allow";
}

/** The group of the server's own controllers. */
function isMaster(user: UserInfo): boolean {
  return user.groups.includes("system:masters");
}

function aggregationOf(role: Role | ClusterRole): unknown {
  return "aggregationRule" in role ? role.aggregationRule : undefined;
}

function nameOf(object: ApiObject): string {
  return object.metadata.name ?? "";
}
