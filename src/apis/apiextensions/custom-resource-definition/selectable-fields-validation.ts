import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  required,
  tooMany,
} from "../../../apimachinery/errors/field-error.js";
import type { JSONSchemaProps, SelectableField } from "../../gen/apiextensions-v1.js";
import { findField } from "../schema/field-path.js";

const fieldsMax = 8;
const selectableTypes: ReadonlySet<string | undefined> = new Set(["string", "boolean", "integer"]);

/** Fields that clients may select objects by: of one version, or of the spec where all versions have the same. Source: KEP-4358. */
export function selectableFieldErrors(
  fields: readonly SelectableField[],
  schema: JSONSchemaProps | undefined,
  path: FieldPath,
  owner: "version" | "spec",
): FieldError[] {
  if (fields.length === 0) return [];
  if (schema === undefined) return [invalid(path, "", withoutSchema(owner))];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath }] of fields.entries()) {
    const at = path.index(index).child("jsonPath");
    if (jsonPath === "") {
      errors.push(required(at, ""));
      continue;
    }
    const found = findField(jsonPath, schema, { allowsKeys: false });
    if (found.problem !== undefined) {
      errors.push(invalid(at, jsonPath, `is an invalid path: ${found.problem}`));
      continue;
    }
    if (/^\.metadata(\.|$)/.test(jsonPath)) {
      errors.push(invalid(at, jsonPath, "must not point to fields in metadata"));
    }
    if (!selectableTypes.has(found.schema?.type)) {
      const why =
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
      errors.push(invalid(at, jsonPath, why));
    }
    if (seen.has(jsonPath)) errors.push(duplicate(at, jsonPath));
    seen.add(jsonPath);
  }
  if (seen.size > fieldsMax) errors.push(tooMany(path, seen.size, fieldsMax));
  return errors;
}

function withoutSchema(owner: "version" | "spec"): string {
  const isShort = hasErrorTextsOf(34);
  const quote = isShort ? "`" : "";
  const when =
    owner === "spec"
      ? "validations.schema is included"
      : `${quote}version.schema.openAPIV3Schema${quote} is not included`;
  return `${isShort ? "" : "selectableFields "}may only be set when ${when}`;
}
