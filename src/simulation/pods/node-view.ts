import type { Node, Taint } from "../../apis/gen/core-v1.js";
import type { StoredObject } from "../../storage/object-store.js";
import { type ObjectView, viewOf } from "../machinery/object-view.js";
import { annotationPrefix } from "./behaviour.js";
import { conditionOf } from "./conditions.js";
import { amountsOf } from "./pod-view.js";

/** How a node behaves, by its annotation `simulation.orch.io/state`. */
export type NodeState =
  | "ready"
  /** Its agent says that it is not ready, and starts nothing. */
  | "not-ready"
  /** Nothing is heard of it, and what runs there is not known. */
  | "gone"
  /** It has an agent of its own: nothing is simulated. */
  | "real";

export interface NodeView extends ObjectView<Node> {
  readonly allocatable: ReadonlyMap<string, number>;
  readonly taints: readonly Taint[];
  readonly isUnschedulable: boolean;
  readonly state: NodeState;
  /** Status of its condition `Ready`; empty where it has none. */
  readonly ready: string;
  /** Of its addresses, the one within the cluster. */
  readonly internalIp: string;
  readonly podCidr: string;
}

const states: readonly NodeState[] = ["ready", "not-ready", "gone", "real"];

export function nodeViewOf(stored: StoredObject<Node>): NodeView {
  const node = stored.decode();
  const { spec, status, metadata } = node;
  const wanted = metadata.annotations?.[`${annotationPrefix}state`];
  return {
    ...viewOf(stored, node),
    allocatable: amountsOf(status.allocatable ?? status.capacity),
    taints: spec.taints ?? [],
    isUnschedulable: spec.unschedulable ?? false,
    state: states.find((state) => state === wanted) ?? "ready",
    ready: conditionOf(status.conditions, "Ready")?.status ?? "",
    internalIp: status.addresses?.find(({ type }) => type === "InternalIP")?.address ?? "",
    podCidr: spec.podCIDR ?? "",
  };
}

/** Whether the simulation does what its agent would do. */
export function hasSimulatedAgent({ state }: NodeView): boolean {
  return state === "ready" || state === "not-ready";
}
