import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isRecognizedFormat } from "../../../apimachinery/validation/formats.js";
import type { CustomResourceDefinitionSpec } from "../../gen/apiextensions-v1.js";
import { hasSchema } from "./rules.js";

/** Since 1.34, warns of formats that nothing validates, unless the stored definition already has them. */
export function formatWarnings(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
  level: ApiLevel,
): string[] {
  if (!isAtLeast(level, "1.34") || spec === old) return [];
  const formats = unrecognizedFormats(spec, level);
  if (formats.size === 0) return [];
  const before = old === undefined ? undefined : unrecognizedFormats(old, level);
  return [...formats]
    .filter((format) => before?.has(format) !== true)
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

function unrecognizedFormats(spec: CustomResourceDefinitionSpec, level: ApiLevel): ReadonlySet<string> {
  const found = new Set<string>();
  const ofAllTypes = isAtLeast(level, "1.36");
  hasSchema(spec, ({ type = "", format = "" }) => {
    const isChecked = format !== "" && (ofAllTypes || type === "string");
    if (isChecked && !isRecognizedFormat(type, format, level)) found.add(format);
    return false;
  });
  return found;
}
