import type { Controller, ControllerContext } from "../controllers/controller.js";
import type { Naming } from "../naming/naming.js";
import { bootstrapNamespaces, bootstrapPriorityClasses } from "./bootstrap.js";
import { bootstrapFlowControl } from "./bootstrap-flow-control.js";
import { bootstrapRbac } from "./bootstrap-rbac/reconcile.js";
import type { Lifecycle } from "./lifecycle.js";
import type { FeatureGates } from "./options/feature-gates.js";
import { usesStorageVersions } from "./storage-versions.js";

/** What must finish before a hook is done. Informers are in sync before the server listens. */
type HookStage = "informers" | "roles" | "priorityClasses" | "controllers";

interface PostStartHook {
  readonly name: string;
  readonly after: HookStage;
}

export interface PostStartHooksParts {
  readonly naming: Naming;
  readonly gates: FeatureGates;
  readonly lifecycle: Lifecycle;
  readonly context: ControllerContext;
  readonly controllers: readonly Controller[];
}

/** What a server does as soon as it listens: it creates what every cluster has, and starts its controllers. */
export class PostStartHooks {
  readonly #parts: PostStartHooksParts;
  readonly #hooks: readonly PostStartHook[];

  /** Declares the hooks to `parts.lifecycle`, so that their health checks exist before they run. */
  constructor(parts: PostStartHooksParts) {
    this.#parts = parts;
    this.#hooks = hooksOf(parts.naming, parts.gates);
    for (const { name } of this.#hooks) parts.lifecycle.declareHook(name);
  }

  async run(): Promise<void> {
    const { naming, gates, context, controllers } = this.#parts;
    this.#done("informers");
    await bootstrapNamespaces(context, naming);
    await Promise.all([
      bootstrapPriorityClasses(context).then(() => this.#done("priorityClasses")),
      bootstrapFlowControl(context, naming),
      bootstrapRbac(context, naming, gates).then(() => this.#done("roles")),
    ]);
    await Promise.all(controllers.map((controller) => controller.start()));
    this.#done("controllers");
  }

  #done(stage: HookStage): void {
    for (const { name, after } of this.#hooks) if (after === stage) this.#parts.lifecycle.hookDone(name);
  }
}

/** Under the names of kube-apiserver 1.23. */
function hooksOf(naming: Naming, gates: FeatureGates): readonly PostStartHook[] {
  const identity = `start-${naming.commandName}-identity-lease`;
  const of = (after: HookStage, ...names: readonly string[]): PostStartHook[] =>
    names.map((name) => ({ name, after }));
  return [
    ...of("informers", "generic-apiserver-start-informers", "start-apiextensions-informers"),
    ...of("controllers", "start-apiextensions-controllers", "crd-informer-synced", "bootstrap-controller"),
    ...of("roles", "rbac/bootstrap-roles"),
    ...of("priorityClasses", "scheduling/bootstrap-system-priority-classes"),
    ...of("controllers", "start-cluster-authentication-info-controller"),
    ...of("informers", naming.healthChecks.admissionInitializer, naming.healthChecks.aggregatorInformers),
    ...of(
      "controllers",
      "apiservice-registration-controller",
      "apiservice-status-available-controller",
      naming.healthChecks.autoregistration,
      "apiservice-openapi-controller",
    ),
    ...(gates.enabled("APIServerIdentity")
      ? of("controllers", `${identity}-controller`, `${identity}-garbage-collector`)
      : []),
    ...(usesStorageVersions(gates) ? of("controllers", "built-in-resources-storage-version-updater") : []),
  ];
}
