import { addToList } from "../../apimachinery/collections/groups.js";
import type { PersistentVolume } from "../../apis/gen/core-v1.js";
import { matchesAnyTerm, type SelectableNode } from "../pods/node-selection.js";

/**
 * The volumes that suit a claim, by the nodes that reach them. Most local volumes name one node by a label, so that they are found
 * without visiting all others.
 */
export class SuitableVolumes {
  readonly #reachable: readonly PersistentVolume[];
  readonly #byLabel = new Map<string, Map<string, PersistentVolume[]>>();

  /** `volumes`: the smallest first. */
  constructor(volumes: readonly PersistentVolume[]) {
    this.#reachable = volumes.filter((volume) => !this.#isLabelled(volume));
  }

  /** A volume that the node can reach and that is not in `taken`. */
  on(node: SelectableNode, taken: ReadonlySet<string>): PersistentVolume | undefined {
    for (const [key, byValue] of this.#byLabel) {
      const found = byValue.get(node.labels[key] ?? "")?.find((volume) => !taken.has(nameOf(volume)));
      if (found !== undefined) return found;
    }
    return this.#reachable.find((volume) => {
      if (taken.has(nameOf(volume))) return false;
      const required = volume.spec.nodeAffinity?.required;
      return required === undefined || matchesAnyTerm(required.nodeSelectorTerms ?? [], node);
    });
  }

  #isLabelled(volume: PersistentVolume): boolean {
    const [term, ...others] = volume.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
    const [expression, ...more] = term?.matchExpressions ?? [];
    if (term === undefined || expression === undefined || expression.operator !== "In") return false;
    if (others.length > 0 || more.length > 0 || (term.matchFields ?? []).length > 0) return false;
    const byValue = this.#byLabel.get(expression.key) ?? new Map<string, PersistentVolume[]>();
    this.#byLabel.set(expression.key, byValue);
    for (const value of new Set(expression.values)) {
      addToList(byValue, value, volume);
    }
    return true;
  }
}

export function nameOf({ metadata }: PersistentVolume): string {
  return metadata.name ?? "";
}
