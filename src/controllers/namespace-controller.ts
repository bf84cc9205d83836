import { append } from "../apimachinery/collections/append.js";
import { messageOf } from "../apimachinery/errors/message-of.js";
import { isStatus } from "../apimachinery/errors/status.js";
import type { ApiObject } from "../apimachinery/objects/meta.js";
import { timestamp } from "../apimachinery/values/time.js";
import { partStrategy } from "../apis/definition/resource-definition.js";
import type { Namespace } from "../apis/gen/core-v1.js";
import { turnIfRoundIsOver } from "../event-loop/turns.js";
import { type Following, follow } from "../informers/follow.js";
import type { ResourceRegistry } from "../registry/generic/resource-registry.js";
import { type Controller, type ControllerContext, controllerUser, controllerWrite } from "./controller.js";
import { controllerQueue } from "./controller-queue.js";
import { ignoreNotFound } from "./ignore-errors.js";
import { writeStatus } from "./status-write.js";
import type { WorkQueue } from "./work-queue.js";

export interface NamespaceControllerOptions {
  /** The finalizer in `spec` that this controller removes. */
  readonly finalizer: string;
  /** Prefix in the names of control plane components, which a condition contains. */
  readonly prefix: string;
  /** The gate OrderedNamespaceDeletion: while there are pods, everything else stays, such as the policies that apply to them. */
  readonly podsFirst: boolean;
}

/** How many finalizers of one resource a condition counts. */
const finalizersMax = 10_000;
/** How many names a condition lists. */
const namesMax = 100;
/** Minimum wait before content held by finalizers is checked again. */
const remainingRetryMs = 200;
/** The wait is at least this many times the duration of the last check. */
const remainingRetryFactor = 10;
/** Concurrent deletes, which share commits of the store. */
const deletesAtOnce = 16;

/**
 * Empties a terminating namespace: deletes every object of every namespaced resource, and removes the namespace's own finalizer when none
 * is left. Conditions report what remains.
 */
export class NamespaceController implements Controller {
  readonly #context: ControllerContext;
  readonly #options: NamespaceControllerOptions;
  readonly #queue: WorkQueue<string>;
  readonly #user = controllerUser("system:serviceaccount:namespace-controller");
  /** An interrupted deletion continues at the next start. */
  readonly #stopping = new AbortController();
  #following: Following | undefined;

