import { serviceProxy } from "../connect/proxy-targets.js";
import type { KindBehaviour } from "./kind-behaviour.js";
import { proxying } from "./proxying.js";

export const services: KindBehaviour = {
  group: "",
  resource: "services",
  connections: (parts) => ({ proxy: serviceProxy(proxying(parts)) }),
  hooks: (parts) => parts.services.hooks,
};
