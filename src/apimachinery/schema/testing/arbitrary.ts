import fc from "fast-check";
import { parseJson } from "../../json/json-parse.js";
import type { JsonValue } from "../../json/json-value.js";
import { canonicalQuantity } from "../../values/quantity.js";
import { formatMicroTime, formatTime } from "../../values/time.js";
import { presenceOf, withEmbeddedType } from "../canonical.js";
import type { ScalarType, SpecialType } from "../declaration.js";
import type { ElementType, FieldSchema, MessageSchema } from "../message-schema.js";

export interface ArbitraryMessageOptions {
  /** Levels of messages for which optional fields are filled. Default 3. */
  readonly depth?: number | undefined;
  /** The JSON schema type, for types that contain one. */
  readonly jsonSchemaProps: () => MessageSchema;
}

/**
 * Objects of the message types of one registry in canonical form (see `Codec`), with hostile strings and extreme numbers. What types
 * have in common is made once.
 */
export function arbitraryMessages({
  depth = 3,
  jsonSchemaProps,
}: ArbitraryMessageOptions): (schema: MessageSchema) => fc.Arbitrary<object> {
  const made = new MessageArbitraries(jsonSchemaProps);
  return (schema) => made.message(schema, depth);
}

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("default", "a<b>&c", "\u2028", '"\\', "x".repeat(60), "é".repeat(50)),
);

const key = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("app", "10", "9", "__proto__", "\ue000", "\u{1f600}"),
);

const seconds = fc.integer({ min: -62_135_596_799, max: 253_402_300_799 });

const json: fc.Arbitrary<JsonValue> = fc
  .oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant({ a: [1, null] }))
  // Normalized through JSON text, which has no negative zero and no inexact integers; never null, which means absent.
  .map((value) => parseJson(JSON.stringify(value)))
  .filter((value) => value !== null && value !== undefined);

class MessageArbitraries {
  readonly #jsonSchemaProps: () => MessageSchema;
  readonly #made = new Map<string, fc.Arbitrary<object>>();

  constructor(jsonSchemaProps: () => MessageSchema) {
    this.#jsonSchemaProps = jsonSchemaProps;
  }

  message(schema: MessageSchema, depth: number): fc.Arbitrary<object> {
    const id = `${schema.name} ${depth}`;
    const known = this.#made.get(id);
    if (known !== undefined) return known;
    const members: Record<string, fc.Arbitrary<unknown>> = {};
    const required: string[] = [];
    for (const field of schema.jsonFields.values()) {
      const isRequired = presenceOf(field) === "always";
      if (!isRequired && depth <= 0 && holdsMessages(field.element)) continue;
      if (isRequired) required.push(field.name);
      members[field.name] = this.#field(field, depth);
    }
    const made = fc.record(members, { requiredKeys: required, noNullPrototype: true });
    this.#made.set(id, made);
    return made;
  }

  #field(field: FieldSchema, depth: number): fc.Arbitrary<unknown> {
    const value = this.#element(field.element, depth - 1);
    switch (field.cardinality) {
      case "list":
        return fc.array(value, { minLength: 1, maxLength: 3 });
      case "map":
        return fc.dictionary(key, value, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
      case "one":
        return presenceOf(field) === "unless-empty" ? value.filter((v) => Boolean(v)) : value;
    }
  }

  #element(element: ElementType, depth: number): fc.Arbitrary<unknown> {
    switch (element.kind) {
      case "any":
        return json;
      case "message":
        return this.message(element.message, depth).map((object) => withEmbeddedType(element, object));
      case "scalar":
        return scalar(element.scalar);
      case "special":
        return this.#special(element.special, depth);
    }
  }

  #special(special: SpecialType, depth: number): fc.Arbitrary<unknown> {
    const schema = () => this.message(this.#jsonSchemaProps(), Math.min(depth, 0));
    switch (special) {
      case "Quantity":
        return fc
          .tuple(fc.integer(), fc.constantFrom("", "m", "n", "k", "Mi", "Gi", "e3"))
          .map(([amount, suffix]) => canonicalQuantity(`${amount}${suffix}`));
      case "IntOrString":
        return fc.oneof(scalar("int32"), text);
      case "Time":
        return seconds.map(formatTime);
      case "MicroTime":
        return fc
          .tuple(seconds, fc.nat(999_999))
          .map(([whole, micros]) => formatMicroTime({ seconds: whole, nanos: micros * 1000 }));
      case "Duration":
        return fc.constantFrom("0s", "1h0m0s", "1.5s", "-3m0s", "2562047h47m16.854775807s");
      case "FieldsV1":
        return fc.dictionary(fc.string(), fc.constant({}), { noNullPrototype: true });
      case "RawExtension":
      case "JSON":
      case "Unknown":
        return json;
      case "StringList":
        return fc.array(text, { minLength: 1, maxLength: 3 });
      case "JSONSchemaPropsOrBool":
        return fc.oneof(fc.boolean(), schema());
      case "JSONSchemaPropsOrArray":
        return fc.oneof(schema(), fc.array(schema(), { minLength: 1, maxLength: 2 }));
      case "JSONSchemaPropsOrStringArray":
        return fc.oneof(schema(), fc.array(text, { minLength: 1, maxLength: 2 }));
    }
  }
}

function scalar(type: ScalarType): fc.Arbitrary<unknown> {
  switch (type) {
    case "string":
      return text;
    case "bool":
      return fc.boolean();
    case "int32":
      return fc.oneof(fc.integer(), fc.constantFrom(0, 127, 128, 0x7fffffff, -0x80000000));
    case "int64":
      return fc.oneof(
        fc.maxSafeInteger(),
        fc
          .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
          .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value)),
      );
    case "double":
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));
    case "bytes":
      return fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString("base64"));
  }
}

function holdsMessages(element: ElementType): boolean {
  return (
    element.kind === "message" ||
    (element.kind === "special" && element.special.startsWith("JSONSchemaProps"))
  );
}
