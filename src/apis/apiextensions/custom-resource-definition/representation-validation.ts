import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresources,
} from "../../gen/apiextensions-v1.js";
import { apiextensionsV1Types } from "../v1/types.js";

const columnRules = fieldRules<CustomResourceColumnDefinition>(
  apiextensionsV1Types,
  "CustomResourceColumnDefinition",
);

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

export function columnErrors(
  columns: readonly CustomResourceColumnDefinition[],
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, column] of columns.entries()) {
    const { type, format = "", jsonPath } = column;
    const at = path.index(index);
    append(errors, columnRules.check(column, at, "name"));
    const typesText = `must be one of ${columnTypes.join(",")}`;
    if (type === "") errors.push(required(at.child("type"), typesText));
    else if (!columnTypes.includes(type)) errors.push(invalid(at.child("type"), type, typesText));
    if (format !== "" && !columnFormats.includes(format)) {
      errors.push(invalid(at.child("format"), format, `must be one of ${columnFormats.join(",")}`));
    }
    const jsonPathPath = at.child("JSONPath");
    append(errors, columnRules.checkValue("jsonPath", jsonPath, jsonPathPath));
    if (jsonPath !== "") append(errors, simplePathErrors(jsonPath, jsonPathPath));
  }
  return errors;
}

export function subresourceErrors(
  subresources: CustomResourceSubresources | undefined,
  path: FieldPath,
): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  const at = path.child("scale");
  const labelSelectorPath = scale.labelSelectorPath ?? "";
  return [
    ...replicasPathErrors(scale.specReplicasPath, ".spec", at.child("specReplicasPath")),
    ...replicasPathErrors(scale.statusReplicasPath, ".status", at.child("statusReplicasPath")),
    ...(labelSelectorPath === ""
      ? []
      : pathBelowErrors(labelSelectorPath, [".spec", ".status"], at.child("labelSelectorPath"))),
  ];
}

function replicasPathErrors(jsonPath: string, below: string, path: FieldPath): FieldError[] {
  return jsonPath === "" ? [required(path, "")] : pathBelowErrors(jsonPath, [below], path);
}

function pathBelowErrors(jsonPath: string, below: readonly string[], path: FieldPath): FieldError[] {
  const errors = simplePathErrors(jsonPath, path);
  if (errors.length > 0 || below.some((parent) => jsonPath.startsWith(`${parent}.`))) return errors;
  const where = below.length === 1 ? below.join() : `either ${below.join(" or ")}`;
  return [invalid(path, jsonPath, `should be a json path under ${where}`)];
}

function simplePathErrors(jsonPath: string, path: FieldPath): FieldError[] {
  return jsonPath.startsWith(".")
    ? []
    : [invalid(path, jsonPath, "must be a simple json path starting with .")];
}
