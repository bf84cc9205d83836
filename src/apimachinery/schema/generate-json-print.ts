import { presenceOf } from "./canonical.js";
import { member, type References, slotsOf, text } from "./generated-code.js";
import type { ElementType, FieldSchema, MessageSchema } from "./message-schema.js";

/**
 * Generates a function `(o) => string` that prints the members of an object without braces, because some callers add members of their
 * own.
 */
export function generateJsonPrint(
  schema: MessageSchema,
  references: References,
  jsonSchemaProps: () => MessageSchema,
): string {
  // After a member that is always written, a comma is always needed.
  let commaIsSure = false;
  const lines: string[] = [];
  const cases: string[] = [];
  const slots = slotsOf(schema);
  const isSparse =
    slots.length >= sparseFieldsMin &&
    slots.every(({ field }) => !field.deferred && isOmittedWhenAbsent(conditionOf(field)));
  for (const [index, { field }] of slots.entries()) {
    const { element } = field;
    const push = (line: string): void => {
      lines.push(`x = ${member("o", field.name)}; ${line}`);
      if (isSparse)
        cases.push(
          `case ${text(field.name)}: if (at > ${index}) break present; at = ${index}; ${line} continue;`,
        );
    };
    const condition = conditionOf(field);
    const key = `${text(field.name)}:`;
    const first = commaIsSure ? text(`,${key}`) : `(s === "" ? ${text(key)} : ${text(`,${key}`)})`;
    if (!isOmittedWhenAbsent(condition)) commaIsSure = true;
    const { statements, expression } = printField(field, references, jsonSchemaProps);
    const isTextMap = condition === "not-empty-map" && expression === printedStringMap;
    if (isTextMap) {
      // Checking whether a map of many keys is empty takes as long as walking it.
      const print = `const t = ${expression}; if (t !== "{}") s += ${first} + t;`;
      push(writeWhen("present", print, first));
      continue;
    }
    const isQuantityMap =
      condition === "not-empty-map" && element.kind === "special" && element.special === "Quantity";
    if (isQuantityMap) {
      push(writeWhen("present", `${statements} if (t !== "") s += ${first} + ${expression};`, first));
      continue;
    }
    const write = `${statements ?? ""} s += ${first} + ${expression};`;
    const line = writeWhen(condition, write, first);
    if (field.deferred) {
      lines.push(`x = deferredText(o, ${text(field.name)}); if (x !== undefined) s += ${first} + x; else`);
      lines.push(`{ x = ${member("o", field.name)}; ${line} }`);
    } else push(line);
  }
  return `
if (o === undefined || o === null) o = emptyObject;
let s = "", x;
${isSparse ? printPresent(cases) : ""}
${lines.join("\n")}
return s;`;
}

/** With so many fields, of which an object has few, finding those takes longer than printing them. */
const sparseFieldsMin = 32;

function isOmittedWhenAbsent(condition: Condition): boolean {
  return condition !== "written" && !condition.startsWith("null");
}

/** Prints the members that the object has, as long as they come in declared order, as in decoded objects. Else starts over. */
function printPresent(cases: readonly string[]): string {
  return `let at = -1;
present: {
for (const k in o) {
  x = o[k];
  switch (k) {
    ${cases.join("\n    ")}
  }
}
return s;
}
s = "";`;
}

const printedStringMap = "printStringMap(x)";

function writeWhen(condition: Condition, write: string, first: string): string {
  switch (condition) {
    case "written":
      return write;
    case "null":
      return `if (x === undefined || x === null) s += ${first} + "null"; else { ${write} }`;
    case "null-for-empty-list":
      return `if (x === undefined || x === null || (x.length === 0 && printing.asStored)) s += ${first} + "null"; else { ${write} }`;
    case "null-for-empty-map":
      return `if (x === undefined || x === null || (printing.asStored && isEmpty(x))) s += ${first} + "null"; else { ${write} }`;
    case "truthy":
      return `if (x) { ${write} }`;
    case "not-empty-list":
      return `if (x !== undefined && x !== null && x.length !== 0) { ${write} }`;
    case "not-empty-map":
      return `if (x !== undefined && x !== null && !isEmpty(x)) { ${write} }`;
    case "present":
      return `if (x !== undefined && x !== null) { ${write} }`;
  }
}

