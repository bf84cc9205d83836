import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Controller, ControllerContext } from "../../controllers/controller.js";
import type { Naming } from "../../naming/naming.js";
import { bootstrapNamespaces, bootstrapPriorityClasses } from "../bootstrap/bootstrap.js";
import { bootstrapFlowControl } from "../bootstrap/bootstrap-flow-control.js";
import { bootstrapRbac } from "../bootstrap-rbac/reconcile.js";
import type { Lifecycle } from "../lifecycle/lifecycle.js";
import type { FeatureGates } from "../options/feature-gates.js";
import { usesStorageVersions } from "../settings/uses-storage-versions.js";
import type { FlowControlSetup } from "./flow-control.js";

/** What must finish before a hook is done. Informers are in sync before the server listens. */
type HookStage =
  | "informers"
  | "roles"
  | "priorityClasses"
  | "flowControlObjects"
  | "flowControl"
  | "caches"
  | "controllers";

const bootstrapStages = ["priorityClasses", "flowControlObjects", "roles"] as const;

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
  /** Undefined when fixed limits apply. */
  readonly flowControl: Pick<FlowControlSetup, "configured"> | undefined;
  /** Whether the file of `--encryption-provider-config` is followed. */
  readonly reloadsEncryption: boolean;
  /** Fills the watch caches; undefined where that is not waited for. */
  readonly fillCaches: (() => Promise<void>) | undefined;
  /** Whether extension servers and webhooks are shown a certificate of this server. */
  readonly showsCertificate: boolean;
  /** Tells of stored objects that are not served. */
  readonly inspectStore: () => Promise<void>;
}

/** What a server does as soon as it listens: it creates what every cluster has, and starts its controllers. */
export class PostStartHooks {
  readonly #parts: PostStartHooksParts;
  readonly #hooks: readonly PostStartHook[];

  /** Declares the hooks to `parts.lifecycle`, so that their health checks exist before they run. */
  constructor(parts: PostStartHooksParts) {
    this.#parts = parts;
    this.#hooks = hooksOf(parts);
    for (const { name } of this.#hooks) parts.lifecycle.declareHook(name);
  }

  /** `isBootstrapped`: the store has what every cluster has, or shall not have it. The last hook is done after `announced`. */
  async run(isBootstrapped: boolean, announced?: Promise<void>): Promise<void> {
    const { controllers, flowControl, inspectStore, fillCaches } = this.#parts;
    this.#done("informers");
    void fillCaches?.().then(() => this.#done("caches"));
    // What it finds changes nothing that others wait for.
    void inspectStore();
    if (!isBootstrapped) await this.#bootstrap();
    for (const stage of bootstrapStages) this.#done(stage);
    await flowControl?.configured;
    this.#done("flowControl");
    // With 10,000 objects, it takes another 40 ms until a server answers when those read them that can wait.
    for (const readAll of [false, true]) {
      const some = controllers.filter(({ readsAll = false }) => readsAll === readAll);
      await Promise.all(some.map((controller) => controller.start()));
    }
    await announced;
    this.#done("controllers");
  }

  async #bootstrap(): Promise<void> {
    const { naming, gates, context } = this.#parts;
    await bootstrapNamespaces(context, naming);
    await Promise.all([
      bootstrapPriorityClasses(context).then(() => this.#done("priorityClasses")),
      bootstrapFlowControl(context, naming, gates.level).then(() => this.#done("flowControlObjects")),
      bootstrapRbac(context, naming, gates).then(() => this.#done("roles")),
    ]);
  }

  #done(stage: HookStage): void {
    for (const { name, after } of this.#hooks) if (after === stage) this.#parts.lifecycle.hookDone(name);
  }
}

/** Under the names of kube-apiserver at the level, in the order of 1.23. */
export function hooksOf({
  naming,
  gates,
  flowControl,
  reloadsEncryption,
  fillCaches,
  showsCertificate,
}: Pick<
  PostStartHooksParts,
  "naming" | "gates" | "flowControl" | "reloadsEncryption" | "fillCaches" | "showsCertificate"
>): readonly PostStartHook[] {
  const identity = `start-${naming.commandName}-identity-lease`;
  const since = (level: ApiLevel) => isAtLeast(gates.level, level);
  const of = (after: HookStage, ...names: readonly (string | false)[]): PostStartHook[] =>
    names.filter((name) => name !== false).map((name) => ({ name, after }));
  return [
    ...of(
      "informers",
      since("1.30") ? "start-apiserver-admission-initializer" : naming.healthChecks.admissionInitializer,
      "generic-apiserver-start-informers",
    ),
    ...(reloadsEncryption ? of("informers", "start-encryption-provider-config-automatic-reload") : []),
    ...(flowControl === undefined
      ? of("informers", "max-in-flight-filter")
      : [
          ...of("flowControl", "priority-and-fairness-config-consumer"),
          ...of("informers", "priority-and-fairness-filter"),
        ]),
    ...of("informers", since("1.24") && "storage-object-count-tracker-hook", "start-apiextensions-informers"),
    ...of(
      "controllers",
      "start-apiextensions-controllers",
      "crd-informer-synced",
      since("1.28") && "start-service-ip-repair-controllers",
      "bootstrap-controller",
    ),
    // The default range is made before the server listens.
    ...(since("1.29") && gates.isEnabled("MultiCIDRServiceAllocator")
      ? of("informers", `start-${naming.vendor}-service-cidr-controller`)
      : []),
    ...of("roles", "rbac/bootstrap-roles"),
    ...of("priorityClasses", "scheduling/bootstrap-system-priority-classes"),
    ...of("flowControlObjects", "priority-and-fairness-config-producer"),
    ...of(
      "controllers",
      since("1.27") && "start-system-namespaces-controller",
      "start-cluster-authentication-info-controller",
      gates.isEnabled("LegacyServiceAccountTokenTracking") && "start-legacy-token-tracking-controller",
      showsCertificate && "aggregator-reload-proxy-client-cert",
    ),
    ...of("informers", naming.healthChecks.aggregatorInformers),
    ...of(
      "controllers",
      "apiservice-registration-controller",
      ...(since("1.31")
        ? ["apiservice-status-local-available-controller", "apiservice-status-remote-available-controller"]
        : ["apiservice-status-available-controller"]),
      gates.isEnabled("AggregatedDiscoveryEndpoint") && "apiservice-discovery-controller",
      naming.healthChecks.autoregistration,
      "apiservice-openapi-controller",
      since("1.24") && gates.isEnabled("OpenAPIV3") && "apiservice-openapiv3-controller",
    ),
    ...(gates.isEnabled("APIServerIdentity")
      ? of("controllers", `${identity}-controller`, `${identity}-garbage-collector`)
      : []),
    ...(gates.isEnabled("CoordinatedLeaderElection")
      ? of("controllers", `start-${naming.commandName}-coordinated-leader-election-controller`)
      : []),
    ...(fillCaches === undefined ? [] : of("caches", "storage-readiness")),
    ...(usesStorageVersions(gates) ? of("controllers", "built-in-resources-storage-version-updater") : []),
  ];
}
