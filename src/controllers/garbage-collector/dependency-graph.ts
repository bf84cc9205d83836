import type { ApiObject, OwnerReference } from "../../apimachinery/meta.js";
import { foregroundFinalizer, orphanFinalizer } from "../../registry/generic/delete-options.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { StoredObject, WatchEventType } from "../../storage/object-store.js";

/** An object that owns, is owned, or waits for its dependents. */
export interface GraphNode {
  readonly registry: ResourceRegistry;
  /** Below the resource's prefix. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly isTerminating: boolean;
  /** Terminating, and gone only after its dependents (`foregroundDeletion`). */
  readonly awaitsDependents: boolean;
  /** Terminating, and gone only after its dependents were let go (`orphan`). */
  readonly orphansDependents: boolean;
}

const ownerReferencesText = '"ownerReferences"';
const finalizersText = '"finalizers"';
const managedFieldsText = '"managedFields":[';
const none: readonly GraphNode[] = [];

/**
 * Who owns whom, from the events of every resource. Objects without owners and finalizers, which are most, take no memory and no
 * decoding here: their bytes tell. An owner is known by uid alone, whether it exists or not.
 */
export class DependencyGraph {
  readonly #byKey = new Map<ResourceRegistry, Map<string, GraphNode>>();
  readonly #byUid = new Map<string, GraphNode>();
  readonly #dependents = new Map<string, Set<GraphNode>>();

  /** The affected nodes: the object itself, and its dependents when it goes or when it waits for them. */
  observe(
    registry: ResourceRegistry,
    type: WatchEventType,
    stored: StoredObject<ApiObject>,
  ): readonly GraphNode[] {
    const nodes = this.#nodesOf(registry);
    const before = nodes.get(stored.key);
    if (type === "DELETED") {
      if (before !== undefined) this.#remove(nodes, before);
      // Nothing is owned anywhere: the uid need not be known.
      if (this.#dependents.size === 0) return none;
      const uid = before?.uid ?? stored.decode().metadata.uid ?? "";
      const orphaned = [...(this.#dependents.get(uid) ?? none)];
      return before === undefined ? orphaned : [...orphaned, ...this.ownersOf(before)];
    }
    if (!mayMatter(stored)) {
      if (before !== undefined) this.#remove(nodes, before);
      return before === undefined ? none : this.ownersOf(before);
    }
    const node = nodeOf(registry, stored);
    if (before !== undefined) this.#remove(nodes, before);
    this.#add(nodes, node);
    const affected = [node];
    if (node.awaitsDependents) affected.push(...this.dependentsOf(node.uid));
    if (before !== undefined) affected.push(...this.ownersOf(before));
    return affected;
  }

  /** Drops every node of a resource that is no longer there. */
  forget(registry: ResourceRegistry): void {
    const nodes = this.#byKey.get(registry);
    for (const node of nodes?.values() ?? []) this.#unlink(node);
    this.#byKey.delete(registry);
  }

  dependentsOf(uid: string): readonly GraphNode[] {
    return [...(this.#dependents.get(uid) ?? none)];
  }

  /** The newest node of an object, undefined when it is gone or no longer matters. */
  current(uid: string): GraphNode | undefined {
    return this.#byUid.get(uid);
  }

  /** Those owners that are nodes themselves: they may wait for this one. */
  ownersOf(node: GraphNode): readonly GraphNode[] {
    return node.owners.flatMap(({ uid }) => this.#byUid.get(uid) ?? none);
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
  }

  #remove(nodes: Map<string, GraphNode>, node: GraphNode): void {
    nodes.delete(node.key);
    this.#unlink(node);
  }

  #unlink(node: GraphNode): void {
    if (this.#byUid.get(node.uid) === node) this.#byUid.delete(node.uid);
    for (const { uid } of node.owners) {
      const dependents = this.#dependents.get(uid);
      dependents?.delete(node);
      if (dependents?.size === 0) this.#dependents.delete(uid);
    }
  }
}

/** Of the members of `metadata`, which comes first, the managed fields are the last; inside of a text there is no bare quote. */
function mayMatter({ body }: StoredObject<ApiObject>): boolean {
  const end = body.indexOf(managedFieldsText);
  const searched = end < 0 ? body : body.subarray(0, end);
  return searched.includes(ownerReferencesText) || searched.includes(finalizersText);
}

function nodeOf(registry: ResourceRegistry, stored: StoredObject<ApiObject>): GraphNode {
  const { metadata } = stored.decode();
  const isTerminating = metadata.deletionTimestamp !== undefined;
  const finalizers = metadata.finalizers ?? [];
  return {
    registry,
    key: stored.key,
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    owners: metadata.ownerReferences ?? [],
    finalizers,
    isTerminating,
    awaitsDependents: isTerminating && finalizers.includes(foregroundFinalizer),
    orphansDependents: isTerminating && finalizers.includes(orphanFinalizer),
  };
}
