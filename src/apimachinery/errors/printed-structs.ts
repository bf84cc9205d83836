import { printJson } from "../json/json-print.js";
import { isJsonObject, type JsonValue } from "../json/json-value.js";
import { floatText } from "./go-number.js";
import { PrintedValue, quotedShortened, shownCharactersMax } from "./printed-value.js";
import { sortedJsonText } from "./shown-value.js";

/** Prints bad values in Go's notation, as Kubernetes does. Where Kubernetes prints a pointer's address, this prints a constant. */

export type Printable = string | number | bigint | boolean | PrintedValue;

/** `core.Name{Field:"x", Other:1}`; fields in the order of Kubernetes' structure. In JSON, they have the same names. */
export function printStruct(type: string, fields: Readonly<Record<string, Printable>>): PrintedValue {
  const entries = Object.entries(fields);
  return new PrintedValue(
    () => `${type}{${entries.map(([name, value]) => `${name}:${textOf(value)}`).join(", ")}}`,
    () => {
      const members = entries.map(([name, value]) => jsonMember(name, value));
      return members.includes(undefined) ? undefined : `{${members.join(",")}}`;
    },
  );
}

/** `[]core.Name{…}`. In Go's notation, empty and absent print the same. Prints no more of a long list than is shown. */
export function printList(type: string, items: readonly Printable[] | undefined): PrintedValue {
  return new PrintedValue(
    () =>
      items === undefined || items.length === 0
        ? `[]${type}(nil)`
        : `[]${type}{${shownItems(items, textOf).join(", ")}}`,
    () => {
      if (items === undefined) return "null";
      const printed = shownItems(items, jsonOf);
      return printed.includes(undefined) ? undefined : `[${printed.join(",")}]`;
    },
  );
}

function shownItems<T extends string | undefined>(
  items: readonly Printable[],
  print: (item: Printable) => T,
): T[] {
  const shown: T[] = [];
  let characters = 0;
  for (const item of items) {
    if (characters > shownCharactersMax) break;
    const text = print(item);
    shown.push(text);
    characters += text?.length ?? 0;
  }
  return shown;
}

/** In JSON, prints what the pointer points to. */
export function printPointer(
  type: string,
  target: PrintedValue | JsonValue | object | undefined,
): PrintedValue {
  return new PrintedValue(`(*${type})(${target === undefined ? "nil" : "0xc000000000"})`, () => {
    if (target === undefined) return "null";
    return target instanceof PrintedValue ? target.json : JSON.stringify(target);
  });
}

/** A time in UTC, given in RFC 3339; the zero time when absent. */
export function printTime(time: string | undefined): PrintedValue {
  const [date = "", clock = ""] = (time ?? "0001-01-01T00:00:00Z").slice(0, -1).split("T");
  const fraction = clock.includes(".") ? clock.replace(/\.?0+$/, "") : clock;
  return new PrintedValue(`${date} ${fraction} +0000 UTC`, time ?? null);
}

const monthNames =
  "January February March April May June July August September October November December".split(" ");

/** A time that a structure points to, as Go writes it. */
export function printPointedTime(time: string): PrintedValue {
  return new PrintedValue(() => {
    const at = new Date(time);
    const month = `time.${monthNames[at.getUTCMonth()]}`;
    const clock = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()];
    return `time.Date(${[at.getUTCFullYear(), month, at.getUTCDate(), ...clock, 0].join(", ")}, time.Local)`;
  }, time);
}

/** Bytes in base64: `[]byte{0x78, 0x79}`. */
export function printBytes(base64: string | undefined): PrintedValue {
  if (base64 === undefined) return new PrintedValue("[]byte(nil)", null);
  return new PrintedValue(() => `[]byte${bytesText(Buffer.from(base64, "base64"))}`, base64);
}

/** JSON that is stored unchanged. */
export function printRaw(value: JsonValue): PrintedValue {
  return new PrintedValue(() => {
    const raw = bytesText(Buffer.from(JSON.stringify(value)));
    return `runtime.Unknown{TypeMeta:runtime.TypeMeta{APIVersion:"", Kind:""}, Raw:[]uint8${raw}, ContentEncoding:"", ContentType:"application/json"}`;
  }, value);
}

function bytesText(bytes: Buffer): string {
  // Each byte prints as at least four characters, so this many fill the limit.
  const shown = bytes.subarray(0, shownCharactersMax / 4);
  return `{${[...shown].map((byte) => `0x${byte.toString(16)}`).join(", ")}}`;
}

/** JSON whose type Kubernetes does not know: `map[string]interface {}{"a":1}`. Scalars other than fractions print as they are. */
export function printUntyped(value: JsonValue): JsonValue | PrintedValue {
  const isPlain = value === null || typeof value === "string" || typeof value === "boolean";
  return isPlain
    ? value
    : new PrintedValue(
        () => nestedText(value),
        () => sortedJsonText(value),
      );
}

function nestedText(value: JsonValue): string {
  if (value === null) return "interface {}(nil)";
  if (Array.isArray(value)) return `[]interface {}{${value.map(nestedText).join(", ")}}`;
  if (typeof value === "string") return quotedShortened(value);
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : floatText(value);
  if (typeof value === "bigint" && BigInt.asIntN(64, value) !== value) return floatText(Number(value));
  if (!isJsonObject(value)) return String(value);
  const fields = Object.keys(value)
    .sort()
    .map((name) => `${quotedShortened(name)}:${nestedText(value[name] ?? null)}`);
  return `map[string]interface {}{${fields.join(", ")}}`;
}

function textOf(value: Printable): string {
  if (value instanceof PrintedValue) return value.text;
  return typeof value === "string" ? quotedShortened(value) : String(value);
}

function jsonMember(name: string, value: Printable): string | undefined {
  const printed = jsonOf(value);
  return printed === undefined ? undefined : `"${name}":${printed}`;
}

function jsonOf(value: Printable): string | undefined {
  if (value instanceof PrintedValue) return value.json;
  return printJson(value);
}
