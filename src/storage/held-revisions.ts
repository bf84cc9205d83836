import type { Revision } from "./kv.js";

/** Revisions that the server's own compaction must keep, with the history since. */
export class HeldRevisions {
  readonly #held = new Map<symbol, Revision>();

  /** Returns a function that releases it. */
  hold(revision: Revision): () => void {
    const id = Symbol();
    this.#held.set(id, revision);
    return () => void this.#held.delete(id);
  }

  /** `revision`, or the oldest held one if that is older. */
  spare(revision: Revision): Revision {
    let oldest = revision;
    for (const held of this.#held.values()) if (held < oldest) oldest = held;
    return oldest;
  }
}
