import type { HostPorts } from "../pods/host-ports.js";
import type { NodeView } from "../pods/node-view.js";
import type { PodView } from "../pods/pod-view.js";

/** A node with what runs on it. */
export interface NodeLoad {
  readonly view: NodeView;
  readonly pods: ReadonlyMap<string, PodView>;
  readonly requested: ReadonlyMap<string, number>;
  readonly hostPorts: Pick<HostPorts, "hasAny">;
  /** Pods by the uid of their controller. */
  readonly perController: ReadonlyMap<string, number>;
}

/** What requested amounts are compared with. */
export type Amounts = Pick<NodeLoad, "view" | "requested"> & { readonly pods: { readonly size: number } };
