import type { SpecialType } from "./declaration.js";
import { assembleSlots, type References, slotsOf, withEmbeddedType } from "./generated-code.js";
import type { ElementType, FieldSchema, MessageSchema } from "./message-schema.js";

/**
 * Generates a function `(b, p, end, reader, rest) => object` that reads a message from `[p, end)` of the buffer `b`, and from the ranges
 * in `rest`, if any: a start, an end, and so on. Fields come in any order, unknown ones are skipped, the last of several values of one
 * field wins, and the parts of a message that comes several times are read as one. So each message is read when all its parts are
 * known, and nothing is copied. Declared fields become local variables, inlined messages nested loops over the same variables.
 */
export function generateProtoRead(
  schema: MessageSchema,
  references: References,
  options: { recursive: boolean; jsonSchemaProps: () => MessageSchema },
): string {
  const slots = slotsOf(schema);
  const variables = new Map(slots.map(({ field, variable }) => [field, variable]));
  const { jsonSchemaProps } = options;
  const context: Context = { references, jsonSchemaProps, variables, loops: 0, tables: [], parts: [] };
  const loop = readLoop(schema, "end", context);
  const known = context.tables.map((table, index) => `const known${index} = ${table};`);
  const starts = context.parts.map(({ target }) => `${target}s = -1, ${target}e, ${target}r`);
  return `
${known.join("\n")}
${options.recursive ? "reader.enter();" : ""}
let ${["t = 0, n, z = 0, next = 0", ...slots.map(({ variable }) => variable), ...starts].join(", ")};
for (;;) {
${loop}
if (rest === undefined || next === rest.length) break;
p = rest[next++];
end = rest[next++];
}
${context.parts.map(({ target, value }) => `if (${target}s >= 0) ${target} = ${value};`).join("\n")}
${options.recursive ? "reader.leave();" : ""}
${assembleSlots(slots, references)}
return o;`;
}

interface Context {
  readonly references: References;
  readonly jsonSchemaProps: () => MessageSchema;
  readonly variables: ReadonlyMap<FieldSchema, string>;
  readonly tables: string[];
  /** The variables of messages, and the source that reads each from its parts. */
  readonly parts: { readonly target: string; readonly value: string }[];
  loops: number;
}

/** Reads tags, and for each the value of its wire type: `n` for a varint, `[p, z)` for bytes. */
function readLoop(schema: MessageSchema, end: string, context: Context): string {
  const names = schema.fields.map(({ number, name }) => [number, name] as const);
  const table = `known${context.tables.push(`new Map(${JSON.stringify(names)})`) - 1}`;
  const cases = schema.fields.flatMap((field) => readField(field, context));
  return `
while (p < ${end}) {
  t = b[p++];
  if (t > 127) { t = reader.readLength(b, p - 1, ${end}); p = reader.position; }
  switch (t) {
    ${cases.join("\n    ")}
    default: p = reader.skip(b, p, ${end}, t, ${table});
  }
}
if (p !== ${end}) reader.truncated();`;
}

function varint(end: string): string {
  return `n = b[p++]; if (n > 127) { n = reader.readVarint(b, p - 1, ${end}); p = reader.position; }`;
}

function span(): string {
  return `n = b[p++]; if (n > 127) { n = reader.readLength(b, p - 1, b.length); p = reader.position; } z = p + n; if (!(z <= end)) reader.truncated();`;
}

