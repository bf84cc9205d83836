import { aggregateText } from "../../apimachinery/errors/aggregate-text.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { TransformedValue, ValueTransformer } from "./value-transformer.js";

export interface PrefixedTransformer {
  /** The prefix of stored values. Empty for the transformer that leaves values unchanged. */
  readonly prefix: Buffer;
  readonly transformer: ValueTransformer;
}

/**
 * Writes with the first of several transformers, and reads with the first whose prefix matches and that understands the value. A value
 * read by any other than the first is stale. Source: apiserver `pkg/storage/value/transformer.go`.
 */
export class PrefixTransformers implements ValueTransformer {
  readonly #transformers: readonly PrefixedTransformer[];
  readonly #noMatch: string;

  /** `noMatch` is the error when no prefix matches. */
  constructor(noMatch: string, transformers: readonly PrefixedTransformer[]) {
    this.#noMatch = noMatch;
    this.#transformers = transformers;
  }

  toStorage(value: Uint8Array, key: string): MaybePromise<Uint8Array> {
    const first = this.#transformers[0];
    if (first === undefined) throw new Error("there is no transformer to write with");
    const { prefix, transformer } = first;
    const written = transformer.toStorage(value, key);
    if (prefix.length === 0) return written;
    return written instanceof Promise
      ? written.then((bytes) => Buffer.concat([prefix, bytes]))
      : Buffer.concat([prefix, written]);
  }

  fromStorage(value: Uint8Array, key: string): MaybePromise<TransformedValue> {
    return this.#fromStorage(value, key, 0, []);
  }

  #fromStorage(
    value: Uint8Array,
    key: string,
    start: number,
    failures: readonly string[],
  ): MaybePromise<TransformedValue> {
    let reasons = failures;
    for (let index = start; index < this.#transformers.length; index++) {
      const candidate = this.#transformers[index];
      if (candidate === undefined || !startsWith(value, candidate.prefix)) continue;
      // The identity transformer must not report an error for an encrypted value that another transformer may read.
      const failed = (error: unknown): readonly string[] =>
        candidate.prefix.length === 0 ? reasons : [...reasons, messageOf(error)];
      try {
        const rest = value.subarray(candidate.prefix.length);
        const read = candidate.transformer.fromStorage(rest, key);
        const finish = (result: TransformedValue): TransformedValue =>
          index === 0 ? result : { value: result.value, stale: true };
        if (!(read instanceof Promise)) return finish(read);
        return read.then(finish, (error: unknown) => this.#fromStorage(value, key, index + 1, failed(error)));
      } catch (error) {
        reasons = failed(error);
      }
    }
    throw new Error(reasons.length === 0 ? this.#noMatch : aggregateText(reasons));
  }
}

export function startsWith(value: Uint8Array, prefix: Uint8Array): boolean {
  if (value.length < prefix.length) return false;
  for (let index = 0; index < prefix.length; index++) {
    if (value[index] !== prefix[index]) return false;
  }
  return true;
}
