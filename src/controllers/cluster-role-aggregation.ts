import { isDeepEqual } from "../apimachinery/collections/deep-equal.js";
import { type LabelSelector, labelSelectorFromObject } from "../apimachinery/selectors/label-selector.js";
import type { ClusterRole, PolicyRule } from "../apis/gen/rbac-v1.js";
import { type Following, follow } from "../informers/follow.js";
import type { StoredObject } from "../storage/object-store.js";
import { type Controller, type ControllerContext, controllerUser, controllerWrite } from "./controller.js";
import { controllerQueue } from "./controller-queue.js";
import { ignoreNotFound } from "./ignore-errors.js";
import type { WorkQueue } from "./work-queue.js";

interface RoleView {
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: readonly PolicyRule[];
  /** Selectors of the roles to combine; empty for a role with its own rules. */
  readonly selectors: readonly LabelSelector[];
}

/**
 * Gives each aggregated cluster role the rules of the roles that its selectors match. Source: Kubernetes documentation, "Using RBAC
 * Authorization", "Aggregated ClusterRoles".
 */
export class ClusterRoleAggregation implements Controller {
  readonly #context: ControllerContext;
  readonly #roles = new Map<string, RoleView>();
  /** Names of the roles with selectors. */
  readonly #aggregated = new Set<string>();
  readonly #queue: WorkQueue<string>;
  #following: Following | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = controllerQueue(context, {
      name: "ClusterRoleAggregator",
      work: (name) => this.#gather(name),
      workers: 2,
      file: "controllers/cluster-role-aggregation",
      failure: "an aggregated cluster role could not be written",
      about: (name) => ({ name }),
    });
  }

  async start(): Promise<void> {
    this.#following = await follow(this.#registry(), {
      change: (type, stored) => this.#change(stored.key, type === "DELETED" ? undefined : viewOf(stored)),
    });
  }

  async stop(): Promise<void> {
    this.#following?.stop();
    await this.#queue.close();
  }

  #change(name: string, view: RoleView | undefined): void {
    const before = this.#roles.get(name);
    if (view === undefined) this.#roles.delete(name);
    else this.#roles.set(name, view);
    if (view !== undefined && view.selectors.length > 0) {
      this.#aggregated.add(name);
      this.#queue.add(name);
    } else {
      this.#aggregated.delete(name);
    }
    for (const other of this.#aggregated) {
      const selectors = this.#roles.get(other)?.selectors ?? [];
      const concerns = [before, view].some(
        (role) => role !== undefined && matchesAny(selectors, role.labels),
      );
      if (other !== name && concerns) this.#queue.add(other);
    }
  }

  async #gather(name: string): Promise<void> {
    const role = this.#roles.get(name);
    if (role === undefined || role.selectors.length === 0) return;
    const rules = this.#rulesFor(name, role.selectors);
    if (isDeepEqual(rules, role.rules)) return;
    const write = controllerWrite(
      this.#context,
      controllerUser("system:serviceaccount:clusterrole-aggregation-controller"),
      "",
    );
    const setRules = (object: ClusterRole): void => {
      object.rules = rules;
    };
    await ignoreNotFound(this.#registry().change(write, name, setRules));
  }

  /** In the order of the selectors, then of the roles' names; each rule once. */
  #rulesFor(name: string, selectors: readonly LabelSelector[]): PolicyRule[] {
    // A role belongs to the first selector that matches it: later ones could only repeat its rules.
    const matching = [...this.#roles]
      .filter(([other]) => other !== name)
      .map(([other, { labels, rules }]) => ({
        other,
        rules,
        selector: selectors.findIndex((selector) => selector.matches(labels)),
      }))
      .filter(({ selector }) => selector >= 0)
      .sort((a, b) => a.selector - b.selector || (a.other < b.other ? -1 : 1));
    const seen = new Map<string, PolicyRule>();
    for (const { rules } of matching) {
      for (const rule of rules) {
        const key = JSON.stringify(rule);
        if (!seen.has(key)) seen.set(key, rule);
      }
    }
    return structuredClone([...seen.values()]);
  }

  #registry() {
    return this.#context.builtin("clusterroles.rbac.authorization");
  }
}

function viewOf(stored: StoredObject<ClusterRole>): RoleView {
  const { metadata, rules, aggregationRule } = stored.decode();
  return {
    labels: metadata.labels ?? {},
    rules: rules ?? [],
    selectors: (aggregationRule?.clusterRoleSelectors ?? []).map((selector) =>
      labelSelectorFromObject(selector),
    ),
  };
}

function matchesAny(selectors: readonly LabelSelector[], labels: Readonly<Record<string, string>>): boolean {
  return selectors.some((selector) => selector.matches(labels));
}
