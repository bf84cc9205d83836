import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { LevelVersion } from "./level.js";
import type { Mode } from "./policy.js";

export type Verdict = "allow" | "deny";

/** Counts what the plugin PodSecurity finds. */
export interface PodSecurityObserver {
  evaluated(verdict: Verdict, level: LevelVersion, mode: Mode, attributes: AdmissionAttributes): void;
  exempted(attributes: AdmissionAttributes): void;
  /** A policy was not found, which is fatal, or could not be parsed. */
  failed(isFatal: boolean, attributes: AdmissionAttributes): void;
}
