import type { Steps } from "../steps.js";
import type { CanonicalQuantities } from "./canonical-quantities.js";
import type { FromJsonOptions } from "./codec.js";
import type { DecodeLimits } from "./decode-limits.js";
import { mismatch, stringMapFromJson } from "./json-special.js";
import { put } from "./object-members.js";

/** One to three milliseconds, before the generated functions are optimized. */
const messagesPerStep = 1_000;

export type DecodeJson = (value: unknown, reader: JsonReader, object?: object) => object;

/** A message whose object is still to be filled. */
interface PutOffMessage {
  readonly decode: DecodeJson;
  readonly value: unknown;
  readonly object: object;
  readonly depth: number;
}

/** A map of messages with members that are still to be read, from `at` on. */
interface PutOffMap {
  readonly message: { readonly decodeJson: DecodeJson };
  readonly value: { readonly [key: string]: unknown };
  readonly keys: readonly string[];
  readonly map: { [key: string]: object };
  readonly depth: number;
  at: number;
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
  readonly #putOff: (PutOffMessage | PutOffMap)[] = [];

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
      if ("map" in next) this.#readMembers(next);
      else {
        this.#left--;
        next.decode(next.value, this, next.object);
      }
    }
  }

  /** In steps: a map whose members `rest` reads; undefined for an empty one where that means the same as absent. Throws `mismatch`. */
  messageMap(
    message: PutOffMap["message"],
    value: unknown,
    emptyIsAbsent: boolean,
  ): { [key: string]: object } | undefined {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw mismatch;
    const keys = Object.keys(value);
    if (keys.length === 0) return emptyIsAbsent ? undefined : {};
    const map = {};
    const members = value as PutOffMap["value"]; // by the check above
    this.#putOff.push({ message, value: members, keys, map, depth: this.#limits.depth, at: 0 });
    return map;
  }

  #readMembers(rest: PutOffMap): void {
    const { message, value, keys, map } = rest;
    for (; rest.at < keys.length; rest.at++) {
      if (this.#left <= 0) {
        this.#putOff.push(rest);
        return;
      }
      const key = keys[rest.at] ?? "";
      const member = value[key];
      if (member === null) throw mismatch;
      put(map, key, message.decodeJson(member, this));
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

  /** Throws `mismatch` when the value is not a quantity. */
  quantity(value: unknown): string {
    this.#limits.countQuantity();
    const text = typeof value === "string" ? value : typeof value === "number" ? `${value}` : undefined;
    const canonical = text === undefined ? undefined : this.#quantities.of(text);
    if (canonical === undefined) throw mismatch;
    return canonical;
  }
}
