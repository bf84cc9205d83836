import { parseJson } from "../../apimachinery/json-parse.js";

/** The document as YAML: keys sorted, lists not indented, as the original prints it. `json` is valid JSON. */
export async function jsonToYaml(json: string | Uint8Array): Promise<string> {
  const { stringify } = await import("../yaml-library.js");
  return stringify(parseJson(json), {
    sortMapEntries: byCodeUnits,
    indentSeq: false,
    lineWidth: 0,
    aliasDuplicateObjects: false,
    // Quotes `yes`, `on` and the like, which YAML 1.1 readers take for booleans.
    version: "1.1",
  });
}

function byCodeUnits(a: { key: unknown }, b: { key: unknown }): number {
  const x = keyText(a.key);
  const y = keyText(b.key);
  return x < y ? -1 : x > y ? 1 : 0;
}

function keyText(key: unknown): string {
  return typeof key === "object" && key !== null && "value" in key ? String(key.value) : String(key);
}
