import { type Json, textAt } from "../../api/json.ts";
import type { Column, Row } from "../../api/live-table.ts";

/** The index of a column among the cells, or the namespace, for which the server has no column. */
export type SortKey = number | "namespace";

export interface Sort {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

/** A sort key that puts numbers in names in numeric order: `a9` before `a10`. */
const naturalKeys = new Map<string, string>();
const keysMax = 50_000;

/** The rows whose cells contain all the words, sorted. */
export function chosenRows(
  rows: readonly Row[],
  columns: readonly Column[],
  words: string,
  sort: Sort,
): readonly Row[] {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found =
    sought.length === 0
      ? [...rows]
      : rows.filter((row) => {
          const text = textOf(row);
          return sought.every((word) => text.includes(word));
        });
  const { key, isDescending } = sort;
  const sortValueOf = sortedBy(key, columns);
  const sign = isDescending ? -1 : 1;
  // Sort keys are computed once per row, not per comparison.
  return found
    .map((row) => ({ row, value: sortValueOf(row), name: naturalKey(row.name) }))
    .sort(
      (left, right) =>
        sign * compare(left.value, right.value) ||
        compare(left.row.namespace, right.row.namespace) ||
        compare(left.name, right.name),
    )
    .map(({ row }) => row);
}

/** A column that shows the age of an object: sorted by its creation time. */
export function isAge({ name }: Column): boolean {
  return name === "Age";
}

function sortedBy(key: SortKey, columns: readonly Column[]): (row: Row) => string | number {
  if (key === "namespace") return ({ namespace }) => namespace;
  const column = columns[key];
  // Ascending ages: the youngest first.
  if (column !== undefined && isAge(column)) return ({ createdAtMs }) => -createdAtMs;
  return ({ cells }) => {
    const cell = cells[key];
    return typeof cell === "number" ? cell : naturalKey(cellText(cell));
  };
}

function compare(left: string | number, right: string | number): number {
  if (left === right) return 0;
  if (typeof left !== typeof right) return typeof left === "number" ? -1 : 1;
  return left < right ? -1 : 1;
}

function naturalKey(text: string): string {
  let key = naturalKeys.get(text);
  if (key === undefined) {
    if (naturalKeys.size > keysMax) naturalKeys.clear();
    key = text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, "0"));
    naturalKeys.set(text, key);
  }
  return key;
}

export function cellText(cell: Json | undefined): string {
  if (cell === undefined || cell === null) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

function textOf(row: Row): string {
  const labels = Object.keys(row.labels).map((name) => `${name}=${textAt(row.labels, name)}`);
  return [row.namespace, row.name, ...row.cells.map(cellText), ...labels].join("\n").toLowerCase();
}
