import type { JsonValue } from "../json/json-value.js";
import { jsonTypeName } from "../json/unmarshal-problem.js";
import { DecodeError } from "./codec.js";
import { type ConversionTarget, conversionProblem } from "./conversion-problem.js";

/** The decoder's position in a value, and its errors about the value there. */
export class DecodePlace {
  firstMismatch: DecodeError | undefined;
  /** Names of the fields that lead here, as Kubernetes' errors count them: without indexes and map keys. */
  readonly names: string[] = [];
  /** The Go type that declares the last of these fields. */
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
    // Types that fail this way have their own decoder.
    const own = `json: cannot unmarshal ${what} into Go value of type ${typeName}`;
    throw new DecodeError(this.#words(what, typeName), this.path, own);
  }

  #words(what: string, typeName: string): string {
    return this.names.length === 0
      ? `json: cannot unmarshal ${what} into Go value of type ${typeName}`
      : `json: cannot unmarshal ${what} into Go struct field ${this.struct}.${this.names.join(".")} of type ${typeName}`;
  }
}
