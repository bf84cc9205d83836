import { IdleEviction } from "../../apimachinery/collections/idle-eviction.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { WatchEvent } from "../../storage/object-store.js";
import { Distribution } from "../../telemetry/distribution.js";
import type { WatchEncoder } from "./watch-encoder.js";
import type { SentEvents } from "./watch-metrics.js";

interface EncodedBatch {
  readonly frames: readonly Buffer[];
  readonly sizes: Distribution;
}

const batches = new IdleEviction<BatchEncoder>(5_000, (encoder) => encoder.forget());

/**
 * Encodes and counts events for the watchers of one representation. Thousands of them get the same batch one after the other: it is encoded
 * and measured once, and all get the same array.
 */
export class BatchEncoder {
  readonly encoder: WatchEncoder;
  readonly #sent: SentEvents;
  #batch: readonly WatchEvent<ApiObject>[] | undefined;
  #encoded: EncodedBatch | undefined;

  constructor(encoder: WatchEncoder, sent: SentEvents) {
    this.encoder = encoder;
    this.#sent = sent;
  }

  /** One frame per event. The caller must not change the array. */
  encode(batch: readonly WatchEvent<ApiObject>[], beginsWatch: boolean): readonly Buffer[] {
    const { frames, sizes } = beginsWatch ? this.#encode(batch, true) : this.#remembered(batch);
    this.#sent.events.value += frames.length;
    this.#sent.sizes.add(sizes);
    return frames;
  }

  #remembered(batch: readonly WatchEvent<ApiObject>[]): EncodedBatch {
    if (batch === this.#batch && this.#encoded !== undefined) return this.#encoded;
    this.#batch = batch;
    this.#encoded = this.#encode(batch, false);
    batches.used(this);
    return this.#encoded;
  }

  /** Drops the last batch, which may be large. */
  forget(): void {
    this.#batch = undefined;
    this.#encoded = undefined;
  }

  #encode(batch: readonly WatchEvent<ApiObject>[], beginsWatch: boolean): EncodedBatch {
    const sizes = new Distribution(this.#sent.sizes.bounds);
    const frames = batch.map((event, index) => this.encoder.event(event, beginsWatch && index === 0));
    for (const frame of frames) sizes.observe(frame.length);
    return { frames, sizes };
  }
}
