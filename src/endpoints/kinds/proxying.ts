import type { ProxyParts } from "../connect/proxy-targets.js";
import type { KindParts } from "./kind-behaviour.js";

/** What the proxy subresources of pods, services and nodes work with. */
export function proxying({ builtin, agents, admission, resolve, random }: KindParts): ProxyParts {
  return { registry: builtin, agents, admission, resolve, random };
}
