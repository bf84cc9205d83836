import type { AccessInfo } from "../../../apimachinery/requests/authorizer.js";
import type { UserInfo } from "../../../apimachinery/requests/request-info.js";
import type { PolicyRule, RoleRef, Subject } from "../../../apis/gen/rbac-v1.js";
import { accountUserName } from "../../authentication/service-account-claims.js";
import { type Grant, RoleSlot, SubjectGrants } from "./role-grants.js";

/** The relevant parts of a binding. */
export interface BindingView {
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

/** Far more than clusters have; evaluating this many takes about ten milliseconds. */
const rulesAtOnceMax = 20_000;

interface Scope {
  readonly users: Map<string, SubjectGrants>;
  readonly groups: Map<string, SubjectGrants>;
}

/**
 * All roles and bindings, indexed by subject: the grants of a user are a few lookups, however many bindings others have. Updated with every
 * change of a role or binding.
 */
export class GrantIndex {
  /** Cluster role bindings under "", role bindings under their namespace. */
  readonly #scopes = new Map<string, Scope>();
  readonly #roles = new Map<string, RoleSlot>();
  /** Of all roles. */
  #ruleCount = 0;
  readonly #bindings = new Map<string, { readonly view: BindingView; readonly role: RoleSlot }>();

  /** `namespace` is empty for a cluster role. Undefined rules: the role is gone. */
  setRole(namespace: string, name: string, rules: readonly PolicyRule[] | undefined): void {
    const role = this.#slot(namespace === "" ? "ClusterRole" : "Role", namespace, name);
    this.#ruleCount += (rules?.length ?? 0) - (role.rules?.length ?? 0);
    role.rules = rules;
    this.#release(role);
  }

  /** `namespace` is empty for a cluster role binding. Undefined: the binding is gone. */
  setBinding(namespace: string, name: string, view: BindingView | undefined): void {
    const key = `${namespace}/${name}`;
    const before = this.#bindings.get(key);
    if (before !== undefined) {
      this.#bindings.delete(key);
      for (const subject of before.view.subjects) this.#removeSubject(namespace, key, subject, before.role);
      before.role.references -= 1;
      this.#release(before.role);
    }
    if (view === undefined) return;
    const role = this.roleOf(view.roleRef, namespace);
    role.references += 1;
    this.#bindings.set(key, { view, role });
    for (const subject of view.subjects) {
      const grant = { bindingNamespace: namespace, bindingName: name, subject, role };
      this.#addSubject(namespace, key, grant);
    }
  }

  /** The role that a binding in `namespace` refers to, whether or not it exists. */
  roleOf({ kind, name }: RoleRef, namespace: string): RoleSlot {
    return kind === "Role" ? this.#slot("Role", namespace, name) : this.#slot("ClusterRole", "", name);
  }

  /** Undefined when the role does not exist. */
  rulesOf(ref: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    const [kind, of] = ref.kind === "Role" ? (["Role", namespace] as const) : (["ClusterRole", ""] as const);
    return this.#roles.get(roleKey(kind, of, ref.name))?.rules;
  }

  /** Whether there are so many rules that a decision may take long: then use `findSteps`. */
  get isLarge(): boolean {
    return this.#ruleCount > rulesAtOnceMax;
  }

  /** As `find`, in steps. */
  *findSteps(user: UserInfo, { namespace, ...rest }: AccessInfo): Generator<void, Grant | undefined, void> {
    for (const grants of this.grantsOf(user, namespace)) {
      const grant = yield* grants.findSteps({ namespace, ...rest });
      if (grant !== undefined) return grant;
    }
    return undefined;
  }

  /** A grant that allows the action, preferably a cluster-wide one. Called for every request, so it allocates nothing. */
  find(user: UserInfo, info: AccessInfo): Grant | undefined {
    const { namespace } = info;
    const grant = findIn(this.#scopes.get(""), user, info);
    return grant !== undefined || namespace === "" ? grant : findIn(this.#scopes.get(namespace), user, info);
  }

  /** Grants of a user and its groups: cluster-wide ones, then those of `namespace` unless that is empty. */
  *grantsOf(user: UserInfo, namespace: string): Generator<SubjectGrants, void> {
    for (const scopeName of namespace === "" ? [""] : ["", namespace]) {
      const scope = this.#scopes.get(scopeName);
      if (scope === undefined) continue;
      const own = scope.users.get(user.name);
      if (own !== undefined) yield own;
      for (const group of user.groups) {
        const grants = scope.groups.get(group);
        if (grants !== undefined) yield grants;
      }
    }
  }

  #slot(kind: RoleSlot["kind"], namespace: string, name: string): RoleSlot {
    const key = roleKey(kind, namespace, name);
    const role = this.#roles.get(key) ?? new RoleSlot(kind, namespace, name);
    this.#roles.set(key, role);
    return role;
  }

  #release(role: RoleSlot): void {
    if (role.rules === undefined && role.references === 0) {
      this.#roles.delete(roleKey(role.kind, role.namespace, role.name));
    }
  }

  #addSubject(namespace: string, bindingKey: string, grant: Grant): void {
    const scope = this.#scopes.get(namespace) ?? { users: new Map(), groups: new Map() };
    this.#scopes.set(namespace, scope);
    const { of, name } = holder(scope, grant.subject, namespace);
    const grants = of.get(name) ?? new SubjectGrants();
    of.set(name, grants);
    grants.add(bindingKey, grant);
  }

  #removeSubject(namespace: string, bindingKey: string, subject: Subject, role: RoleSlot): void {
    const scope = this.#scopes.get(namespace);
    if (scope === undefined) return;
    const { of, name } = holder(scope, subject, namespace);
    const grants = of.get(name);
    grants?.remove(bindingKey, role);
    if (grants?.isEmpty === true) of.delete(name);
    if (scope.users.size === 0 && scope.groups.size === 0) this.#scopes.delete(namespace);
  }
}

function findIn(scope: Scope | undefined, user: UserInfo, info: AccessInfo): Grant | undefined {
  if (scope === undefined) return undefined;
  let grant = scope.users.get(user.name)?.find(info);
  for (let i = 0; grant === undefined && i < user.groups.length; i++) {
    grant = scope.groups.get(user.groups[i] ?? "")?.find(info);
  }
  return grant;
}

/** A service account is identified by its user name; its namespace defaults to the binding's. */
function holder(scope: Scope, subject: Subject, bindingNamespace: string) {
  if (subject.kind === "Group") return { of: scope.groups, name: subject.name };
  if (subject.kind === "User") return { of: scope.users, name: subject.name };
  const namespace = subject.namespace || bindingNamespace;
  return { of: scope.users, name: accountUserName(namespace, subject.name) };
}

function roleKey(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}
