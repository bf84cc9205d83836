import type { AdmissionAttributes, AdmissionOperation } from "./admission-attributes.js";

/**
 * An admission plugin. Both methods throw a `StatusError` to refuse, and need not return a promise, since most requests do not concern a
 * plugin.
 */
export interface AdmissionPlugin {
  readonly operations: readonly AdmissionOperation[];
  mutate?(attributes: AdmissionAttributes): Promise<void> | void;
  validate?(attributes: AdmissionAttributes): Promise<void> | void;
}

export interface NamedPlugin {
  readonly name: string;
  readonly plugin: AdmissionPlugin;
}