type Condition =
  | "written"
  | "null"
  | "null-for-empty-list"
  | "null-for-empty-map"
  | "truthy"
  | "not-empty-list"
  | "not-empty-map"
  | "present";

/** The condition for writing the member; "null" writes it always, as null when absent. */
function conditionOf(field: FieldSchema): Condition {
  const { element, cardinality, omitempty } = field;
  if (cardinality === "list") return omitempty ? "not-empty-list" : "null-for-empty-list";
  if (cardinality === "map") return omitempty ? "not-empty-map" : "null-for-empty-map";
  if (field.pointer) return omitempty ? "present" : "null";
  switch (presenceOf(field)) {
    case "always":
      return "written";
    case "unless-empty":
      return element.kind === "special" ? "not-empty-list" : "truthy";
    case "if-present":
      // Structures are never empty to `omitempty`; `any` can be.
      return field.omitzero || (element.kind === "any" && omitempty) ? "present" : "null";
  }
}

/** The value in `x`, after the statements. */
function printField(
  field: FieldSchema,
  references: References,
  jsonSchemaProps: () => MessageSchema,
): { statements?: string; expression: string } {
  const { element } = field;
  const one = (value: string) => printElement(element, value, references, jsonSchemaProps);
  const isText = element.kind === "scalar" && element.scalar === "string";
  switch (field.cardinality) {
    case "one":
      return { expression: one("x") };
    case "list":
      if (isText) return { expression: "printStringList(x)" };
      return {
        statements: `let t = ""; for (let i = 0; i < x.length; i++) { const e = x[i]; t += (i === 0 ? "" : ",") + ${one("e")}; }`,
        expression: '"[" + t + "]"',
      };
    case "map":
      if (isText) return { expression: printedStringMap };
      return {
        statements: `let t = ""; for (const k of sortedKeys(x)) { const e = x[k]; t += (t === "" ? "" : ",") + printString(k) + ":" + ${one("e")}; }`,
        expression: '"{" + t + "}"',
      };
  }
}

function printElement(
  element: ElementType,
  value: string,
  references: References,
  jsonSchemaProps: () => MessageSchema,
): string {
  switch (element.kind) {
    case "any":
      return `printJson(${value})`;
    case "message":
      return printMessage(element, value, references);
    case "scalar":
      switch (element.scalar) {
        case "string":
          return `printString(${value})`;
        case "bytes":
          return `(${value} === null ? "null" : ${value} ? '"' + ${value} + '"' : '""')`;
        case "bool":
          return `(${value} ? "true" : "false")`;
        default:
          return `(${value} || 0)`;
      }
    case "special":
      break;
  }
  const jsonSchema = (schema: string) =>
    `"{" + ${references.variable(jsonSchemaProps())}.printMembers(${schema}) + "}"`;
  switch (element.special) {
    case "Quantity":
      return `printQuantity(${value})`;
    case "IntOrString":
      return `(typeof ${value} === "string" ? printString(${value}) : (${value} || 0))`;
    case "Duration":
      return `(${value} ? '"' + ${value} + '"' : '"0s"')`;
    case "Time":
    case "MicroTime":
      return `(${value} ? printString(${value}) : "null")`;
    case "RawExtension":
    case "JSON":
    case "FieldsV1":
    case "Unknown":
      return `printJson(${value})`;
    case "StringList":
      return `(${value} ? printStringList(${value}) : "null")`;
    case "JSONSchemaPropsOrBool":
      return `(typeof ${value} === "boolean" ? (${value} ? "true" : "false") : ${jsonSchema(value)})`;
    case "JSONSchemaPropsOrArray":
      return `(Array.isArray(${value}) ? "[" + ${value}.map((s) => ${jsonSchema("s")}).join(",") + "]" : ${jsonSchema(value)})`;
    case "JSONSchemaPropsOrStringArray":
      return `(${value} ? (Array.isArray(${value}) ? printStringList(${value}) : ${jsonSchema(value)}) : "null")`;
  }
}

function printMessage(
  { message, embeddedType }: Extract<ElementType, { kind: "message" }>,
  value: string,
  references: References,
): string {
  const members = `${references.variable(message)}.printMembers(${value})`;
  return embeddedType === undefined
    ? `"{" + ${members} + "}"`
    : `printWithType(${JSON.stringify(embeddedType)}, ${members})`;
}
