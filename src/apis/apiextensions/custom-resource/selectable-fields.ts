import type { JsonValue } from "../../../apimachinery/json/json-value.js";
import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import type { SelectableFields } from "../../definition/resource-definition.js";
import type { CustomResourceDefinitionVersion } from "../../gen/apiextensions-v1.js";
import { namesOfPath, valueAt } from "./custom-object.js";

/** Selectable fields of some versions. Source: KEP-4358. */
export function customSelectableFields(
  versions: readonly CustomResourceDefinitionVersion[],
): SelectableFields<ApiObject> {
  const paths = new Map<string, readonly string[]>();
  for (const { selectableFields = [] } of versions) {
    for (const { jsonPath } of selectableFields) paths.set(nameOf(jsonPath), namesOfPath(jsonPath));
  }
  return {
    names: [...paths.keys()],
    values: (object) =>
      Object.fromEntries([...paths].map(([name, path]) => [name, textOf(valueAt(object, path))])),
  };
}

/** The fields that selectors in one version may name. */
export function customSelectableNames({
  selectableFields = [],
}: CustomResourceDefinitionVersion): readonly string[] {
  return selectableFields.map(({ jsonPath }) => nameOf(jsonPath));
}

function nameOf(jsonPath: string): string {
  return jsonPath.replace(/^\./, "");
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}
