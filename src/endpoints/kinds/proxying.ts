import type { ProxyParts } from "../connect/proxy-targets.js";
import type { KindParts } from "./kind-behaviour.js";

/** The dependencies of the proxy subresources of pods, services and nodes. */
export function proxying({ builtin, agents, admission, resolve, random }: KindParts): ProxyParts {
  return { registry: builtin, agents, admission, resolve, random };
}
