import type { AdmissionAttributes, AdmissionOperation } from "./admission-attributes.js";

/**
 * A step of admission. Both methods throw a `StatusError` to refuse, and may answer without a promise: most requests are none of
 * a plugin's business, and waiting a turn for each plugin adds up.
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
