import type { JsonValue } from "../../apimachinery/json/json-value.js";

/**
 * How a value of a JSON document is laid out in protobuf. The schemas of OpenAPI documents in protobuf follow their JSON closely;
 * `within` and `choice` express the differences.
 */
export type Shape =
  | { readonly kind: "text" | "flag" | "integer" | "double" }
  /** Any JSON, as text. */
  | { readonly kind: "json" }
  | { readonly kind: "message"; readonly fields: () => MessageShape }
  /** Each item is encoded as a field of its own. */
  | { readonly kind: "repeated"; readonly of: Shape }
  /** The value is the only field of a message that wraps it. */
  | { readonly kind: "within"; readonly number: number; readonly of: Shape }
  /** The value decides which shape applies. */
  | { readonly kind: "choice"; readonly of: (value: JsonValue) => Shape };

export interface MessageShape {
  readonly fields: Readonly<Record<string, FieldShape>>;
  /** The field for all other members, as pairs of name and value. */
  readonly others?: FieldShape | undefined;
  /** The field for members whose names begin with `x-`, which hold any JSON. */
  readonly extensions?: number | undefined;
}

export interface FieldShape {
  readonly number: number;
  readonly shape: Shape;
}

export const text: Shape = { kind: "text" };
export const flag: Shape = { kind: "flag" };
export const integer: Shape = { kind: "integer" };
export const double: Shape = { kind: "double" };
export const json: Shape = { kind: "json" };

export function message(fields: () => MessageShape): Shape {
  return { kind: "message", fields };
}

export function repeated(of: Shape): Shape {
  return { kind: "repeated", of };
}

export function within(number: number, of: Shape): Shape {
  return { kind: "within", number, of };
}

export function choice(of: (value: JsonValue) => Shape): Shape {
  return { kind: "choice", of };
}

export function field(number: number, shape: Shape): FieldShape {
  return { number, shape };
}

/** A message whose every member is a pair of name and value. */
export function named(shape: Shape): Shape {
  return message(() => ({ fields: {}, others: field(1, shape) }));
}
