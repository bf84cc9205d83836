import { type Json, textAt } from "../../api/json.ts";
import type { Column, Row } from "../../api/live-table.ts";

/** The place of a column among the cells, or the namespace, which is no column of the server. */
export type SortKey = number | "namespace";

export interface Sort {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

const natural = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** The rows that have all words somewhere, sorted. */
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
  const compare = comparing(key, columns);
  const sign = isDescending ? -1 : 1;
  return found.sort((left, right) => sign * compare(left, right) || byName(left, right));
}

/** A column that tells since when an object is there: sorted by the time itself. */
export function isAge({ name }: Column): boolean {
  return name === "Age";
}

function comparing(key: SortKey, columns: readonly Column[]): (left: Row, right: Row) => number {
  if (key === "namespace") return (left, right) => natural.compare(left.namespace, right.namespace);
  const column = columns[key];
  if (column === undefined) return byName;
  if (isAge(column)) return (left, right) => right.createdAtMs - left.createdAtMs;
  return (left, right) => compareCells(left.cells[key], right.cells[key]);
}

function compareCells(left: Json | undefined, right: Json | undefined): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return natural.compare(cellText(left), cellText(right));
}

function byName(left: Row, right: Row): number {
  return compareText(left.namespace, right.namespace) || natural.compare(left.name, right.name);
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

export function cellText(cell: Json | undefined): string {
  if (cell === undefined || cell === null) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

function textOf(row: Row): string {
  const labels = Object.keys(row.labels).map((name) => `${name}=${textAt(row.labels, name)}`);
  return [row.namespace, row.name, ...row.cells.map(cellText), ...labels].join("\n").toLowerCase();
}
