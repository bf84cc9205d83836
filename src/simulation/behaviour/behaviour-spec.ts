import type { JsonObject } from "../../apimachinery/json/json-value.js";

/** A rule about how certain pods or nodes behave: the spec of a `Simulation` object. */
export interface BehaviourSpec {
  /** All conditions given must hold. Default: every object matches. */
  readonly match?: BehaviourMatch | undefined;
  /** How the containers of the pods behave. */
  readonly container?: ContainerSettings | undefined;
  /** How the nodes behave; of `match`, only `names` and `labelSelector` apply to nodes. */
  readonly node?: { readonly state: NodeState } | undefined;
}

/** Lists hold alternatives; a `*` in one stands for any characters. */
export interface BehaviourMatch {
  readonly namespaces?: readonly string[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly labelSelector?: string | undefined;
  /** Selects containers of a pod by image or name. */
  readonly images?: readonly string[] | undefined;
  readonly containers?: readonly string[] | undefined;
}

/** Settings of a container, in the form of a pod's annotations. */
export interface ContainerSettings {
  readonly pull?: string | undefined;
  readonly pullError?: string | undefined;
  readonly exitCode?: number | string | undefined;
  readonly exitAfter?: string | undefined;
  readonly readyAfter?: string | undefined;
  readonly readiness?: string | undefined;
  readonly liveness?: string | undefined;
  readonly startup?: string | undefined;
  readonly stop?: string | undefined;
  readonly logs?: string | undefined;
  readonly exec?: JsonObject | undefined;
}

/** How a node behaves. */
export type NodeState =
  | "ready"
  /** Its agent reports NotReady, and starts nothing. */
  | "not-ready"
  /** It reports nothing, and the state of its pods is unknown. */
  | "gone"
  /** It has a real agent: nothing is simulated. */
  | "real";

export const nodeStates: readonly NodeState[] = ["ready", "not-ready", "gone", "real"];
