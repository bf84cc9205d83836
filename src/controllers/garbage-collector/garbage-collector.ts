import { addToSet, removeFromSet } from "../../apimachinery/collections/groups.js";
import { type ApiObject, type OwnerReference, parseApiVersion } from "../../apimachinery/objects/meta.js";
import { nextTurn, turnIfRoundIsOver } from "../../event-loop/turns.js";
import { type Following, follow } from "../../informers/follow.js";
import {
  type DeleteOptions,
  foregroundFinalizer,
  orphanFinalizer,
} from "../../registry/generic/delete-options.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { StoredObject, WatchEventType } from "../../storage/object-store.js";
import { type Controller, type ControllerContext, controllerUser, controllerWrite } from "../controller.js";
import { controllerQueue } from "../controller-queue.js";
import { ignoreNotFoundOrConflict } from "../ignore-errors.js";
import { WarningEvents } from "../warning-events.js";
import type { WorkQueue } from "../work-queue.js";
import { DependencyGraph, type GraphNode } from "./dependency-graph.js";
import { type MissedOwner, ownersElsewhere } from "./owners-elsewhere.js";
import { storedMetadata } from "./stored-metadata.js";

type OwnerState = "solid" | "absent" | "awaitsDependents" | "unknown";

/** An object that has an owner's name. */
interface FoundOwner {
  readonly uid: string | undefined;
  readonly state: "solid" | "awaitsDependents";
}

type Policy = "Foreground" | "Background" | "Orphan";

const workers = 8;
/** Reading more owners than this from the bytes of an object takes a whole turn, so the lookups start in the next. */
const manyOwners = 100;
/** More dependents than this are queued in turns. */
const manyDependents = 1000;

/**
 * Deletes objects whose owners are all gone, and carries out the `foregroundDeletion` and `orphan` finalizers. An owner is looked up
 * in the dependent's own namespace, or cluster-wide; one that was re-created under the same name has another uid and does not count.
 * Source: Kubernetes' garbage collector controller.
 */
