import { PrintedValue } from "./field-error.js";
import { quoted } from "./quoted-text.js";

/**
 * Prints bad values in Go's notation, as Kubernetes does. Where Kubernetes prints an address, this always prints the same one.
 */

type Printable = string | number | bigint | boolean | PrintedValue;

/** `core.Name{Field:"x", Other:1}`; fields in the order of Kubernetes' structure. */
export function printStruct(type: string, fields: Readonly<Record<string, Printable>>): PrintedValue {
  const parts = Object.entries(fields).map(([name, value]) => `${name}:${textOf(value)}`);
  return new PrintedValue(`${type}{${parts.join(", ")}}`);
}

/** `[]core.Name{…}`. Empty and absent print the same. */
export function printList(type: string, items: readonly Printable[] | undefined): PrintedValue {
  return new PrintedValue(
    items === undefined || items.length === 0
      ? `[]${type}(nil)`
      : `[]${type}{${items.map(textOf).join(", ")}}`,
  );
}

export function printPointer(type: string, target: unknown): PrintedValue {
  return new PrintedValue(`(*${type})(${target === undefined ? "nil" : "0xc000000000"})`);
}

/** A time in UTC, given in RFC 3339; the zero time when absent. */
export function printTime(time: string | undefined): PrintedValue {
  const [date = "", clock = ""] = (time ?? "0001-01-01T00:00:00Z").slice(0, -1).split("T");
  const fraction = clock.includes(".") ? clock.replace(/\.?0+$/, "") : clock;
  return new PrintedValue(`${date} ${fraction} +0000 UTC`);
}

function textOf(value: Printable): string {
  if (value instanceof PrintedValue) return value.text;
  return typeof value === "string" ? quoted(value) : String(value);
}
