import { presenceOf } from "./canonical.js";
import { assembleSlots, member, type References, slotsOf, withEmbeddedType } from "./generated-code.js";
import type { ElementType, FieldSchema, MessageSchema } from "./message-schema.js";

/** Generates a function `(v) => object` that copies into canonical form. */
export function generateClone(
  schema: MessageSchema,
  references: References,
  jsonSchemaProps: () => MessageSchema,
): string {
  const slots = slotsOf(schema);
  const lines = slots.map(({ field, variable }) => {
    const read = `x = ${member("v", field.name)};`;
    return `${read} if (x !== undefined && x !== null) { ${cloneField(field, variable, references, jsonSchemaProps)} }`;
  });
  return `
let ${["x", ...slots.map(({ variable }) => variable)].join(", ")};
${lines.join("\n")}
${assembleSlots(slots, references)}
return o;`;
}

function cloneField(
  field: FieldSchema,
  target: string,
  references: References,
  jsonSchemaProps: () => MessageSchema,
): string {
  const { element } = field;
  const one = (value: string) => cloneElement(element, value, references, jsonSchemaProps);
  const emptyIsAbsent = presenceOf(field) === "unless-empty";
  switch (field.cardinality) {
    case "one":
      return `${target} = ${one("x")};`;
    case "list":
      return `const n = x.length; ${emptyIsAbsent ? "if (n !== 0) " : ""}{ ${target} = []; for (let i = 0; i < n; i++) { const e = x[i]; ${target}.push(${one("e")}); } }`;
    case "map": {
      const isText = element.kind === "scalar" && element.scalar === "string";
      const body = isText
        ? `${target} = cloneStringMap(x, ${emptyIsAbsent});`
        : `${target} = {}; for (const j in x) { const e = x[j]; put(${target}, j, ${one("e")}); }`;
      return `${body} ${emptyIsAbsent && !isText ? `if (isEmpty(${target})) ${target} = undefined;` : ""}`;
    }
  }
}

function cloneElement(
  element: ElementType,
  value: string,
  references: References,
  jsonSchemaProps: () => MessageSchema,
): string {
  switch (element.kind) {
    case "any":
      return `cloneJson(${value})`;
    case "message":
      return withEmbeddedType(element, `${references.variable(element.message)}.clone(${value})`);
    case "scalar":
      return value;
    case "special":
      break;
  }
  const jsonSchema = () => `${references.variable(jsonSchemaProps())}.clone`;
  switch (element.special) {
    case "Quantity":
      return `quantities.orAsIs(${value})`;
    case "Time":
    case "MicroTime":
    case "Duration":
    case "IntOrString":
      return value;
    case "RawExtension":
    case "JSON":
    case "FieldsV1":
    case "Unknown":
      return `cloneJson(${value})`;
    case "StringList":
      return `(${value} === null ? null : ${value}.slice())`;
    case "JSONSchemaPropsOrBool":
      return `(typeof ${value} === "boolean" ? ${value} : ${jsonSchema()}(${value}))`;
    case "JSONSchemaPropsOrArray":
      return `(Array.isArray(${value}) ? ${value}.map((s) => ${jsonSchema()}(s)) : ${jsonSchema()}(${value}))`;
    case "JSONSchemaPropsOrStringArray":
      return `(${value} === null ? null : Array.isArray(${value}) ? ${value}.slice() : ${jsonSchema()}(${value}))`;
  }
}
