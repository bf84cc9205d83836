import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import type { Node, Taint } from "../../apis/gen/core-v1.js";
import type { StoredObject } from "../../storage/object-store.js";
import { type NodeState, nodeStates } from "../behaviour/behaviour-spec.js";
import { annotationPrefix } from "../behaviour/container-behaviour.js";
import { type ObjectView, viewOf } from "../machinery/object-view.js";
import { conditionOf } from "./conditions.js";
import { allocatableOf } from "./node-resources.js";
import { amountsOf } from "./pod-view.js";

/** A node, without its behaviour. */
export interface NodeFacts extends ObjectView<Node> {
  readonly allocatable: ReadonlyMap<string, number>;
  /** Whether `allocatable` is already what its agent reports. */
  readonly isAllocatableReported: boolean;
  readonly taints: readonly Taint[];
  readonly isUnschedulable: boolean;
  /** The value of its annotation `simulation.orch.io/state`. */
  readonly ownState: NodeState | undefined;
  /** The status of its condition `Ready`; empty if it has none. */
  readonly ready: string;
  /** Its address within the cluster. */
  readonly internalIp: string;
  readonly podCidr: string;
}

export interface NodeView extends NodeFacts {
  readonly state: NodeState;
}

export function nodeFactsOf(stored: StoredObject<Node>): NodeFacts {
  const node = stored.decode();
  const { spec, status, metadata } = node;
  const wanted = metadata.annotations?.[`${annotationPrefix}state`];
  return {
    ...viewOf(stored, node),
    allocatable: amountsOf(status.allocatable ?? status.capacity),
    isAllocatableReported: isDeepEqual(allocatableOf(status), status.allocatable),
    taints: spec.taints ?? [],
    isUnschedulable: spec.unschedulable ?? false,
    ownState: nodeStates.find((state) => state === wanted),
    ready: conditionOf(status.conditions, "Ready")?.status ?? "",
    internalIp: status.addresses?.find(({ type }) => type === "InternalIP")?.address ?? "",
    podCidr: spec.podCIDR ?? "",
  };
}

/** Whether the simulation does the work of its agent. */
export function hasSimulatedAgent({ state }: NodeView): boolean {
  return state === "ready" || state === "not-ready";
}