export class GarbageCollector implements Controller {
  readonly readsAll = true;
  readonly #context: ControllerContext;
  readonly #graph = new DependencyGraph();
  readonly #warnings: WarningEvents;
  readonly #user = controllerUser("system:serviceaccount:generic-garbage-collector");
  /** Uids: the state of an object is looked up when it is processed. */
  readonly #queue: WorkQueue<string>;
  readonly #followings = new Map<ResourceRegistry, Promise<Following>>();
  readonly #byKind = new Map<string, Set<ResourceRegistry>>();
  #unsubscribe: () => void = () => undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#warnings = new WarningEvents(context, this.#user);
    this.#queue = controllerQueue(context, {
      name: "garbage_collector_attempt_to_delete",
      work: (uid) => this.#process(uid),
      workers,
      file: "controllers/garbage-collector/garbage-collector",
      failure: "garbage collection will be retried",
      about: (uid) => ({ uid }),
    });
  }

  async start(): Promise<void> {
    this.#unsubscribe = this.#context.onRegistries(({ added, removed }) => {
      for (const registry of removed) this.#forget(registry);
      for (const registry of added) this.#follow(registry);
    });
    for (const registry of this.#context.registries()) this.#follow(registry);
    await Promise.all(this.#followings.values());
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    for (const following of this.#followings.values()) (await following).stop();
    await this.#queue.close();
  }

  #follow(registry: ResourceRegistry): void {
    const kind = kindKey(registry.definition);
    addToSet(this.#byKind, kind, registry);
    const change = (type: WatchEventType, stored: StoredObject<ApiObject>): void => {
      void this.#enqueue(this.#graph.observe(registry, type, stored));
    };
    // Of a thousand resources, most may never have an object.
    const following = follow(registry, { change }, { lazy: true });
    this.#followings.set(registry, following);
  }

  #forget(registry: ResourceRegistry): void {
    const kind = kindKey(registry.definition);
    removeFromSet(this.#byKind, kind, registry);
    void this.#followings.get(registry)?.then((following) => following.stop());
    this.#followings.delete(registry);
    this.#graph.forget(registry);
  }

  /** An owner may have a hundred thousand dependents. */
  async #enqueue(nodes: readonly GraphNode[]): Promise<void> {
    if (nodes.length <= manyDependents) for (const { uid } of nodes) this.#queue.add(uid);
    else {
      for (const { uid } of nodes) {
        this.#queue.add(uid);
        await turnIfRoundIsOver();
      }
    }
  }

  async #process(uid: string): Promise<void> {
    const node = this.#graph.current(uid);
    if (node === undefined) return;
    if (node.orphansDependents) return await this.#orphan(node);
    if (node.awaitsDependents) return await this.#awaitDependents(node);
    if (!node.isTerminating && node.owners.length > 0) await this.#judge(node);
  }

  /** Keeps, orphans or deletes a dependent, depending on the state of its owners. */
  async #judge(node: GraphNode): Promise<void> {
    const states = await this.#statesOf(node);
    if (!node.wasJudged) {
      const warnings = await ownersElsewhere(this.#context, node, this.#missed(node, states));
      for (const warning of warnings) this.#warnings.add(warning);
      node.wasJudged = true;
    }
    // An owner that cannot be looked up may exist: never delete when in doubt.
    if (states.includes("unknown")) return;
    const leaving = node.owners.filter((_, index) => states[index] !== "solid");
    if (leaving.length === 0) return;
    if (leaving.length < node.owners.length)
      return await this.#untie(node, new Set(leaving.map((o) => o.uid)));
    const dependents = this.#graph.dependentsOf(node.uid);
    if (!states.includes("awaitsDependents") || dependents.length === 0) {
      return await this.#delete(node, policyOf(node));
    }
    // A dependent that waits for its own dependents may be part of a cycle with this object, so it does not block.
    if (dependents.some(({ awaitsDependents }) => awaitsDependents)) await this.#unblock(node);
    await this.#delete(node, "Foreground");
  }

  /** In the order of the owners. There may be thousands, even one large object under many uids. */
  async #statesOf(node: GraphNode): Promise<readonly OwnerState[]> {
    const found = new Map<string, FoundOwner | "unknown" | "absent">();
    const states: OwnerState[] = [];
    if (node.owners.length > manyOwners) await nextTurn();
    for (const owner of node.owners) {
      await turnIfRoundIsOver();
      const key = JSON.stringify([owner.apiVersion, owner.kind, owner.name]);
      let known = found.get(key);
      if (known === undefined) {
        known = await this.#findOwner(node, owner);
        found.set(key, known);
      }
      if (typeof known === "string") states.push(known);
      else states.push(known.uid === owner.uid ? known.state : "absent");
    }
    return states;
  }

  async #findOwner(node: GraphNode, owner: OwnerReference): Promise<FoundOwner | "unknown" | "absent"> {
    const registry = this.#registryOf(owner);
    if (registry === undefined) return "unknown";
    if (registry.definition.namespaced && node.namespace === "") return "unknown";
    const stored = await registry.find(node.namespace, owner.name, { kind: "mostRecent" });
    if (stored === undefined) return "absent";
    const metadata = storedMetadata(stored);
    const awaits =
      metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(foregroundFinalizer);
    return { uid: metadata.uid, state: awaits === true ? "awaitsDependents" : "solid" };
  }

  #missed(node: GraphNode, states: readonly OwnerState[]): readonly MissedOwner[] {
    return node.owners.flatMap((owner, index) => {
      const registry =
        states[index] === "absent" || states[index] === "unknown" ? this.#registryOf(owner) : undefined;
      return registry === undefined ? [] : { owner, registry };
    });
  }

  #registryOf(owner: OwnerReference): ResourceRegistry | undefined {
    const named = parseApiVersion(owner.apiVersion);
    if (named === undefined) return undefined;
    for (const registry of this.#byKind.get(kindKey({ group: named.group, kind: owner.kind })) ?? []) {
      const { versions } = registry.definition;
      // An unknown version may belong to a kind that is only missing for now.
      if (versions.some(({ version }) => version === named.version)) return registry;
    }
    return undefined;
  }

  /** Deletes the owner when no blocking dependent is left. */
  async #awaitDependents(node: GraphNode): Promise<void> {
    const dependents = this.#graph.dependentsOf(node.uid);
    await this.#enqueue(dependents.filter(({ isTerminating }) => !isTerminating));
    if (!this.#graph.isBlocked(node.uid)) await this.#removeFinalizer(node, foregroundFinalizer);
  }

  async #orphan(node: GraphNode): Promise<void> {
    const dependents = this.#graph.dependentsOf(node.uid);
    for (let from = 0; from < dependents.length; from += workers) {
      const some = dependents.slice(from, from + workers);
      await Promise.all(some.map((dependent) => this.#untie(dependent, new Set([node.uid]))));
    }
    await this.#removeFinalizer(node, orphanFinalizer);
  }

  async #untie(node: GraphNode, ownerUids: ReadonlySet<string>): Promise<void> {
    await this.#change(node, (object) => {
      const left = (object.metadata.ownerReferences ?? []).filter((owner) => !ownerUids.has(owner.uid));
      object.metadata.ownerReferences = left.length === 0 ? undefined : left;
    });
  }

  async #unblock(node: GraphNode): Promise<void> {
    await this.#change(node, (object) => {
      object.metadata.ownerReferences = object.metadata.ownerReferences?.map((owner) =>
        owner.blockOwnerDeletion === true ? { ...owner, blockOwnerDeletion: false } : owner,
      );
    });
  }

  async #removeFinalizer(node: GraphNode, finalizer: string): Promise<void> {
    await this.#change(node, (object) => {
      const left = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
      object.metadata.finalizers = left.length === 0 ? undefined : left;
    });
  }

  async #change(node: GraphNode, change: (object: ApiObject) => void): Promise<void> {
    const { registry, name, uid } = node;
    const write = controllerWrite(this.#context, this.#user, node.namespace);
    await ignoreNotFoundOrConflict(registry.change(write, name, change, { uid }));
  }

  async #delete(node: GraphNode, propagationPolicy: Policy): Promise<void> {
    const options: DeleteOptions = { propagationPolicy, preconditions: { uid: node.uid } };
    const write = controllerWrite(this.#context, this.#user, node.namespace);
    await ignoreNotFoundOrConflict(node.registry.delete(write, node.name, options));
  }
}

function kindKey({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return `${group}/${kind}`;
}

/** The policy that an existing finalizer requests. */
function policyOf({ finalizers }: GraphNode): Policy {
  if (finalizers.includes(orphanFinalizer)) return "Orphan";
  return finalizers.includes(foregroundFinalizer) ? "Foreground" : "Background";
}
