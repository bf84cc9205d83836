import type { Naming } from "../naming/naming.js";
import type { NamespaceLister } from "./plugins/namespace-lifecycle.js";

/** What the server gives the plugins to look at. */
export interface PluginContext {
  readonly naming: Naming;
  readonly namespaces: NamespaceLister;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What the configuration file says of each plugin that it names, by name. */
export type PluginConfigurations = ReadonlyMap<string, unknown>;
