import type { KeySource } from "./key-source.js";

/** A seed that threads of one server write with, as it can be handed to another thread. */
export interface SharedSeed {
  readonly plain: Uint8Array;
  readonly source: KeySource;
  /** Until then values may be written with it. */
  readonly expiresAt: number;
}

/** By the names of their services. */
export type SharedSeeds = ReadonlyMap<string, SharedSeed>;
