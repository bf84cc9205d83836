import { LabelSelector } from "../../apimachinery/selectors/label-selector.js";
import type { Service } from "../../apis/gen/core-v1.js";
import type { Change } from "../../informers/informer.js";
import type { ObjectView } from "../machinery/object-view.js";
import type { Cluster } from "../pods/cluster.js";
import type { PodView } from "../pods/pod-view.js";

/** Which pods belong to which services, for the controllers of endpoints. */
export class ServiceBackends {
  readonly #cluster: Cluster;
  readonly #selectors = new WeakMap<object, LabelSelector | undefined>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Calls `changed` with the key of each service whose endpoints may have changed. */
  follow(changed: (key: string) => void): () => void {
    const { views } = this.#cluster;
    const leaveServices = views.of("services").onChange(({ key }) => changed(key));
    const leavePods = views.pods.onChange((change) => {
      for (const key of this.#servicesOf(change)) changed(key);
    });
    return () => {
      leaveServices();
      leavePods();
    };
  }

  /** Undefined for a service without a selector: others maintain its endpoints. */
  podsOf(service: ObjectView<Service>): readonly PodView[] | undefined {
    const selector = this.selectorOf(service);
    if (selector === undefined) return undefined;
    const pods = [...this.#cluster.views.pods.find("namespace", service.namespace)];
    return pods.filter(({ labels }) => selector.matches(labels));
  }

  selectorOf(service: ObjectView<Service>): LabelSelector | undefined {
    if (this.#selectors.has(service)) return this.#selectors.get(service);
    const { spec } = service.stored.decode();
    const labels = Object.entries(spec.selector ?? {});
    const isSelecting = labels.length > 0 && spec.type !== "ExternalName";
    const selector = isSelecting
      ? LabelSelector.of(labels.map(([key, value]) => ({ key, operator: "=" as const, values: [value] })))
      : undefined;
    this.#selectors.set(service, selector);
    return selector;
  }

  /** The services affected by a change; none if endpoints do not show it. */
  #servicesOf({ value, previous }: Change<PodView>): Set<string> {
    const keys = new Set<string>();
    const isShown =
      value?.ip !== previous?.ip ||
      value?.isReady !== previous?.isReady ||
      value?.phase !== previous?.phase ||
      value?.isTerminating !== previous?.isTerminating ||
      JSON.stringify(value?.labels) !== JSON.stringify(previous?.labels);
    if (!isShown) return keys;
    for (const pod of [value, previous]) {
      if (pod === undefined || pod.ip === "") continue;
      for (const service of this.#cluster.views.of("services").find("namespace", pod.namespace)) {
        if (this.selectorOf(service)?.matches(pod.labels)) keys.add(service.key);
      }
    }
    return keys;
  }
}
