// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { Toleration as CoreV1Toleration } from "./core-v1.js";
import type { ListMeta, ObjectMeta } from "./meta-v1.js";

export interface RuntimeClass {
  metadata: ObjectMeta;
  spec: RuntimeClassSpec;
}

export interface Overhead {
  podFixed?: { [key: string]: string } | undefined;
}

export interface Scheduling {
  nodeSelector?: { [key: string]: string } | undefined;
  tolerations?: CoreV1Toleration[] | undefined;
}

export interface RuntimeClassList {
  metadata: ListMeta;
  items?: RuntimeClass[] | undefined;
}

export interface RuntimeClassSpec {
  runtimeHandler: string;
  overhead?: Overhead | undefined;
  scheduling?: Scheduling | undefined;
}
