import type { TransformationObserver } from "../transform/transformation-observer.js";

/** Counts nothing. */
export const noObserver: TransformationObserver = {
  transformed: () => undefined,
  keyMissed: () => undefined,
  arrived: () => undefined,
  keyGenerated: () => undefined,
  keyGenerationFailed: () => undefined,
  keysFilled: () => undefined,
  ofService: () => ({
    called: () => undefined,
    keyUsed: () => undefined,
    keyIdSeen: () => undefined,
    keyIdRefused: () => undefined,
    keysKnown: () => undefined,
  }),
};
