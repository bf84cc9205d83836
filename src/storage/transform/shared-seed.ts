import type { KeySource } from "./key-source.js";

/** A seed that threads of one server write with, in a form that can be sent to another thread. */
export interface SharedSeed {
  readonly plain: Uint8Array;
  readonly source: KeySource;
  /** Values may be written with it until then. */
  readonly expiresAt: number;
}

/** By the names of their services. */
export type SharedSeeds = ReadonlyMap<string, SharedSeed>;
