import { presenceOf } from "./canonical.js";
import { assembleSlots, type References, slotsOf, text, withEmbeddedType } from "./generated-code.js";
import type { ElementType, FieldSchema, MessageSchema } from "./message-schema.js";

/**
 * Generates a function `(v, reader) => object` for well-formed JSON of the type; for anything else it throws `mismatch`, and
 * `decodeSlowly` takes over. Unknown members set `sawUnknownField`.
 */
export function generateJsonDecode(
  schema: MessageSchema,
  references: References,
  options: { recursive: boolean; jsonSchemaProps: () => MessageSchema },
): string {
  const slots = slotsOf(schema);
  const context = { references, jsonSchemaProps: options.jsonSchemaProps };
  const cases = slots.map(
    ({ field, variable }) => `case ${text(field.name)}: ${decodeField(field, variable, context)} break;`,
  );
  if (schema.kind !== undefined) {
    cases.push(
      'case "kind": case "apiVersion": if (typeof x !== "string" && x != null) throw mismatch; break;',
    );
  }
  return `
if (typeof v !== "object" || v === null || Array.isArray(v)) throw mismatch;
${options.recursive ? "reader.enter();" : ""}
let ${["x", ...slots.map(({ variable }) => variable)].join(", ")};
for (const k in v) {
  x = v[k];
  switch (k) {
    ${cases.join("\n    ")}
    default: reader.sawUnknownField = true;
  }
}
${options.recursive ? "reader.leave();" : ""}
${assembleSlots(slots, references)}
return o;`;
}

interface Context {
  readonly references: References;
  readonly jsonSchemaProps: () => MessageSchema;
}

function decodeField(field: FieldSchema, target: string, context: Context): string {
  const emptyIsAbsent = presenceOf(field) === "unless-empty";
  const { element } = field;
  switch (field.cardinality) {
    case "one": {
      const decode = decodeElement(element, "x", target, context);
      const orDeferred = field.deferred ? `if (x instanceof DeferredMember) ${target} = x; else ` : "";
      return `if (x !== null) { ${orDeferred}${decode} }`;
    }
    case "list": {
      const isText = element.kind === "scalar" && element.scalar === "string";
      const body = isText
        ? `${target} = stringListFromJson(x);`
        : `const n = x.length; ${target} = []; for (let i = 0; i < n; i++) { let e = x[i]; if (e === null) throw mismatch; let r; ${decodeElement(element, "e", "r", context)} ${target}.push(${orNull(element, "r")}); }`;
      const guard = emptyIsAbsent ? "if (x.length !== 0) " : "";
      return `if (x !== null) { if (!Array.isArray(x)) throw mismatch; ${guard}{ ${body} } }`;
    }
    case "map": {
      const isText = element.kind === "scalar" && element.scalar === "string";
      if (element.kind === "special" && element.special === "Quantity")
        return `if (x !== null) ${target} = reader.quantityMap(x, ${emptyIsAbsent});`;
      const body = isText
        ? `${target} = reader.stringMap(x, ${emptyIsAbsent});`
        : `if (typeof x !== "object" || Array.isArray(x)) throw mismatch; ${target} = {}; for (const j in x) { const e = x[j]; if (e === null) throw mismatch; let r; ${decodeElement(element, "e", "r", context)} put(${target}, j, ${orNull(element, "r")}); }`;
      const drop = emptyIsAbsent && !isText ? `if (isEmpty(${target})) ${target} = undefined;` : "";
      return `if (x !== null) { ${body} ${drop} }`;
    }
  }
}

/** Zero times in lists and maps are null. */
function orNull(element: ElementType, value: string): string {
  return element.kind === "special" ? `${value} === undefined ? null : ${value}` : value;
}

/** Statements that set `target` from `value`, which is not null. */
function decodeElement(element: ElementType, value: string, target: string, context: Context): string {
  switch (element.kind) {
    case "any":
      return `${target} = ${value};`;
    case "message":
      return `${target} = ${withEmbeddedType(element, `${context.references.variable(element.message)}.decodeJson(${value}, reader)`)};`;
    case "scalar":
      switch (element.scalar) {
        case "string":
          return `if (typeof ${value} !== "string") throw mismatch; ${target} = ${value};`;
        case "bool":
          return `if (typeof ${value} !== "boolean") throw mismatch; ${target} = ${value};`;
        case "int32":
          return `if (typeof ${value} !== "number" || (${value} | 0) !== ${value}) throw mismatch; ${target} = ${value} | 0;`;
        case "int64":
          return `if (!Number.isSafeInteger(${value})) ${target} = int64FromJson(${value}); else ${target} = ${value} + 0;`;
        case "double":
          return `if (typeof ${value} !== "number") throw mismatch; ${target} = ${value};`;
        case "bytes":
          return `${target} = bytesFromJson(${value});`;
      }
      break;
    case "special":
      break;
  }
  const jsonSchema = () => `${context.references.variable(context.jsonSchemaProps())}.decodeJson`;
  switch (element.special) {
    case "Quantity":
      return `${target} = reader.quantity(${value});`;
    case "Time":
      return `${target} = timeFromJson(${value});`;
    case "MicroTime":
      return `${target} = microTimeFromJson(${value});`;
    case "Duration":
      return `${target} = durationFromJson(${value});`;
    case "IntOrString":
      return `if (typeof ${value} === "string") ${target} = ${value}; else { if (typeof ${value} !== "number" || (${value} | 0) !== ${value}) throw mismatch; ${target} = ${value} | 0; }`;
    case "RawExtension":
    case "JSON":
    case "FieldsV1":
    case "Unknown":
      return `${target} = ${value};`;
    case "StringList":
      return `${target} = stringListFromJson(${value});`;
    case "JSONSchemaPropsOrBool":
      return `${target} = typeof ${value} === "boolean" ? ${value} : ${jsonSchema()}(${value}, reader);`;
    case "JSONSchemaPropsOrArray":
      return `if (Array.isArray(${value})) { if (${value}.length === 0) throw mismatch; ${target} = ${value}.map((s) => ${jsonSchema()}(s, reader)); } else ${target} = ${jsonSchema()}(${value}, reader);`;
    case "JSONSchemaPropsOrStringArray":
      return `if (Array.isArray(${value})) { if (${value}.length === 0) throw mismatch; ${target} = stringListFromJson(${value}); } else ${target} = ${jsonSchema()}(${value}, reader);`;
  }
}
