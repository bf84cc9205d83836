import type { Change } from "../../informers/informer.js";
import type { SelectingView } from "../machinery/object-view.js";
import type { View, ViewIndex } from "../pods/cluster-views.js";
import type { PodView } from "../pods/pod-view.js";

export interface PodFollower {
  /** The kind of owner whose pods count. */
  readonly kind: string;
  /** Owners that may adopt a pod without an owner. */
  readonly owners: {
    find(index: ViewIndex, text: string): Iterable<SelectingView<unknown>>;
    get(key: string): { readonly uid: string } | undefined;
  };
  /** Called with the key of the owner of each pod that was created, changed or deleted. */
  readonly changed: (ownerKey: string) => void;
}

/** Reports changes of pods to their owners, until the returned function is called. */
export function followPods(
  pods: View<PodView, ViewIndex | "node">,
  { kind, owners, changed }: PodFollower,
): () => void {
  const tell = (pod: PodView | undefined): void => {
    if (pod?.controller?.kind !== kind) return;
    const key = `${pod.namespace}/${pod.controller.name}`;
    if (owners.get(key)?.uid === pod.controller.uid) changed(key);
  };
  return pods.onChange(({ value, previous }: Change<PodView>) => {
    tell(value);
    if (previous?.controller?.uid !== value?.controller?.uid) tell(previous);
    const isOrphan = value !== undefined && value.controller === undefined && !value.isTerminating;
    if (!isOrphan) return;
    for (const owner of owners.find("namespace", value.namespace)) {
      if (owner.selector.matches(value.labels)) changed(owner.key);
    }
  });
}
