import { asError } from "../../apimachinery/errors/as-error.js";
import { expired, internal, StatusError } from "../../apimachinery/errors/status.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { statusOfStorageError } from "../../registry/generic/storage-status.js";
import type { StoredObject, WatchEvent, WatchSink } from "../../storage/object-store.js";
import type { BatchEncoder } from "./batch-encoder.js";
import type { WatchStream } from "./watch-stream.js";

/** Prepares what the encoder needs of a large object; undefined if there is nothing to wait for. */
export type Prepare = (stored: StoredObject<ApiObject>) => Promise<void> | undefined;

/**
 * Receives events from the store: queues those that arrive before the stream is open, then encodes and forwards them. The watch pauses
 * while a large object is being prepared.
 */
export class WatchRelay implements WatchSink<ApiObject> {
  readonly #encoder: BatchEncoder;
  readonly #prepare: Prepare | undefined;
  /** The queue of deliveries behind a large object that is being prepared. */
  #steps: Promise<void> | undefined;
  #stream: WatchStream | undefined;
  #early: Buffer[] = [];
  #isFirst = true;
  #ended = false;
  #failure: StatusError | undefined;

  constructor(encoder: BatchEncoder, prepare: Prepare | undefined) {
    this.#encoder = encoder;
    this.#prepare = prepare;
  }

  events(batch: readonly WatchEvent<ApiObject>[]): void {
    if (this.#ended) return;
    if (this.#steps !== undefined) {
      this.#then(() => this.#prepared(batch));
      return;
    }
    const preparing = this.#prepared(batch);
    if (preparing !== undefined) this.#then(() => preparing);
  }

  end(error: Error | undefined): void {
    if (this.#steps === undefined) this.#end(error);
    else this.#then(async () => this.#end(error));
  }

  /** Forwards the batch, at once unless one of its objects must be prepared. */
  #prepared(batch: readonly WatchEvent<ApiObject>[]): Promise<void> | undefined {
    for (const [index, event] of batch.entries()) {
      const preparing = event.type === "BOOKMARK" ? undefined : this.#prepare?.(event.object);
      if (preparing !== undefined) return this.#preparedFrom(batch, index + 1, preparing);
    }
    this.#forward(batch);
    return undefined;
  }

  async #preparedFrom(
    batch: readonly WatchEvent<ApiObject>[],
    from: number,
    preparing: Promise<void>,
  ): Promise<void> {
    await preparing;
    for (const event of batch.slice(from)) {
      if (event.type !== "BOOKMARK") await this.#prepare?.(event.object);
    }
    this.#forward(batch);
  }

  #then(step: () => Promise<void> | undefined): void {
    const steps = (this.#steps ?? Promise.resolve())
      .then(step)
      .catch((error: unknown) => this.#end(asError(error)));
    this.#steps = steps;
    void steps.then(() => {
      if (this.#steps === steps) this.#steps = undefined;
    });
  }

  #forward(batch: readonly WatchEvent<ApiObject>[]): void {
    if (this.#ended) return;
    const frames = this.#encoder.encode(batch, this.#isFirst);
    this.#isFirst = false;
    if (this.#stream === undefined) this.#early.push(...frames);
    else this.#stream.send(frames, happenedAt(batch));
  }

  #end(error: Error | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    if (error !== undefined) this.#failure = toStatus(error);
    if (this.#stream !== undefined) this.#close(this.#stream);
  }

  /** Pauses a large initial state until the client has read what was sent. */
  ready(): Promise<void> | undefined {
    if (this.#steps !== undefined) return this.#steps;
    if (this.#stream === undefined) return this.#early.length === 0 ? undefined : this.#opened();
    if (this.#stream.closed || this.#stream.bufferedBytes <= comfortableBytes) return undefined;
    return this.#stream.drained();
  }

  open(stream: WatchStream): void {
    this.#stream = stream;
    stream.send(this.#early);
    this.#early = [];
    this.#onOpen?.();
    if (this.#ended) this.#close(stream);
  }

  #onOpen: (() => void) | undefined;

  #opened(): Promise<void> {
    return new Promise((resolve) => {
      this.#onOpen = resolve;
    });
  }

  #close(stream: WatchStream): void {
    if (this.#failure !== undefined) stream.send([this.#encoder.encoder.error(this.#failure.status)]);
    stream.end();
  }
}

function happenedAt([first]: readonly WatchEvent<ApiObject>[]): number | undefined {
  return first === undefined || first.type === "BOOKMARK" ? undefined : first.receivedAt;
}

const comfortableBytes = 512 * 1024;

function toStatus(error: Error): StatusError {
  if (error instanceof StatusError) return error;
  const status = statusOfStorageError(error, { group: "", resource: "" }, "");
  if (status instanceof StatusError) {
    return status.status.reason === "ServiceUnavailable"
      ? expired("too old resource version: the watcher fell behind")
      : status;
  }
  return internal("the watch failed", error);
}
