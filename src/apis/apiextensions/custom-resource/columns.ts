import { floatText } from "../../../apimachinery/errors/go-number.js";
import { JsonPath, PathSteps } from "../../../apimachinery/json/json-path.js";
import type { JsonValue } from "../../../apimachinery/json/json-value.js";
import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import type { TypeMeta } from "../../../apimachinery/schema/codec.js";
import { printSorted } from "../../../apimachinery/structural-schema/print-sorted.js";
import { durationText } from "../../../apimachinery/values/age.js";
import { parseTime } from "../../../apimachinery/values/time.js";
import { nameColumn } from "../../definition/columns.js";
import type { ColumnDefinition, TableColumns } from "../../definition/table-columns.js";
import type { CustomResourceColumnDefinition } from "../../gen/apiextensions-v1.js";
import { jsonOf } from "./custom-object.js";

const agePath = ".metadata.creationTimestamp";

const defaultColumns: readonly CustomResourceColumnDefinition[] = [
  { name: "Age", type: "date", description: "Time since the object was created.", jsonPath: agePath },
];

/** The most characters in one row: as much as one column of the largest object. Cells beyond it are empty. */
const rowCharactersMax = 1536 * 1024;

interface Column {
  readonly type: string;
  readonly path: JsonPath;
  readonly definition: ColumnDefinition;
}

/**
 * The table of a custom resource of a type: its name, then the columns of its definition up to the first whose path cannot be read, or its
 * age if there are none. Objects do not state their type.
 */
export function customColumns(
  declared: readonly CustomResourceColumnDefinition[] | undefined,
  { apiVersion, kind }: TypeMeta,
): TableColumns<ApiObject> {
  const all = declared === undefined || declared.length === 0 ? defaultColumns : declared;
  let known: readonly Column[] | undefined;
  let definitions: readonly ColumnDefinition[] | undefined;
  const readable = (): readonly Column[] => {
    known ??= readableColumns(all);
    return known;
  };
  return {
    get columns() {
      definitions ??= [nameColumn, ...readable().map(({ definition }) => definition)];
      return definitions;
    },
    cells(object, now) {
      const value = { ...jsonOf(object), apiVersion, kind };
      const cells: JsonValue[] = [object.metadata.name ?? ""];
      // A definition may have very many columns, and each may look at all of a large object.
      const steps = new PathSteps();
      let charactersLeft = rowCharactersMax;
      for (const { type, path } of readable()) {
        const found = charactersLeft < 0 || steps.left < 0 ? undefined : path.first(value, steps);
        const cell = cellOf(found, type, now);
        if (typeof cell === "string") charactersLeft -= cell.length;
        cells.push(charactersLeft < 0 ? null : cell);
      }
      return cells;
    },
  };
}

function definitionOf(column: CustomResourceColumnDefinition): ColumnDefinition {
  const { name, type, format = "", description = "", priority = 0, jsonPath } = column;
  return {
    name,
    // Validation of the definition allows only these types.
    type: type as ColumnDefinition["type"],
    format,
    description:
      description === ""
        ? `Custom resource definition column (in JSONPath format): ${jsonPath}`
        : description,
    priority,
  };
}

/** Validation of a definition accepts any path that begins with a dot, so some cannot be parsed. */
function readableColumns(all: readonly CustomResourceColumnDefinition[]): readonly Column[] {
  const columns: Column[] = [];
  for (const column of all) {
    try {
      const path = new JsonPath(column.jsonPath);
      columns.push({ type: column.type, path, definition: definitionOf(column) });
    } catch {
      break;
    }
  }
  return columns;
}

/** What Kubernetes shows for a number beyond an int64. */
const integerMin = -(2n ** 63n);

/** A value of another type than the column's is not shown. */
function cellOf(value: JsonValue | undefined, type: string, now: Date): JsonValue {
  if (value === null && type === "string") return "<no value>";
  if (value === undefined || value === null) return null;
  switch (type) {
    case "string":
      if (typeof value === "object") return printSorted(value);
      return isFraction(value) ? floatText(value) : String(value);
    case "integer":
      if (typeof value === "number") return Math.abs(value) < 2 ** 63 ? Math.trunc(value) : integerMin;
      return typeof value === "bigint" ? value : null;
    case "number":
      return typeof value === "number" || typeof value === "bigint" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? ageOf(value, now) : null;
    default:
      return null;
  }
}

/** As Kubernetes prints numbers that are no integers: `1.2345675e+06`. */
function isFraction(value: JsonValue): value is number {
  return typeof value === "number" && !Number.isSafeInteger(value);
}

function ageOf(text: string, now: Date): string {
  if (text === "" || text === "null") return "<unknown>";
  try {
    const { seconds } = parseTime(text);
    return durationText(now.getTime() - Number(seconds) * 1000);
  } catch {
    return "<invalid>";
  }
}
