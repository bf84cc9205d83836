// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { ListMeta, ObjectMeta } from "./meta-v1.js";

export interface LeaseCandidate {
  metadata: ObjectMeta;
  spec: LeaseCandidateSpec;
}

export interface LeaseCandidateList {
  metadata: ListMeta;
  items?: LeaseCandidate[] | undefined;
}

export interface LeaseCandidateSpec {
  leaseName: string;
  pingTime?: string | undefined;
  renewTime?: string | undefined;
  binaryVersion: string;
  emulationVersion?: string | undefined;
  strategy?: string | undefined;
}
