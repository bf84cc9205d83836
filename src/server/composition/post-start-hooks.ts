import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
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
  /** Whether extension servers and webhooks receive a client certificate from this server. */
  readonly showsCertificate: boolean;
  /** Logs stored objects that are not served. */
  readonly inspectStore: () => Promise<void>;
}

/** What a server does as soon as it listens: it creates what every cluster has, and starts its controllers. */
export class PostStartHooks {
  readonly #parts: PostStartHooksParts;
  readonly #hooks: readonly PostStartHook[];

  /** Declares the hooks to `parts.lifecycle`, so that their health checks exist before they run. */
  constructor(parts: PostStartHooksParts) {
    this.#parts = parts;
    this.#hooks = hooksInOrder(parts);
    for (const { name } of this.#hooks) parts.lifecycle.declareHook(name);
  }

  /** `isBootstrapped`: the store has the bootstrap objects, or should not get them. The last hook finishes after `announced`. */
  async run(isBootstrapped: boolean, announced?: Promise<void>): Promise<void> {
    const { controllers, flowControl, inspectStore, fillCaches } = this.#parts;
    this.#done("informers");
    void fillCaches?.().then(() => this.#done("caches"));
    // Not awaited, because nobody depends on its result.
    void inspectStore();
    if (!isBootstrapped) await this.#bootstrap();
    for (const stage of bootstrapStages) this.#done(stage);
    await flowControl?.configured;
    this.#done("flowControl");
    // Controllers that read all their objects start last: with 10,000 objects, starting them earlier would delay the first answers by 40
    // ms.
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

type HookEntry = readonly [after: HookStage, name: string | false];

/** In the order of kube-apiserver at the level, and under its names; false: not a hook of this server. */
export function hooksInOrder({
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
  const { vendor, commandName, healthChecks } = naming;
  const since = (level: ApiLevel) => isAtLeast(gates.level, level);
  const has = (gate: FeatureGateName) => gates.isEnabled(gate);
  const identityLease = `start-${commandName}-identity-lease`;
  const isFair = flowControl !== undefined;
  const before: readonly HookEntry[] = [
    [
      "informers",
      since("1.30") ? "start-apiserver-admission-initializer" : healthChecks.admissionInitializer,
    ],
    ["informers", "generic-apiserver-start-informers"],
    ["informers", reloadsEncryption && "start-encryption-provider-config-automatic-reload"],
    ["informers", !isFair && "max-in-flight-filter"],
    ["flowControl", isFair && "priority-and-fairness-config-consumer"],
    ["informers", isFair && "priority-and-fairness-filter"],
    ["informers", since("1.25") && "storage-object-count-tracker-hook"],
    ["informers", "start-apiextensions-informers"],
    ["controllers", "start-apiextensions-controllers"],
    ["controllers", "crd-informer-synced"],
  ];
  const objects: readonly HookEntry[] = [
    ["controllers", since("1.28") && "start-service-ip-repair-controllers"],
    ["controllers", !since("1.28") && "bootstrap-controller"],
    ["roles", "rbac/bootstrap-roles"],
    ["priorityClasses", "scheduling/bootstrap-system-priority-classes"],
    ["flowControlObjects", "priority-and-fairness-config-producer"],
  ];
  const namespaces: readonly HookEntry[] = [
    ["controllers", since("1.27") && "start-system-namespaces-controller"],
    [
      "controllers",
      has("CoordinatedLeaderElection") && `start-${commandName}-coordinated-leader-election-controller`,
    ],
  ];
  const services: readonly HookEntry[] = [
    ["controllers", since("1.28") && "bootstrap-controller"],
    // The default ServiceCIDR is created before the server listens.
    [
      "informers",
      since("1.29") && has("MultiCIDRServiceAllocator") && `start-${vendor}-service-cidr-controller`,
    ],
  ];
  const servers: readonly HookEntry[] = [
    ["controllers", "start-cluster-authentication-info-controller"],
    ["controllers", has("APIServerIdentity") && `${identityLease}-controller`],
    [
      "controllers",
      // Deletes leases of servers before 1.27. This server deletes all old leases alike, so the hook has no work of its own.
      has("APIServerIdentity") &&
        since("1.27") &&
        !since("1.29") &&
        `start-deprecated-${commandName}-identity-lease-garbage-collector`,
    ],
    ["controllers", has("APIServerIdentity") && `${identityLease}-garbage-collector`],
    ["caches", fillCaches !== undefined && "storage-readiness"],
    // Kubernetes lists it also with its gate off.
    ["controllers", since("1.26") && "start-legacy-token-tracking-controller"],
  ];
  const aggregator: readonly HookEntry[] = [
    ["controllers", showsCertificate && "aggregator-reload-proxy-client-cert"],
    ["informers", healthChecks.aggregatorInformers],
    ["controllers", since("1.31") && "apiservice-status-local-available-controller"],
    ["controllers", since("1.31") && "apiservice-status-remote-available-controller"],
    ["controllers", "apiservice-registration-controller"],
    ["controllers", !since("1.31") && "apiservice-status-available-controller"],
    ["controllers", has("AggregatedDiscoveryEndpoint") && since("1.30") && "apiservice-discovery-controller"],
    ["controllers", usesStorageVersions(gates) && "built-in-resources-storage-version-updater"],
    ["controllers", healthChecks.autoregistration],
    ["controllers", "apiservice-openapi-controller"],
    ["controllers", since("1.24") && has("OpenAPIV3") && "apiservice-openapiv3-controller"],
    [
      "controllers",
      has("AggregatedDiscoveryEndpoint") && !since("1.30") && "apiservice-discovery-controller",
    ],
  ];
  const own = since("1.31")
    ? [...namespaces, ...servers, ...objects, ...services]
    : [...objects, ...namespaces, ...services, ...servers];
  return [...before, ...own, ...aggregator].flatMap(([after, name]) =>
    name === false ? [] : [{ name, after }],
  );
}
