import { isJsonObject, type JsonValue } from "../json-value.js";
import { isJsonArray } from "../patch/json-values.js";
import { itemElement } from "./list-items.js";
import { deducedType, type ListType, type MergeType, type ScalarType } from "./merge-type.js";
import { type PathElement, printPathElement } from "./path-element.js";
import { TypedValueError } from "./typed-error.js";

/** Throws `TypedValueError` for a value that does not fit its type, or names items of a list twice. */
export function checkTyped(value: JsonValue, type: MergeType): void {
  const problems: string[] = [];
  check(value, type, "", problems);
  if (problems.length > 0) throw new TypedValueError(problems);
}

function check(value: JsonValue | undefined, type: MergeType, path: string, problems: string[]): void {
  if (value === undefined || value === null) return;
  switch (type.kind) {
    case "scalar":
      checkScalar(value, type, path, problems);
      return;
    case "list":
      if (isJsonArray(value)) checkItems(value, type, path, problems);
      else problems.push(at(path, `expected list, got ${printTyped(value)}`));
      return;
    case "map":
    case "struct": {
      if (!isJsonObject(value)) {
        problems.push(at(path, `expected map, got ${printTyped(value)}`));
        return;
      }
      for (const [name, field] of Object.entries(value)) {
        const fieldType = type.kind === "map" ? type.element : (type.field(name)?.type ?? type.others);
        if (fieldType !== undefined) check(field, fieldType, `${path}.${name}`, problems);
        else if (field !== undefined) problems.push(at(`${path}.${name}`, "field not declared in schema"));
      }
      return;
    }
    case "deduced":
      if (!isJsonObject(value)) return;
      for (const [name, field] of Object.entries(value))
        check(field, deducedType, `${path}.${name}`, problems);
      return;
  }
}

function checkItems(items: readonly JsonValue[], type: ListType, path: string, problems: string[]): void {
  const seen = new Set<PathElement>();
  for (const [index, item] of items.entries()) {
    let element = `i:${index}`;
    if (type.relation !== "atomic") {
      try {
        element = itemElement(item, type);
      } catch (error) {
        problems.push(
          at(path, `element ${index}: ${error instanceof Error ? error.message : String(error)}`),
        );
        return;
      }
      if (seen.has(element)) {
        problems.push(at(path, `duplicate entries for key ${printPathElement(element)}`));
      }
      seen.add(element);
    }
    if (typeof item === "object" || type.element.kind === "scalar") {
      check(item, type.element, path + printPathElement(element), problems);
    }
  }
}

function checkScalar(value: JsonValue, type: ScalarType, path: string, problems: string[]): void {
  const actual = typeof value === "bigint" ? "number" : typeof value;
  switch (type.scalar) {
    case "numeric":
      if (actual !== "number") {
        problems.push(at(path, `expected numeric (int or float), got ${goType(value)}`));
      }
      return;
    case "string":
      if (actual !== "string") problems.push(at(path, `expected string, got ${printTyped(value)}`));
      return;
    case "boolean":
      if (actual !== "boolean") problems.push(at(path, `expected boolean, got ${printTyped(value)}`));
      return;
    case "untyped":
      if (actual === "object") {
        problems.push(at(path, `expected scalar, got ${isJsonArray(value) ? "list" : "map"}`));
      }
      return;
  }
}

function at(path: string, problem: string): string {
  return path === "" ? problem : `${path}: ${problem}`;
}

/** Messages show values in the notation of the original's own values. */
function printTyped(value: JsonValue): string {
  return `&{${printContent(value)}}`;
}

function printContent(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(printContent).join(" ")}]`;
  if (isJsonObject(value)) {
    return `map[${Object.entries(value)
      .map(([name, field]) => `${name}:${printContent(field)}`)
      .join(" ")}]`;
  }
  return value === null ? "<nil>" : String(value);
}

function goType(value: JsonValue): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  return isJsonArray(value) ? "[]interface {}" : "map[string]interface {}";
}
