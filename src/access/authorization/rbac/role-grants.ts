import type { AccessInfo } from "../../../apimachinery/requests/authorizer.js";
import type { PolicyRule, Subject } from "../../../apis/gen/rbac-v1.js";
import { RuleIndex } from "./role-rules.js";

/** A role as bindings refer to it, whether or not it exists. */
export class RoleSlot {
  readonly kind: "Role" | "ClusterRole";
  /** Empty for a cluster role. */
  readonly namespace: string;
  readonly name: string;
  #rules: readonly PolicyRule[] | undefined;
  #index: RuleIndex<RoleSlot> | undefined;
  /** Grants whose merged index contains this role's rules. */
  readonly joined = new Set<SubjectGrants>();
  /** How many bindings refer to it. */
  references = 0;

  constructor(kind: RoleSlot["kind"], namespace: string, name: string) {
    this.kind = kind;
    this.namespace = namespace;
    this.name = name;
  }

  /** Undefined when the role does not exist. */
  get rules(): readonly PolicyRule[] | undefined {
    return this.#rules;
  }

  set rules(rules: readonly PolicyRule[] | undefined) {
    this.#rules = rules;
    this.#index = undefined;
    for (const grants of this.joined) grants.forget();
    this.joined.clear();
  }

  /** Built on first use, because most roles are never evaluated. */
  get index(): RuleIndex<RoleSlot> {
    if (this.#index === undefined) {
      this.#index = new RuleIndex();
      this.#index.add(this.#rules ?? [], this);
    }
    return this.#index;
  }
}

/** A binding from the view of one of its subjects. */
export interface Grant {
  readonly bindingNamespace: string;
  readonly bindingName: string;
  readonly subject: Subject;
  readonly role: RoleSlot;
}

/** With more roles than this, their rules are merged into one index, so that a decision need not visit each role. */
const separateRolesMax = 16;

/** This many take less than a millisecond once their role is indexed. */
const rulesPerStep = 5000;

/** The grants of a user or group in one namespace, or by cluster role bindings. */
export class SubjectGrants {
  /** By role, then by the binding's key: it does not matter which of several bindings grants a role. */
  readonly #byRole = new Map<RoleSlot, Map<string, Grant>>();
  #joined: RuleIndex<RoleSlot> | undefined;

  get isEmpty(): boolean {
    return this.#byRole.size === 0;
  }

  roles(): Iterable<RoleSlot> {
    return this.#byRole.keys();
  }

  add(bindingKey: string, grant: Grant): void {
    const grants = this.#byRole.get(grant.role);
    if (grants === undefined) this.#byRole.set(grant.role, new Map([[bindingKey, grant]]));
    else grants.set(bindingKey, grant);
    this.forget();
  }

  remove(bindingKey: string, role: RoleSlot): void {
    const grants = this.#byRole.get(role);
    if (grants === undefined) return;
    grants.delete(bindingKey);
    if (grants.size === 0) this.#byRole.delete(role);
    this.forget();
  }

  /** A grant that allows this. */
  find(info: AccessInfo): Grant | undefined {
    const role = this.#byRole.size > separateRolesMax ? this.#joinedIndex().find(info) : this.#findRole(info);
    if (role === undefined) return undefined;
    return this.#byRole.get(role)?.values().next().value;
  }

  /** Like `find`, in steps and without a merged index, which would hold all rules of all roles a second time. */
  *findSteps(info: AccessInfo): Generator<void, Grant | undefined, void> {
    let looked = 0;
    for (const [role, grants] of this.#byRole) {
      if (role.index.find(info) !== undefined) return grants.values().next().value;
      looked += 1 + (role.rules?.length ?? 0);
      if (looked < rulesPerStep) continue;
      looked = 0;
      yield;
    }
    return undefined;
  }

  /** Drops the merged index. */
  forget(): void {
    if (this.#joined === undefined) return;
    this.#joined = undefined;
    for (const role of this.#byRole.keys()) role.joined.delete(this);
  }

  #findRole(info: AccessInfo): RoleSlot | undefined {
    for (const role of this.#byRole.keys()) {
      const found = role.index.find(info);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #joinedIndex(): RuleIndex<RoleSlot> {
    if (this.#joined === undefined) {
      this.#joined = new RuleIndex();
      for (const role of this.#byRole.keys()) {
        role.joined.add(this);
        this.#joined.add(role.rules ?? [], role);
      }
    }
    return this.#joined;
  }
}
