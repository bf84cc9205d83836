import { PrintedValue } from "../../../apimachinery/field-error.js";

/** Labels and other string maps, in the notation in which the original prints bad values. */
export function printStringMap(map: { readonly [key: string]: string } | undefined): PrintedValue {
  if (map === undefined) return new PrintedValue("map[string]string(nil)");
  const entries = Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(", ");
  return new PrintedValue(`map[string]string{${text}}`);
}