function readField(field: FieldSchema, context: Context): string[] {
  const { element, number } = field;
  if (field.inline && element.kind === "message") {
    const inner = `end${++context.loops}`;
    return [
      `case ${number * 8 + 2}: { ${span()} const ${inner} = z; ${readLoop(element.message, inner, context)} break; }`,
    ];
  }
  const target = context.variables.get(field) ?? "";
  const scalar = element.kind === "scalar" ? element.scalar : undefined;
  const isNumber = scalar === "int32" || scalar === "int64" || scalar === "bool";
  if (isNumber) {
    const value = scalar === "bool" ? "n !== 0" : scalar === "int32" ? "reader.toInt32(n)" : "n";
    if (field.cardinality === "map") throw new Error("maps of numbers are not supported");
    if (field.cardinality === "one") {
      return [`case ${number * 8}: { ${varint("end")} ${target} = ${value}; break; }`];
    }
    return [
      `case ${number * 8}: { ${varint("end")} ${pushed(target, value)} break; }`,
      // Packed, which Kubernetes reads but does not write.
      `case ${number * 8 + 2}: { ${span()} const stop = z; ${target} ??= []; while (p < stop) { ${varint("stop")} ${pushed(target, value)} } break; }`,
    ];
  }
  if (scalar === "double") {
    if (field.cardinality !== "one") throw new Error("lists and maps of doubles are not supported");
    return [`case ${number * 8 + 1}: ${target} = reader.readDouble(b, p, end); p += 8; break;`];
  }
  const label = `case ${number * 8 + 2}: { ${span()}`;
  if (field.cardinality === "one" && isMerged(element)) {
    const at = [`${target}s`, `${target}e`, `${target}r`] as const;
    context.parts.push({ target, value: readSpan(element, at[0], at[1], context, at[2]) });
    const first = `${at[0]} = p; ${at[1]} = z;`;
    // Empty parts add nothing.
    const further = `if (p < z) (${at[2]} ??= []).push(p, z);`;
    return [`${label} if (${at[0]} < 0) { ${first} } else ${further} p = z; break; }`];
  }
  const value = readSpan(element, "p", "z", context);
  switch (field.cardinality) {
    case "one":
      return [`${label} ${target} = ${value}; p = z; break; }`];
    case "list":
      return [`${label} ${pushed(target, orNull(element, value))} p = z; break; }`];
    case "map": {
      const entry = readSpan(element, "reader.entryStart", "reader.entryEnd", context);
      return [
        `${label} reader.readEntry(b, p, z); const key = reader.entryKey; put(${target} ??= {}, key, ${orNull(element, entry)}); p = z; break; }`,
      ];
    }
  }
}

function pushed(list: string, value: string): string {
  return `(${list} ??= []).push(${value});`;
}

/** Zero times in lists and maps are null. */
function orNull(element: ElementType, value: string): string {
  return element.kind === "special" ? `${value} ?? null` : value;
}

/** Whether repeated values of a field are merged as parts of one message. A later time replaces an earlier one, like a string. */
function isMerged(element: ElementType): boolean {
  if (element.kind === "special") return element.special !== "Time" && element.special !== "MicroTime";
  return element.kind === "message";
}

/** The value in the bytes between two positions, and in the ranges of `rest`. */
function readSpan(
  element: ElementType,
  start: string,
  end: string,
  context: Context,
  rest = "undefined",
): string {
  const at = `b, ${start}, ${end}`;
  switch (element.kind) {
    case "any":
      throw new Error("a value of any type has no protobuf form");
    case "message": {
      const message = context.references.variable(element.message);
      return withEmbeddedType(element, `${message}.readProto(${at}, reader, ${rest})`);
    }
    case "scalar":
      return element.scalar === "bytes" ? `reader.readBytes(${at})` : `readString(${at})`;
    case "special":
      return readSpecial(element.special, at, context, rest);
  }
}

function readSpecial(special: SpecialType, at: string, context: Context, rest: string): string {
  const schemas = () => context.references.variable(context.jsonSchemaProps());
  switch (special) {
    case "Quantity":
      return `readQuantity(reader, quantities, ${at}, ${rest})`;
    case "Time":
    case "MicroTime":
      return `read${special}(reader, ${at})`;
    case "IntOrString":
    case "Duration":
    case "StringList":
    case "Unknown":
      return `read${special}(reader, ${at}, ${rest})`;
    case "RawExtension":
    case "JSON":
      return `readRaw(reader, ${at}, ${rest})`;
    case "FieldsV1":
      return `readFieldSet(reader, ${at}, ${rest})`;
    case "JSONSchemaPropsOrBool":
    case "JSONSchemaPropsOrArray":
    case "JSONSchemaPropsOrStringArray":
      return `readSchemaOr(reader, ${at}, ${schemas()}, "${special}", ${rest})`;
  }
}
