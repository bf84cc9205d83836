import { quoted } from "../../../apimachinery/errors/quoted-text.js";
import type { AccessRules, Authorizer, Decision } from "../../../apimachinery/requests/authorizer.js";
import type { UserInfo } from "../../../apimachinery/requests/request-info.js";
import type { PolicyRule } from "../../../apis/gen/rbac-v1.js";
import { Turns } from "../../../event-loop/turns.js";
import type { GrantIndex } from "./grant-index.js";
import type { Grant, RoleSlot } from "./role-grants.js";

/** How many missing roles are named; more are only counted. */
const namedMissingMax = 20;
/**
 * Verbs, groups, resources, names and URLs in all rules that are listed for a user or compared. Kubernetes has no limit, but here roles are
 * read on the serving thread, by a request of a few bytes.
 */
const ruleValuesMax = 100_000;

/**
 * Mode RBAC: allows what a rule of a bound role allows, and never denies. `group` is that of roles. Source: kube-apiserver 1.23
 * `plugin/pkg/auth/authorizer/rbac`.
 */
export function rbacAuthorizer(index: GrantIndex, group: string): Authorizer {
  /** The decision of a grant is always the same. */
  const decisions = new WeakMap<Grant, Decision>();
  const allowedBy = (grant: Grant): Decision => {
    let decision = decisions.get(grant);
    if (decision === undefined) {
      decision = { kind: "allow", reason: `RBAC: allowed by ${described(grant)}` };
      decisions.set(grant, decision);
    }
    return decision;
  };
  return {
    authorize({ user, info, signal }): Promise<Decision> | Decision {
      const decided = (grant: Grant | undefined): Decision => {
        if (grant !== undefined) return allowedBy(grant);
        const missing = missingRoles(index, user, info.namespace, qualifiedKind(group));
        return { kind: "noOpinion", reason: missing === undefined ? "" : `RBAC: ${missing}` };
      };
      if (!index.isLarge) return decided(index.find(user, info));
      const found = findInTurns(index.findSteps(user, info), user.name, signal);
      return found instanceof Promise ? found.then(decided) : decided(found);
    },
    rulesFor: (user, namespace) => accessRules(index, user, namespace, group),
  };
}

/** Returns a promise only when it takes longer than a turn. */
function findInTurns(
  steps: Generator<void, Grant | undefined, void>,
  flow: string,
  signal: AbortSignal,
): Promise<Grant | undefined> | Grant | undefined {
  const turns = new Turns(flow);
  const inFurtherTurns = async (): Promise<Grant | undefined> => {
    for (;;) {
      if (turns.isOver()) await turns.next(signal);
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  };
  while (!turns.isOver()) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
  return inFurtherTurns();
}

/**
 * The rules that a user has in a namespace; for "" only those of cluster role bindings. When there are too many for an answer, only the
 * first ones.
 */
export function rulesOfUser(index: GrantIndex, user: UserInfo, namespace: string): PolicyRule[] {
  return firstRules(index, user, namespace).rules;
}

function firstRules(
  index: GrantIndex,
  user: UserInfo,
  namespace: string,
): { readonly rules: PolicyRule[]; readonly isCut: boolean } {
  const rules: PolicyRule[] = [];
  // A binding may name a user and a group of the user.
  const visited = new Set<RoleSlot>();
  let values = 0;
  for (const grants of index.grantsOf(user, namespace)) {
    for (const role of grants.roles()) {
      if (visited.has(role)) continue;
      visited.add(role);
      for (const rule of role.rules ?? []) {
        values += sizeOf(rule);
        if (values > ruleValuesMax) return { rules, isCut: true };
        rules.push(rule);
      }
    }
  }
  return { rules, isCut: false };
}

function sizeOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): number {
  const lists = [verbs, apiGroups, resources, resourceNames, nonResourceURLs];
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), 1);
}

/**
 * Names the roles that a user's bindings refer to but that do not exist, each with its kind as `qualified` returns it; undefined when all
 * exist.
 */
export function missingRoles(
  index: GrantIndex,
  user: UserInfo,
  namespace: string,
  qualified: (kind: RoleSlot["kind"]) => string,
): string | undefined {
  const problems = new Set<string>();
  let unnamed = 0;
  for (const grants of index.grantsOf(user, namespace)) {
    for (const role of grants.roles()) {
      if (role.rules !== undefined) continue;
      if (problems.size < namedMissingMax)
        problems.add(`${qualified(role.kind)} ${quoted(role.name)} not found`);
      else unnamed += 1;
    }
  }
  if (problems.size === 0) return undefined;
  if (problems.size === 1) return [...problems][0];
  const more = unnamed > 0 ? [`and ${unnamed} more`] : [];
  return `[${[...problems, ...more].join(", ")}]`;
}

/** How Kubernetes' informers name a missing role. */
function qualifiedKind(group: string): (kind: RoleSlot["kind"]) => string {
  return (kind) => `${kind.toLowerCase()}.${group}`;
}

function accessRules(index: GrantIndex, user: UserInfo, namespace: string, group: string): AccessRules {
  const { rules, isCut } = firstRules(index, user, namespace);
  const missing = missingRoles(index, user, namespace, qualifiedKind(group));
  const error = isCut ? `these are not all rules, which have more than ${ruleValuesMax} values` : missing;
  return {
    resourceRules: rules
      .filter(({ resources = [] }) => resources.length > 0)
      .map(({ verbs = [], apiGroups, resources, resourceNames }) => ({
        verbs,
        apiGroups,
        resources,
        resourceNames,
      })),
    nonResourceRules: rules
      .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
      .map(({ verbs = [], nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: isCut,
    ...(error !== undefined && { error }),
  };
}

/** `ClusterRoleBinding "ops" of ClusterRole "admin" to Group "operators"` */
function described({ bindingNamespace, bindingName, subject, role }: Grant): string {
  const isCluster = bindingNamespace === "";
  const binding = isCluster
    ? `ClusterRoleBinding ${quoted(bindingName)}`
    : `RoleBinding ${quoted(`${bindingName}/${bindingNamespace}`)}`;
  const name =
    subject.kind === "ServiceAccount"
      ? `${subject.name}/${subject.namespace || bindingNamespace}`
      : subject.name;
  return `${binding} of ${role.kind} ${quoted(role.name)} to ${subject.kind} ${quoted(name)}`;
}
