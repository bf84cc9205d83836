import { isJsonObject } from "../json-value.js";
import type { Steps } from "../steps.js";
import type { CanonicalQuantities } from "./canonical-quantities.js";
import type { FromJsonOptions } from "./codec.js";
import type { DecodeLimits } from "./decode-limits.js";
import { mismatch, stringMapFromJson } from "./json-special.js";
import { put } from "./object-members.js";

/** One to three milliseconds, before the generated functions are optimized. */
const messagesPerStep = 1_000;
/** Of messages: those that are read in several steps. */
export const longListMin = 500;

export type DecodeJson = (value: unknown, reader: JsonReader, object?: object) => object;

/** A message whose object is still to be filled. */
interface PutOffMessage {
  readonly decode: DecodeJson;
  readonly value: unknown;
  readonly object: object;
  readonly depth: number;
}

/** A map or list with members that are still to be read, from `at` on. */
interface PutOffMembers {
  readonly read: (at: number) => void;
  readonly count: number;
  readonly depth: number;
  at: number;
}

interface MessageDecoder {
  readonly decodeJson: DecodeJson;
}

/**
 * State of generated JSON decoders while they decode one value. In steps, each asks `isOver` for its message. Once a step is over, messages
 * become empty objects, which the next steps fill.
 */
export class JsonReader {
  isStepped = false;
  /** Set when a field is unknown to the type. */
  sawUnknownField = false;
  #adopts = false;
  readonly #limits: DecodeLimits;
  readonly #quantities: CanonicalQuantities;
  #left = messagesPerStep;
  readonly #putOff: (PutOffMessage | PutOffMembers)[] = [];

  constructor(limits: DecodeLimits, quantities: CanonicalQuantities) {
    this.#limits = limits;
    this.#quantities = quantities;
  }

  begin(options: FromJsonOptions | undefined): void {
    this.sawUnknownField = false;
    this.#adopts = options?.adopts === true;
    this.#limits.begin(options);
  }

  /** Counts a message; true when it must be put off. */
  isOver(): boolean {
    return --this.#left < 0;
  }

  /** Answers `object`, which `decode` will fill later. */
  putOff(decode: DecodeJson, value: unknown, object: object): object {
    this.#putOff.push({ decode, value, object, depth: this.#limits.depth });
    return object;
  }

  /** What was put off. Throws as the decoders do. */
  *rest(): Steps<void> {
    for (let next = this.#putOff.pop(); next !== undefined; next = this.#putOff.pop()) {
      if (this.#left <= 0) {
        yield;
        this.#left = messagesPerStep;
      }
      this.#limits.depth = next.depth;
      if ("read" in next) this.#readMembers(next);
      else {
        this.#left--;
        next.decode(next.value, this, next.object);
      }
    }
  }

  /** In steps: a map whose members `rest` reads; undefined for an empty one where that means the same as absent. Throws `mismatch`. */
  messageMap(
    message: MessageDecoder,
    value: unknown,
    emptyIsAbsent: boolean,
  ): { [key: string]: object } | undefined {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw mismatch;
    const keys = Object.keys(value);
    if (keys.length === 0) return emptyIsAbsent ? undefined : {};
    const map: { [key: string]: object } = {};
    const members = value as { readonly [key: string]: unknown }; // by the check above
    this.#putOffMembers(keys.length, (at) => {
      const key = keys[at] ?? "";
      put(map, key, this.#decoded(message, members[key]));
    });
    return map;
  }

  /** The same for a long list. */
  messageList(message: MessageDecoder, items: readonly unknown[]): object[] {
    const list: object[] = [];
    this.#putOffMembers(items.length, (at) => list.push(this.#decoded(message, items[at])));
    return list;
  }

  #decoded(message: MessageDecoder, value: unknown): object {
    if (value === null) throw mismatch;
    return message.decodeJson(value, this);
  }

  #putOffMembers(count: number, read: (at: number) => void): void {
    this.#putOff.push({ read, count, depth: this.#limits.depth, at: 0 });
  }

  #readMembers(rest: PutOffMembers): void {
    for (; rest.at < rest.count; rest.at++) {
      if (this.#left <= 0) {
        this.#putOff.push(rest);
        return;
      }
      // Each may put off others.
      this.#limits.depth = rest.depth;
      rest.read(rest.at);
    }
  }

  enter(): void {
    this.#limits.enter();
  }

  leave(): void {
    this.#limits.leave();
  }

  /** A map of texts; undefined for an empty map where that means the same as absent. Throws `mismatch`. */
  stringMap(value: unknown, emptyIsAbsent: boolean): { [key: string]: string } | undefined {
    return stringMapFromJson(value, emptyIsAbsent, this.#adopts);
  }

  /** A map of quantities; undefined for an empty map where that means the same as absent. Throws `mismatch`. */
  quantityMap(value: unknown, emptyIsAbsent: boolean): { [key: string]: string } | undefined {
    if (!isJsonObject(value)) throw mismatch;
    const keys = Object.keys(value);
    if (keys.length === 0 && emptyIsAbsent) return undefined;
    const map: { [key: string]: string } = {};
    const read = (at: number): void => {
      this.#left--;
      const key = keys[at] ?? "";
      put(map, key, this.quantity(value[key]));
    };
    if (this.isStepped) this.#readMembers({ read, count: keys.length, depth: this.#limits.depth, at: 0 });
    else for (let at = 0; at < keys.length; at++) read(at);
    return map;
  }

  /** Throws `mismatch` when the value is not a quantity. */
  quantity(value: unknown): string {
    this.#limits.countQuantity();
    const text = typeof value === "string" ? value : typeof value === "number" ? `${value}` : undefined;
    const canonical = text === undefined ? undefined : this.#quantities.of(text);
    if (canonical === undefined) throw mismatch;
    return canonical;
  }
}
