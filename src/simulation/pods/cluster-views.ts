import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { BuiltinObjects, BuiltinResource } from "../../apis/builtin-objects.js";
import type { LabelSelector as LabelSelectorObject } from "../../apis/gen/meta-v1.js";
import type { ChangeListener, Lister } from "../../informers/informer.js";
import { Informers } from "../../informers/informers.js";
import type { StoredObject } from "../../storage/object-store.js";
import { type ObjectView, type SelectingView, selectingViewOf, viewOf } from "../machinery/object-view.js";
import type { SimulationContext } from "../machinery/simulation-context.js";
import { type PodView, podViewOf } from "./pod-view.js";

/** An index: by the uid of the controller (`orphan/NAMESPACE` for objects without one), or by namespace. */
export type ViewIndex = "controller" | "namespace";

/** What is known about a resource. */
export interface View<V, I extends string = ViewIndex> extends Lister<V, I> {
  /** Reports everything that exists as new, then each change, until the returned function is called. */
  onChange(listener: ChangeListener<V>): () => void;
}

type Selecting = {
  [R in BuiltinResource]: BuiltinObjects[R] extends ApiObject & {
    spec: { selector?: LabelSelectorObject | undefined };
  }
    ? R
    : never;
}[BuiltinResource];

/**
 * The simulated components' views of the cluster, one for each resource that one of them uses. A view shows a change as soon as its
 * writer is answered, so that no component acts twice on its own change; real controllers keep expectations for that.
 */
export class ClusterViews {
  readonly #context: SimulationContext;
  readonly #informers = new Informers();
  readonly #made = new Map<string, unknown>();
  readonly pods: View<PodView, ViewIndex | "node">;

  constructor(context: SimulationContext) {
    this.#context = context;
    this.pods = this.#informers.add({
      source: () => context.builtin("pods"),
      view: podViewOf,
      immediate: true,
      indexes: {
        controller: (pod: PodView) => [controllerKey(pod)],
        namespace: (pod: PodView) => [pod.namespace],
        node: (pod: PodView) => (pod.nodeName === "" ? [] : [pod.nodeName]),
      },
    });
  }

  of<R extends BuiltinResource>(resource: R): View<ObjectView<BuiltinObjects[R]>> {
    return this.view(resource, (stored) => viewOf(stored));
  }

  /** For workloads: their selectors are kept, too. */
  selecting<R extends Selecting>(resource: R): View<SelectingView<BuiltinObjects[R]>> {
    return this.view(resource, (stored) => selectingViewOf(stored));
  }

  start(): Promise<void> {
    return this.#informers.start();
  }

  stop(): Promise<void> {
    return this.#informers.stop();
  }

  /** A resource has one kind of view, which its first user decides. */
  view<R extends BuiltinResource, V extends ObjectView<BuiltinObjects[R]>>(
    resource: R,
    view: (stored: StoredObject<BuiltinObjects[R]>) => V,
  ): View<V> {
    const made = this.#made.get(resource);
    // Created below, for the same resource.
    if (made !== undefined) return made as View<V>;
    const informer: View<V> = this.#informers.add({
      source: () => this.#context.builtin(resource),
      view,
      immediate: true,
      indexes: {
        controller: (object: V) => [controllerKey(object)],
        namespace: (object: V) => [object.namespace],
      },
    });
    this.#made.set(resource, informer);
    return informer;
  }
}

function controllerKey({ controller, namespace }: ObjectView<unknown>): string {
  return controller?.uid ?? `orphan/${namespace}`;
}
