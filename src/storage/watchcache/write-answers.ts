import type { Clock } from "../../time/clock.js";
import type { Revision } from "../kv.js";
import { type StoredObject, WriteConflict } from "../object-store.js";
import type { FanOut } from "./fan-out.js";
import type { Reflector } from "./reflector.js";
import { RevisionWaiters } from "./revision-waiters.js";

export interface WriteAnswersParts<T> {
  readonly clock: Clock;
  readonly reflector: Pick<Reflector<T>, "isLive" | "applied">;
  readonly fanOut: Pick<FanOut, "leaving">;
  /** How long a write waits until the cache has it; undefined: not at all. */
  readonly waitMs: number | undefined;
}

/** Decides when writes may be answered. */
export class WriteAnswers<T> {
  readonly #parts: WriteAnswersParts<T>;
  /** Writes whose event has not been applied yet. */
  readonly #waiters: RevisionWaiters;

  constructor(parts: WriteAnswersParts<T>) {
    this.#parts = parts;
    this.#waiters = new RevisionWaiters(parts.clock);
  }

  /** Watchers that keep up get the event before the writer is answered, because controllers act on what they have seen. */
  after<W extends StoredObject<T> | WriteConflict<T>>(write: Promise<W>): Promise<W> {
    const { fanOut, waitMs } = this.#parts;
    const applied = waitMs === undefined ? write : this.#whenApplied(write, waitMs);
    return applied.then((written) => {
      const { leaving } = fanOut;
      return leaving === undefined ? written : leaving.then(() => written);
    });
  }

  /** The cache has everything up to `revision`. */
  applied(revision: Revision): void {
    if (this.#waiters.size > 0) this.#waiters.advance(revision);
  }

  /** Called when the cache no longer follows the store: writes stop waiting for it. */
  giveUp(): void {
    this.#waiters.giveUp();
  }

  async #whenApplied<W extends StoredObject<T> | WriteConflict<T>>(
    write: Promise<W>,
    waitMs: number,
  ): Promise<W> {
    const written = await write;
    const { reflector } = this.#parts;
    if (!(written instanceof WriteConflict) && reflector.isLive && written.revision > reflector.applied)
      await this.#waiters.wait(written.revision, waitMs);
    return written;
  }
}
