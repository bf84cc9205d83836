import type { ApiObject } from "../../apimachinery/meta.js";
import type { RegistryHooks } from "../../registry/generic/resource-registry.js";
import { serviceProxy } from "../connect/proxy-targets.js";
import type { KindBehaviour } from "./kind-behaviour.js";
import { proxying } from "./proxying.js";

export const services: KindBehaviour = {
  group: "",
  resource: "services",
  connections: (parts) => ({ proxy: serviceProxy(proxying(parts)) }),
  // The registry of services holds nothing else, so hooks for services fit it.
  hooks: (parts) => parts.services.hooks as RegistryHooks<ApiObject>,
};
