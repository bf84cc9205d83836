import { goType } from "../errors/go-type.js";
import { messageOf } from "../errors/message-of.js";
import { goMapText, goSyntaxText } from "../errors/shown-value.js";
import { isJsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray } from "../json/json-values.js";
import { type ListType, type MergeType, memberType, type ScalarType } from "../schema/merge-type.js";
import { itemElement } from "./list-items.js";
import { type PathElement, printPathElement } from "./path-element.js";
import { TypedValueError } from "./typed-error.js";

/**
 * Throws `TypedValueError` for a value that does not fit its type, and for duplicate list items unless they are allowed.
 */
export function checkTyped(value: JsonValue, type: MergeType, mayRepeat = false): void {
  const problems: Problem[] = [];
  check(value, type, { problems, mayRepeat });
  if (problems.length > 0) {
    throw new TypedValueError(problems.map(({ path, text }) => (path === "" ? text : `${path}: ${text}`)));
  }
}

interface Check {
  readonly problems: Problem[];
  readonly mayRepeat: boolean;
}

interface Problem {
  /** Built from the end while the walk returns, so that a valid value formats no paths. */
  path: string;
  readonly text: string;
}

function check(value: JsonValue | undefined, type: MergeType, walk: Check): void {
  if (value === undefined || value === null) return;
  const { problems } = walk;
  switch (type.kind) {
    case "scalar":
      checkScalar(value, type, problems);
      return;
    case "list":
      if (isJsonArray(value)) checkItems(value, type, walk);
      else report(problems, `expected list, got ${printTyped(value)}`);
      return;
    case "map":
    case "struct":
      if (!isJsonObject(value)) {
        report(problems, `expected map, got ${printTyped(value)}`);
        return;
      }
      for (const name in value) {
        const field = value[name];
        const before = problems.length;
        const fieldType = memberType(type, name);
        // Most fields are scalars, which need no steps of their own.
        if (fieldType?.kind === "scalar" && field !== undefined && field !== null) {
          checkScalar(field, fieldType, problems);
        } else if (fieldType !== undefined) check(field, fieldType, walk);
        else if (field !== undefined) report(problems, "field not declared in schema");
        if (problems.length > before) prefix(problems, before, `.${name}`);
        // Kubernetes looks no further.
        if (fieldType === undefined && field !== undefined) return;
      }
      return;
    case "deduced":
      return;
  }
}

function checkItems(items: readonly JsonValue[], type: ListType, walk: Check): void {
  const { problems, mayRepeat } = walk;
  const seen = new Set<PathElement>();
  for (const [index, item] of items.entries()) {
    let element = "";
    if (type.relation !== "atomic") {
      try {
        element = itemElement(item, type);
      } catch (error) {
        report(problems, `element ${index}: ${messageOf(error)}`);
        return;
      }
      if (!mayRepeat && seen.has(element))
        report(problems, `duplicate entries for key ${printPathElement(element)}`);
      seen.add(element);
    }
    const before = problems.length;
    check(item, type.element, walk);
    if (problems.length > before) {
      prefix(problems, before, printPathElement(element === "" ? `i:${index}` : element));
    }
  }
}

function checkScalar(value: JsonValue, type: ScalarType, problems: Problem[]): void {
  const actual = typeof value === "bigint" ? "number" : typeof value;
  switch (type.scalar) {
    case "numeric":
      if (actual !== "number") report(problems, `expected numeric (int or float), got ${goType(value)}`);
      return;
    case "string":
      if (actual !== "string")
        report(problems, `expected string, got &value.valueUnstructured{Value:${goSyntaxText(value)}}`);
      return;
    case "boolean":
      if (actual !== "boolean") report(problems, `expected boolean, got ${printTyped(value)}`);
      return;
    case "opaque":
      return;
    case "untyped":
      if (actual === "object") {
        report(problems, `expected any scalar, got ${printTyped(value)}`);
      }
      return;
  }
}

function report(problems: Problem[], text: string): void {
  problems.push({ path: "", text });
}

function prefix(problems: readonly Problem[], from: number, step: string): void {
  for (const problem of problems.slice(from)) problem.path = step + problem.path;
}

/** Messages use Go's notation for values, as kube-apiserver's do. */
function printTyped(value: JsonValue): string {
  return `&{${goMapText(value)}}`;
}
