import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { isStatus } from "../../apimachinery/errors/status.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { BuiltinObjects, BuiltinResource } from "../../apis/builtin-objects.js";
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding, Subject } from "../../apis/gen/rbac-v1.js";
import { serverWrite, type WritingContext } from "../../controllers/controller.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { Naming } from "../../naming/naming.js";
import { missingRules } from "../../registry/rbac/rule-cover.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { clusterRoleBindings, namespacedRoles, roleBindings } from "./bindings.js";
import { autoUpdateAnnotation, clusterRoles } from "./cluster-roles.js";

/**
 * Creates the roles and bindings that every cluster has, in every authorization mode. Each start restores missing rules, subjects and
 * labels, unless an annotation disables that; additions by users stay. Source: Kubernetes documentation, "Using RBAC Authorization",
 * "Auto-reconciliation".
 */
export async function bootstrapRbac(
  context: WritingContext,
  naming: Naming,
  gates: FeatureGates,
): Promise<void> {
  const reconciler = new Reconciler(context, naming);
  await Promise.all([
    ...clusterRoles(naming, gates).map((role) =>
      reconciler.reconcile("clusterroles.rbac.authorization", role, completeRole),
    ),
    ...namespacedRoles(naming, gates.level).map((role) =>
      reconciler.reconcile("roles.rbac.authorization", role, completeRole),
    ),
  ]);
  await Promise.all([
    ...clusterRoleBindings(naming, gates).map((binding) =>
      reconciler.reconcile("clusterrolebindings.rbac.authorization", binding, completeBinding),
    ),
    ...roleBindings(naming, gates.level).map((binding) =>
      reconciler.reconcile("rolebindings.rbac.authorization", binding, completeBinding),
    ),
  ]);
}

/** Adds what is missing, in place. False when the object must be recreated. */
type Complete<T> = (object: T, wanted: T) => boolean;

class Reconciler {
  readonly #context: WritingContext;
  readonly #autoUpdate: string;

  constructor(context: WritingContext, naming: Naming) {
    this.#context = context;
    this.#autoUpdate = autoUpdateAnnotation(naming);
  }

  async reconcile<R extends BuiltinResource>(
    resource: R,
    wanted: BuiltinObjects[R],
    complete: Complete<BuiltinObjects[R]>,
  ): Promise<void> {
    await turnIfRoundIsOver();
    const registry = this.#context.builtin(resource);
    const { namespace = "", name = "" } = wanted.metadata;
    const write = () => serverWrite(this.#context, namespace);
    try {
      const existing = (await registry.get(namespace, name, { kind: "mostRecent" })).decode();
      if (existing.metadata.annotations?.[this.#autoUpdate] === "false") return;
      const before = structuredClone(existing);
      if (complete(existing, wanted)) {
        if (isDeepEqual(before, existing)) return;
        await registry.change(write(), name, (object) => complete(object, wanted));
        return;
      }
      await registry.delete(write(), name, {});
    } catch (error) {
      if (!isStatus(error, "NotFound")) throw error;
    }
    try {
      await registry.create(write(), structuredClone(wanted));
    } catch (error) {
      // Another server was faster.
      if (!isStatus(error, "AlreadyExists")) throw error;
    }
  }
}

function completeRole(role: Role | ClusterRole, wanted: Role | ClusterRole): boolean {
  completeMetadata(role, wanted);
  const missing = missingRules(role.rules ?? [], wanted.rules ?? []);
  if (missing.length > 0) role.rules = [...(role.rules ?? []), ...missing];
  completeAggregation(role, wanted);
  return true;
}

/** Only for roles that are meant to be aggregated: another role would lose its own rules. */
function completeAggregation(role: ClusterRole, { aggregationRule: wanted }: ClusterRole): void {
  if (wanted === undefined) {
    delete role.aggregationRule;
    return;
  }
  const selectors = role.aggregationRule?.clusterRoleSelectors ?? [];
  const lacking = (wanted.clusterRoleSelectors ?? []).filter(
    (one) => !selectors.some((other) => isDeepEqual(one, other)),
  );
  if (lacking.length > 0) role.aggregationRule = { clusterRoleSelectors: [...selectors, ...lacking] };
}

/** A binding's role is immutable, so the binding is recreated. */
function completeBinding(
  binding: RoleBinding | ClusterRoleBinding,
  wanted: RoleBinding | ClusterRoleBinding,
): boolean {
  if (!isDeepEqual(binding.roleRef, wanted.roleRef)) return false;
  completeMetadata(binding, wanted);
  const subjects = binding.subjects ?? [];
  const lacking = (wanted.subjects ?? []).filter(
    (one: Subject) => !subjects.some((other) => isDeepEqual(one, other)),
  );
  if (lacking.length > 0) binding.subjects = [...subjects, ...lacking];
  return true;
}

/** Values set by users stay. */
function completeMetadata({ metadata }: ApiObject, wanted: ApiObject): void {
  metadata.labels = { ...wanted.metadata.labels, ...metadata.labels };
  metadata.annotations = { ...wanted.metadata.annotations, ...metadata.annotations };
}