  constructor(context: ControllerContext, options: NamespaceControllerOptions) {
    this.#context = context;
    this.#options = options;
    this.#queue = controllerQueue(context, {
      name: "namespace",
      work: (name) => this.#empty(name),
      workers: 4,
      file: "controllers/namespace-controller",
      failure: "namespace is not empty yet",
      about: (name) => ({ namespace: name }),
    });
  }

  async start(): Promise<void> {
    this.#following = await follow(this.#context.builtin("namespaces"), {
      change: (type, stored) => {
        if (type !== "DELETED" && stored.fields["status.phase"] === "Terminating")
          this.#queue.add(stored.key);
      },
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#following?.stop();
    await this.#queue.close();
  }

  async #empty(name: string): Promise<void> {
    const namespace = await this.#find(name);
    if (namespace?.metadata.deletionTimestamp === undefined) return;
    if (!(namespace.spec?.finalizers ?? []).includes(this.#options.finalizer)) return;

    const startedAt = performance.now();
    const namespaced = [...this.#context.registries()].filter(({ definition }) => definition.namespaced);
    const [pods, others] = this.#options.podsFirst ? partitionPods(namespaced) : [[], namespaced];
    let { left, failures } = await this.#deleteAllOf(pods, name);
    if (left.length === 0 && failures.length === 0) {
      ({ left, failures } = await this.#deleteAllOf(others, name));
    }
    // Also if nothing is left: other finalizers may hold the namespace, and earlier conditions would be outdated.
    await this.#setConditions(namespace, left, failures);
    if (failures.length > 0) throw failures[0];
    if (left.length > 0) {
      const tookMs = performance.now() - startedAt;
      this.#queue.addAfter(name, Math.max(remainingRetryMs, tookMs * remainingRetryFactor));
      return;
    }
    await this.#release(name);
  }

  async #find(name: string): Promise<Namespace | undefined> {
    return (await this.#context.builtin("namespaces").find("", name, { kind: "mostRecent" }))?.decode();
  }

  async #deleteAllOf(
    registries: readonly ResourceRegistry[],
    namespace: string,
  ): Promise<{ readonly left: readonly Remaining[]; readonly failures: readonly unknown[] }> {
    const left: Remaining[] = [];
    const failures: unknown[] = [];
    for (const registry of registries) {
      try {
        append(left, await this.#deleteAll(registry, namespace));
      } catch (error) {
        if (this.#stopping.signal.aborted) throw error;
        failures.push(error);
      }
    }
    return { left, failures };
  }

  /** Deletes all objects of a resource in the namespace. Returns those that remain, with some of their finalizers. */
  async #deleteAll(registry: ResourceRegistry, namespace: string): Promise<Remaining[]> {
    const { resource, group } = registry.definition;
    // A list would start caching a resource that may have no objects at all.
    if (registry.knownCount === undefined && (await registry.count()) === 0) return [];
    const prefix = `${namespace}/`;
    const listed = await registry.list({ prefix, at: { kind: "mostRecent" }, limit: 0 });
    const left: Remaining[] = [];
    let finalizersLeft = finalizersMax;
    const remove = async ({ key }: { readonly key: string }): Promise<void> => {
      const write = controllerWrite(this.#context, this.#user, namespace);
      const options = { propagationPolicy: "Background" } as const;
      try {
        const deleted = await registry.delete(write, key.slice(prefix.length), options);
        if (!deleted.removed) {
          const finalizers = finalizersOf(deleted.stored.decode()).slice(0, finalizersLeft);
          finalizersLeft -= finalizers.length;
          left.push({ group, resource, finalizers });
        }
      } catch (error) {
        if (!isStatus(error, "NotFound")) throw error;
      }
    };
    // Deleting an object that finalizers already hold writes nothing and never waits, so this loop yields.
    for (let from = 0; from < listed.items.length; from += deletesAtOnce) {
      await turnIfRoundIsOver();
      this.#stopping.signal.throwIfAborted();
      await Promise.all(listed.items.slice(from, from + deletesAtOnce).map(remove));
    }
    return left;
  }

  async #release(name: string): Promise<void> {
    const registry = this.#context.builtin("namespaces");
    const write = controllerWrite(this.#context, this.#user, "");
    const strategy = partStrategy(registry.definition, "finalize");
    const dropFinalizer = (object: Namespace): void => {
      const finalizers = (object.spec?.finalizers ?? []).filter((f) => f !== this.#options.finalizer);
      object.spec = { ...object.spec, finalizers };
    };
    await ignoreNotFound(registry.change(write, name, dropFinalizer, { strategy }));
  }

  async #setConditions(
    namespace: Namespace,
    left: readonly Remaining[],
    failures: readonly unknown[],
  ): Promise<void> {
    const now = timestamp(this.#context.now());
    const current = namespace.status?.conditions ?? [];
    const conditions = conditionsOf(this.#options.prefix, left, failures).map(
      (wanted) =>
        current.find(
          ({ type, status, message }) =>
            type === wanted.type && status === wanted.status && message === wanted.message,
        ) ?? { ...wanted, lastTransitionTime: now },
    );
    if (conditions.every((condition) => current.includes(condition))) return;
    await writeStatus(this.#context, this.#context.builtin("namespaces"), {
      namespace: "",
      name: namespace.metadata.name ?? "",
      as: this.#user.name,
      change(object) {
        object.status = { ...object.status, conditions };
      },
    });
  }
}

function partitionPods(
  registries: readonly ResourceRegistry[],
): [pods: readonly ResourceRegistry[], others: readonly ResourceRegistry[]] {
  const arePods = ({ definition }: ResourceRegistry): boolean =>
    definition.group === "" && definition.resource === "pods";
  return [registries.filter(arePods), registries.filter((registry) => !arePods(registry))];
}

interface Remaining {
  readonly group: string;
  readonly resource: string;
  readonly finalizers: readonly string[];
}

/** All conditions, including those that report nothing, in the words of kube-controller-manager. */
function conditionsOf(prefix: string, left: readonly Remaining[], failures: readonly unknown[]) {
  const resources = countText(
    left.map((r) => (r.group === "" ? `${r.resource}.` : `${r.resource}.${r.group}`)),
    (name, count) => `${name} has ${count} resource instances`,
  );
  const finalizers = countText(
    left.flatMap((r) => r.finalizers),
    (name, count) => `${name} in ${count} resource instances`,
  );
  return [
    condition("NamespaceDeletionDiscoveryFailure", undefined, [
      "ResourcesDiscovered",
      "All resources successfully discovered",
    ]),
    condition("NamespaceDeletionGroupVersionParsingFailure", undefined, [
      "ParsedGroupVersions",
      `All legacy ${prefix} types successfully parsed`,
    ]),
    condition(
      "NamespaceDeletionContentFailure",
      failures.length === 0
        ? undefined
        : [
            "ContentDeletionFailed",
            `Failed to delete all resource types, ${failures.length} remaining: ${failures.map(messageOf).join(", ")}`,
          ],
      ["ContentDeleted", "All content successfully deleted, may be waiting on finalization"],
    ),
    condition(
      "NamespaceContentRemaining",
      resources === "" ? undefined : ["SomeResourcesRemain", `Some resources are remaining: ${resources}`],
      ["ContentRemoved", "All content successfully removed"],
    ),
    condition(
      "NamespaceFinalizersRemaining",
      finalizers === ""
        ? undefined
        : ["SomeFinalizersRemain", `Some content in the namespace has finalizers remaining: ${finalizers}`],
      ["ContentHasNoFinalizers", "All content-preserving finalizers finished"],
    ),
  ];
}

type Finding = readonly [reason: string, message: string];

function condition(type: string, problem: Finding | undefined, otherwise: Finding) {
  const [reason, message] = problem ?? otherwise;
  return { type, status: problem === undefined ? "False" : "True", reason, message };
}

function countText(names: readonly string[], text: (name: string, count: number) => string): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const texts = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => text(name, count));
  const more = texts.length > namesMax ? [`and ${texts.length - namesMax} more`] : [];
  return [...texts.slice(0, namesMax), ...more].join(", ");
}

function finalizersOf(object: ApiObject): readonly string[] {
  return object.metadata.finalizers ?? [];
}
