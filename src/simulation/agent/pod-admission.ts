import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import { HostPorts } from "../pods/host-ports.js";
import { countRequests, isDevice, shortages } from "../pods/node-resources.js";
import { isSelected } from "../pods/node-selection.js";
import type { NodeView } from "../pods/node-view.js";
import type { PodView } from "../pods/pod-view.js";
import { untoleratedTaint } from "../pods/tolerations.js";

/** Why a node's agent does not run a pod. */
export interface PodRejection {
  readonly reason: string;
  readonly message: string;
}

interface NodeLoad {
  pods: number;
  readonly requested: Map<string, number>;
  readonly hostPorts: HostPorts;
}

/**
 * The pods that the agents of all nodes have admitted. A pod that names its node did not pass the scheduler: the agent rejects it if it does
 * not fit. Source: the kubelet's predicates.
 */
export class PodAdmission {
  readonly #level: ApiLevel;
  /** By uid. */
  readonly #admitted = new Map<string, PodView>();
  readonly #loads = new Map<string, NodeLoad>();

  constructor(level: ApiLevel) {
    this.#level = level;
  }

  /** Why the node rejects the pod; undefined if it accepts it, which reserves its resources. */
  admit(view: PodView, spec: Pod["spec"], node: NodeView): PodRejection | undefined {
    if (this.#admitted.has(view.uid)) return undefined;
    // A running pod stays, for example after a rewind to a snapshot.
    const rejection = view.hasStarted ? undefined : this.#whyNot(view, spec, node);
    if (rejection === undefined) this.keep(view);
    return rejection;
  }

  /** Counts a pod that its node runs already. */
  keep(view: PodView): void {
    if (this.#admitted.has(view.uid)) return;
    this.#admitted.set(view.uid, view);
    this.#charge(view, 1);
  }

  release(uid: string): void {
    const view = this.#admitted.get(uid);
    if (view === undefined) return;
    this.#admitted.delete(uid);
    this.#charge(view, -1);
  }

  #whyNot(view: PodView, spec: Pod["spec"], node: NodeView): PodRejection | undefined {
    const load = this.#loadOf(view.nodeName);
    const lacking = lackingResource(view, load, node);
    if (lacking !== undefined) return lacking;
    if (!isSelected(spec, node)) {
      return failed("NodeAffinity", "node(s) didn't match Pod's node affinity/selector");
    }
    if (load.hostPorts.hasAny(view.hostPorts)) {
      return failed("NodePorts", "node(s) didn't have free ports for the requested pod ports");
    }
    const taint = untoleratedTaint(node.taints, spec.tolerations ?? [], ["NoExecute"]);
    return taint === undefined || !isAtLeast(this.#level, "1.24")
      ? undefined
      : failed("TaintToleration", "node(s) had taints that the pod didn't tolerate");
  }

  #loadOf(nodeName: string): NodeLoad {
    let load = this.#loads.get(nodeName);
    if (load === undefined) {
      load = { pods: 0, requested: new Map(), hostPorts: new HostPorts() };
      this.#loads.set(nodeName, load);
    }
    return load;
  }

  #charge({ nodeName, requests, hostPorts }: PodView, by: 1 | -1): void {
    const load = this.#loadOf(nodeName);
    load.pods += by;
    countRequests(load.requested, requests, by);
    if (by === 1) load.hostPorts.add(hostPorts);
    else load.hostPorts.remove(hostPorts);
    if (load.pods === 0) this.#loads.delete(nodeName);
  }
}

function lackingResource(
  { requests }: PodView,
  load: NodeLoad,
  { allocatable }: NodeView,
): PodRejection | undefined {
  // An agent ignores resources that its node does not have, such as those of the whole cluster.
  const known = [...requests].filter(([resource]) => !isDevice(resource) || allocatable.has(resource));
  const [first] = shortages(new Map(known), allocatable, load);
  if (first === undefined) return undefined;
  const { resource, requested, used, capacity } = first;
  const message = `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
  return { reason: `OutOf${resource}`, message };
}

function failed(predicate: string, why: string): PodRejection {
  return { reason: predicate, message: `Predicate ${predicate} failed: ${why}` };
}
