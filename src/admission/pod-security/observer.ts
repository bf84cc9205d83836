import type { AdmissionAttributes } from "../admission-attributes.js";
import type { LevelVersion } from "./level.js";
import type { Mode } from "./policy.js";

export type Verdict = "allow" | "deny";

/** Is told what the plugin PodSecurity finds. */
export interface PodSecurityObserver {
  evaluated(verdict: Verdict, level: LevelVersion, mode: Mode, attributes: AdmissionAttributes): void;
  exempted(attributes: AdmissionAttributes): void;
  /** A policy could not be found, which refuses the request, or not be read. */
  failed(isFatal: boolean, attributes: AdmissionAttributes): void;
}
