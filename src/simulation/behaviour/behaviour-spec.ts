/** A rule: which pods, or nodes, behave how. The spec of a `Simulation` object. */
export interface BehaviourSpec {
  /** Every condition that is given must hold. Default: all of them. */
  readonly match?: BehaviourMatch | undefined;
  /** How the containers of the pods behave. */
  readonly container?: SaidOfContainer | undefined;
  /** How the nodes are; of `match`, only `names` and `labelSelector` are about nodes. */
  readonly node?: { readonly state: NodeState } | undefined;
}

/** Lists hold alternatives; a `*` in one stands for any characters. */
export interface BehaviourMatch {
  readonly namespaces?: readonly string[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly labelSelector?: string | undefined;
  /** Of the containers of a pod, those with such an image, or such a name. */
  readonly images?: readonly string[] | undefined;
  readonly containers?: readonly string[] | undefined;
}

/** As the annotations of a pod say it. */
export interface SaidOfContainer {
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
  readonly exec?: Readonly<Record<string, unknown>> | undefined;
}

/** How a node behaves. */
export type NodeState =
  | "ready"
  /** Its agent says that it is not ready, and starts nothing. */
  | "not-ready"
  /** Nothing is heard of it, and what runs there is not known. */
  | "gone"
  /** It has an agent of its own: nothing is simulated. */
  | "real";

export const nodeStates: readonly NodeState[] = ["ready", "not-ready", "gone", "real"];
