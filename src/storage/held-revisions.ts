import type { Revision } from "./kv.js";

/** Revisions whose state, and the history since, the server's own compaction spares. */
export class HeldRevisions {
  readonly #held = new Map<symbol, Revision>();

  /** Returns what lets go of it. */
  hold(revision: Revision): () => void {
    const id = Symbol();
    this.#held.set(id, revision);
    return () => void this.#held.delete(id);
  }

  /** `revision`, or the oldest that is held, if that is older. */
  spare(revision: Revision): Revision {
    let oldest = revision;
    for (const held of this.#held.values()) if (held < oldest) oldest = held;
    return oldest;
  }
}
