import { valueBytes } from "../event-size.js";
import { isInRange } from "../key-order.js";
import type { KvEvent, Revision, WatchBatch, WatchRequest } from "../kv.js";
import { noRevision, toRevision } from "../kv.js";
import type { StorageError } from "../storage-error.js";
import type { CommittedRevision } from "./write-batch.js";

/** What one watch may buffer in memory. A consumer that falls further behind continues from disk. */
const bufferedEventsMax = 1000;
const bufferedBytesMax = 4 * 1024 * 1024;

export interface HistoryChunk {
  /** Revisions with events in the range, in order. */
  readonly batches: readonly CommittedRevision[];
  /** Everything before this revision has been read. */
  readonly next: Revision;
}

export interface WatchHubOptions {
  /** Reads some history from `next` on, at least one revision. Throws `Compacted`. */
  readonly readHistory: (request: WatchRequest, next: Revision) => Promise<HistoryChunk>;
}

/** Passes commits on to watches. A watch is either live, fed by `publish`, or behind, reading history until it has caught up. */
export class WatchHub {
  readonly #options: WatchHubOptions;
  readonly #watches = new Set<Watch>();
  #revision: Revision;
  #closed: StorageError | undefined;

  constructor(revision: Revision, options: WatchHubOptions) {
    this.#revision = revision;
    this.#options = options;
  }

  get revision(): Revision {
    return this.#revision;
  }

  publish(committed: CommittedRevision): void {
    this.#revision = committed.revision;
    for (const watch of this.#watches) watch.offer(committed);
  }

  requestProgress(): void {
    for (const watch of this.#watches) watch.requestProgress();
  }

  /** Registers immediately, even if the result is iterated later. */
  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<WatchBatch> {
    const watch = new Watch(request, this.#revision);
    if (this.#closed !== undefined) watch.end(this.#closed);
    if (signal.aborted) return watch.batches(this.#revisionNow, this.#options, signal);
    this.#watches.add(watch);
    const forget = (): void => {
      this.#watches.delete(watch);
      signal.removeEventListener("abort", onAbort);
    };
    const onAbort = (): void => {
      forget();
      watch.wake();
    };
    signal.addEventListener("abort", onAbort);
    return watch.batches(this.#revisionNow, this.#options, signal, forget);
  }

  close(reason: StorageError): void {
    this.#closed = reason;
    for (const watch of this.#watches) watch.end(reason);
    this.#watches.clear();
  }

  readonly #revisionNow = (): Revision => this.#revision;
}

class Watch {
  readonly #request: WatchRequest;
  readonly #buffer: WatchBatch[] = [];
  #bufferedEvents = 0;
  #bufferedBytes = 0;
  /** First revision to read from disk, once the buffer is empty; undefined when live. */
  #behindFrom: Revision | undefined;
  #progressRequested = false;
  #ended: StorageError | undefined;
  #wake: () => void = () => undefined;

  constructor(request: WatchRequest, revision: Revision) {
    this.#request = request;
    const start = request.startRevision ?? noRevision;
    if (start !== noRevision && start <= revision) this.#behindFrom = start;
  }

  offer(committed: CommittedRevision): void {
    if (this.#behindFrom !== undefined) return;
    if (committed.revision < (this.#request.startRevision ?? noRevision)) return;
    const batch = select(committed, this.#request);
    if (batch === undefined) return;
    if (this.#bufferedEvents >= bufferedEventsMax || this.#bufferedBytes >= bufferedBytesMax) {
      this.#behindFrom = committed.revision;
      return;
    }
    this.#buffer.push({ kind: "events", events: batch.events, revision: batch.revision });
    this.#bufferedEvents += batch.events.length;
    this.#bufferedBytes += valueBytes(batch.events);
    this.wake();
  }

  requestProgress(): void {
    this.#progressRequested = true;
    this.wake();
  }

  end(reason: StorageError): void {
    this.#ended = reason;
    this.wake();
  }

  wake(): void {
    this.#wake();
  }

  async *batches(
    revisionNow: () => Revision,
    options: WatchHubOptions,
    signal: AbortSignal,
    forget: () => void = () => undefined,
  ): AsyncGenerator<WatchBatch> {
    try {
      while (!signal.aborted) {
        if (this.#ended !== undefined) throw this.#ended;
        const batch = this.#buffer.shift();
        if (batch !== undefined) {
          if (batch.kind === "events") this.#release(batch.events);
          yield batch;
        } else if (this.#behindFrom !== undefined) {
          const chunk = await options.readHistory(this.#request, this.#behindFrom);
          // No await between this check and going live: a commit in between would be lost.
          this.#behindFrom = chunk.next > revisionNow() ? undefined : chunk.next;
          for (const { events, revision } of chunk.batches) {
            if (signal.aborted) return;
            yield { kind: "events", events, revision };
          }
        } else if (this.#progressRequested) {
          this.#progressRequested = false;
          yield { kind: "progress", revision: revisionNow() };
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      forget();
    }
  }

  #release(events: readonly KvEvent[]): void {
    this.#bufferedEvents -= events.length;
    this.#bufferedBytes -= valueBytes(events);
  }
}

/** The part of a revision that lies in the range; undefined when nothing does. */
function select(committed: CommittedRevision, range: WatchRequest): CommittedRevision | undefined {
  const { events } = committed;
  if (events.length === 1 && events[0] !== undefined) {
    return isInRange(events[0].kv.key, range) ? committed : undefined;
  }
  const selected = events.filter((event) => isInRange(event.kv.key, range));
  return selected.length === 0 ? undefined : { revision: toRevision(committed.revision), events: selected };
}
