import { put } from "../collections/put.js";
import { JsonScanner, textOf } from "./json-scanner.js";
import type { JsonValue } from "./json-value.js";
import { numberPathLengthMax, numberTextsMax, type WrittenNumber } from "./written-number.js";

export interface ParseJsonOptions {
  /**
   * Called with the dotted path of each member that repeats an earlier name of the same object, in order:
   * `spec.containers[0].name`. The last one wins.
   */
  readonly onDuplicateField?: ((path: string) => void) | undefined;
  /**
   * Called with the path of every member, in order, and whether it repeats an earlier name of the same object. With it, the slower parser
   * runs.
   */
  readonly onMember?: ((path: string, isRepeated: boolean) => void) | undefined;
  /**
   * Called for a number whose value would be printed differently, such as `1.0`; returns the value to use instead. Called for the first
   * thousand such numbers, and not for deeply nested ones.
   */
  readonly onNumberText?: ((path: string, written: WrittenNumber) => JsonValue) | undefined;
  /** Levels of objects and lists. Default 1,000. */
  readonly depthMax?: number | undefined;
}

/**
 * Kubernetes allows 10,000, on a stack that grows. Here the recursive functions that walk a value (printing, patching, validation)
 * must fit the megabyte of stack that a thread has.
 */
export const defaultDepthMax = 1000;

/** No declared integer field is nested deeper, except in schemas. */
const numberDepthMax = 64;

/** Marks the start of a list or an object, in place of its value. */
const opened = Symbol("opened");

interface Frame {
  readonly container: JsonValue[] | { [key: string]: JsonValue };
  readonly isObject: boolean;
  /** Name of the current member, or index of the current item. */
  key: string;
  index: number;
  /** Only when members or duplicates are reported. */
  readonly names: Set<string> | undefined;
}

/**
 * Reads one JSON document, at once or some values at a time. Keeps its own stack, so that only the depth limit bounds nesting. Slower than the
 * engine's parser; has the words of Kubernetes' for what is wrong.
 */
export class JsonParser {
  readonly #scanner: JsonScanner;
  readonly #depthMax: number;
  readonly #onDuplicate: ParseJsonOptions["onDuplicateField"];
  readonly #onMember: ParseJsonOptions["onMember"];
  readonly #onNumberText: ParseJsonOptions["onNumberText"];
  readonly #reported = new Set<string>();
  readonly #frames: Frame[] = [];
  #numberTexts = 0;
  #isBegun = false;
  /** The last value read. */
  #held: JsonValue | typeof opened = opened;

  constructor(input: string | Uint8Array, options: ParseJsonOptions = {}) {
    this.#scanner = new JsonScanner(textOf(input), options.onNumberText !== undefined);
    this.#depthMax = options.depthMax ?? defaultDepthMax;
    this.#onDuplicate = options.onDuplicateField;
    this.#onMember = options.onMember;
    this.#onNumberText = options.onNumberText;
  }

  /** Reads at most this many more values. Returns whether it reached the end. Throws `JsonSyntaxError`. */
  advance(values: number): boolean {
    let value = this.#isBegun ? this.#held : this.#value();
    this.#isBegun = true;
    for (let count = 0; count < values; count++) {
      const frame = this.#frames.at(-1);
      if (value === opened) {
        value = this.#begin();
      } else if (frame === undefined) {
        this.#held = value;
        if (this.#scanner.next() !== undefined) this.#scanner.invalid("after top-level value");
        return true;
      } else {
        this.#add(frame, value);
        value = this.#afterMember(frame);
      }
    }
    this.#held = value;
    return false;
  }

  /** The document, once it was read completely. */
  get result(): JsonValue {
    if (this.#held === opened) throw new Error("the document was not read to its end");
    return this.#held;
  }

  #value(): JsonValue | typeof opened {
    switch (this.#scanner.next()) {
      case "{":
        return this.#open({}, true);
      case "[":
        return this.#open([], false);
      default:
        return this.#scalar();
    }
  }

  #scalar(): JsonValue {
    const scalar = this.#scanner.scalar();
    if (typeof scalar !== "object" || scalar === null) return scalar;
    if (this.#frames.length > numberDepthMax || ++this.#numberTexts > numberTextsMax) return scalar.value;
    const path = this.#path();
    if (path.length > numberPathLengthMax) return scalar.value;
    return this.#onNumberText?.(path, scalar) ?? scalar.value;
  }

  #open(container: Frame["container"], isObject: boolean): typeof opened {
    if (this.#frames.length >= this.#depthMax) this.#scanner.invalid("exceeded max depth");
    const isWatched = this.#onDuplicate !== undefined || this.#onMember !== undefined;
    const names = isObject && isWatched ? new Set<string>() : undefined;
    this.#frames.push({ container, isObject, key: "", index: 0, names });
    this.#scanner.pass();
    return opened;
  }

  /** The first value of the container that has just begun, or the container itself when it is empty. */
  #begin(): JsonValue | typeof opened {
    const frame = this.#frames.at(-1);
    const character = this.#scanner.next();
    if (frame === undefined || character === (frame.isObject ? "}" : "]")) return this.#close();
    if (frame.isObject) this.#memberName(frame);
    return this.#value();
  }

  /** The value after a comma, or the container when it ends here. */
  #afterMember(frame: Frame): JsonValue | typeof opened {
    const character = this.#scanner.next();
    if (character === (frame.isObject ? "}" : "]")) return this.#close();
    if (character !== ",") {
      this.#scanner.invalid(frame.isObject ? "after object key:value pair" : "after array element");
    }
    this.#scanner.pass();
    if (frame.isObject) this.#memberName(frame);
    return this.#value();
  }

  #close(): JsonValue {
    this.#scanner.pass();
    return this.#frames.pop()?.container ?? null;
  }

  #memberName(frame: Frame): void {
    const scanner = this.#scanner;
    if (scanner.next() !== '"') scanner.invalid("looking for beginning of object key string");
    frame.key = scanner.string();
    if (scanner.next() !== ":") scanner.invalid("after object key");
    scanner.pass();
    if (frame.names === undefined) return;
    const isRepeated = frame.names.has(frame.key);
    if (isRepeated) this.#reportDuplicate();
    this.#onMember?.(this.#path(), isRepeated);
    frame.names.add(frame.key);
  }

  #reportDuplicate(): void {
    const path = this.#path();
    if (this.#reported.has(path)) return;
    this.#reported.add(path);
    this.#onDuplicate?.(path);
  }

  #path(): string {
    let path = "";
    for (const { isObject, key, index } of this.#frames) {
      path += isObject ? `${path === "" ? "" : "."}${key}` : `[${index}]`;
    }
    return path;
  }

  #add(frame: Frame, value: JsonValue): void {
    if (Array.isArray(frame.container)) {
      frame.container.push(value);
      frame.index++;
    } else put(frame.container, frame.key, value);
  }
}
