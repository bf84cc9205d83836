import { nodeProxy } from "../connect/proxy-targets.js";
import type { KindBehaviour } from "./kind-behaviour.js";
import { proxying } from "./proxying.js";

export const nodes: KindBehaviour = {
  group: "",
  resource: "nodes",
  connections: (parts) => ({ proxy: nodeProxy(proxying(parts)) }),
};
