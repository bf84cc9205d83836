import type { JsonValue } from "../json/json-value.js";
import { jsonTypeName } from "../json/unmarshal-problem.js";
import { DecodeError } from "./codec.js";
import { type ConversionTarget, conversionProblem } from "./conversion-problem.js";

/** Where a decoder is in a value, and what it says of values there that do not fit. */
export class DecodePlace {
  firstMismatch: DecodeError | undefined;
  /** Names of the fields that lead here, as Kubernetes' errors count them: without indexes and map keys. */
  readonly names: string[] = [];
  /** The Go type that has the last of these fields. */
  struct = "";
  /** The location, with indexes and map keys. */
  path = "";

  mismatch(value: JsonValue, typeName: string, target: ConversionTarget): undefined {
    this.mismatchOf(jsonTypeName(value), typeName, conversionProblem(value, target, typeName));
  }

  mismatchOf(what: string, typeName: string, ofConversion?: string): undefined {
    this.note(this.#words(what, typeName), ofConversion);
  }

  note(message: string, ofConversion?: string): void {
    this.firstMismatch ??= new DecodeError(message, this.path, ofConversion);
  }

  fatalMismatch(value: JsonValue, typeName: string): never {
    return this.fatal(jsonTypeName(value), typeName);
  }

  fatal(what: string, typeName: string): never {
    // The types that fail so decode themselves.
    const own = `json: cannot unmarshal ${what} into Go value of type ${typeName}`;
    throw new DecodeError(this.#words(what, typeName), this.path, own);
  }

  #words(what: string, typeName: string): string {
    return this.names.length === 0
      ? `json: cannot unmarshal ${what} into Go value of type ${typeName}`
      : `json: cannot unmarshal ${what} into Go struct field ${this.struct}.${this.names.join(".")} of type ${typeName}`;
  }
}
