import { append } from "../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { removeFromSet } from "../../apimachinery/collections/groups.js";
import type { ApiObject, OwnerReference } from "../../apimachinery/objects/meta.js";
import { foregroundFinalizer, orphanFinalizer } from "../../registry/generic/delete-options.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { StoredObject, WatchEventType } from "../../storage/object-store.js";
import { beforeManagedFields, storedMetadata } from "./stored-metadata.js";

/** An object that is an owner, is owned, or waits for its dependents. */
export interface GraphNode {
  readonly registry: ResourceRegistry;
  /** Key below the resource's prefix. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  /** Uids of the owners that must not be deleted before this object. */
  readonly blocks: ReadonlySet<string>;
  readonly finalizers: readonly string[];
  readonly isTerminating: boolean;
  /** Being deleted after its dependents (`foregroundDeletion`). */
  readonly awaitsDependents: boolean;
  /** Being deleted after its dependents were orphaned (`orphan`). */
  readonly orphansDependents: boolean;
  /** Whether the owners were looked up since they were set. One that is missing later has existed, and was deleted. */
  wasJudged: boolean;
}

const ownerReferencesText = '"ownerReferences"';
const finalizersText = '"finalizers"';
const none: readonly GraphNode[] = [];

/**
 * Records the owners of objects, from the events of every resource. Objects without owners and finalizers, which are most, take no memory
 * and no decoding: their bytes suffice. An owner is known by its uid only, whether or not it exists.
 */
export class DependencyGraph {
  readonly #byKey = new Map<ResourceRegistry, Map<string, GraphNode>>();
  readonly #byUid = new Map<string, GraphNode>();
  readonly #dependents = new Map<string, Set<GraphNode>>();
  /** How many dependents block each owner. */
  readonly #blockers = new Map<string, number>();

  /** Returns the affected nodes: the object itself, and its dependents when it is deleted or waits for them. */
  observe(
    registry: ResourceRegistry,
    type: WatchEventType,
    stored: StoredObject<ApiObject>,
  ): readonly GraphNode[] {
    const nodes = this.#nodesOf(registry);
    const before = nodes.get(stored.key);
    if (type === "DELETED") {
      if (before !== undefined) this.#remove(nodes, before);
      const owners = before === undefined ? none : this.#concernedOwners(before);
      // Nothing has owners now, so the object itself need not be read.
      if (this.#dependents.size === 0) return owners;
      const uid = before?.uid ?? storedMetadata(stored).uid ?? "";
      const orphaned = [...(this.#dependents.get(uid) ?? none)];
      return [...orphaned, ...owners];
    }
    if (!mayMatter(stored)) {
      if (before !== undefined) this.#remove(nodes, before);
      return before === undefined ? none : this.#concernedOwners(before);
    }
    const node = nodeOf(registry, stored);
    if (before !== undefined) {
      node.wasJudged = before.wasJudged && isDeepEqual(before.owners, node.owners);
      this.#remove(nodes, before);
    }
    this.#add(nodes, node);
    const affected = [node];
    if (node.awaitsDependents) append(affected, this.dependentsOf(node.uid));
    if (before !== undefined) append(affected, this.#concernedOwners(before));
    return affected;
  }

  /** Removes all nodes of a resource that is no longer served. */
  forget(registry: ResourceRegistry): void {
    const nodes = this.#byKey.get(registry);
    for (const node of nodes?.values() ?? []) this.#unlink(node);
    this.#byKey.delete(registry);
  }

  dependentsOf(uid: string): readonly GraphNode[] {
    return [...(this.#dependents.get(uid) ?? none)];
  }

  /** The newest node of an object; undefined when it is gone or irrelevant. */
  current(uid: string): GraphNode | undefined {
    return this.#byUid.get(uid);
  }

  /** Whether a dependent must be deleted before this owner. */
  isBlocked(uid: string): boolean {
    return this.#blockers.has(uid);
  }

  /** Owners in the graph that may have waited for this object. Of tens of thousands of dependents, only the last one matters. */
  #concernedOwners(node: GraphNode): readonly GraphNode[] {
    return node.owners.flatMap(({ uid }) => {
      const owner = this.#byUid.get(uid);
      return owner === undefined || (owner.awaitsDependents && this.isBlocked(uid)) ? none : owner;
    });
  }

  #nodesOf(registry: ResourceRegistry): Map<string, GraphNode> {
    let nodes = this.#byKey.get(registry);
    if (nodes === undefined) {
      nodes = new Map();
      this.#byKey.set(registry, nodes);
    }
    return nodes;
  }

  #add(nodes: Map<string, GraphNode>, node: GraphNode): void {
    nodes.set(node.key, node);
    this.#byUid.set(node.uid, node);
    for (const { uid } of node.owners) {
      let dependents = this.#dependents.get(uid);
      if (dependents === undefined) {
        dependents = new Set();
        this.#dependents.set(uid, dependents);
      }
      dependents.add(node);
    }
    for (const uid of node.blocks) this.#blockers.set(uid, (this.#blockers.get(uid) ?? 0) + 1);
  }

  #remove(nodes: Map<string, GraphNode>, node: GraphNode): void {
    nodes.delete(node.key);
    this.#unlink(node);
  }

  #unlink(node: GraphNode): void {
    if (this.#byUid.get(node.uid) === node) this.#byUid.delete(node.uid);
    for (const { uid } of node.owners) {
      removeFromSet(this.#dependents, uid, node);
    }
    for (const uid of node.blocks) {
      const left = (this.#blockers.get(uid) ?? 0) - 1;
      if (left > 0) this.#blockers.set(uid, left);
      else this.#blockers.delete(uid);
    }
  }
}

function mayMatter(stored: StoredObject<ApiObject>): boolean {
  const searched = beforeManagedFields(stored);
  return [ownerReferencesText, finalizersText].some((text) => searched.includes(text, 0, "latin1"));
}

function nodeOf(registry: ResourceRegistry, stored: StoredObject<ApiObject>): GraphNode {
  const metadata = storedMetadata(stored);
  const isTerminating = metadata.deletionTimestamp !== undefined;
  const finalizers = metadata.finalizers ?? [];
  const owners = metadata.ownerReferences ?? [];
  return {
    registry,
    key: stored.key,
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    owners,
    blocks: new Set(owners.filter((owner) => owner.blockOwnerDeletion === true).map(({ uid }) => uid)),
    finalizers,
    isTerminating,
    awaitsDependents: isTerminating && finalizers.includes(foregroundFinalizer),
    orphansDependents: isTerminating && finalizers.includes(orphanFinalizer),
    wasJudged: false,
  };
}
