import { expect, test } from "vitest";
import type { Column, Row } from "../../api/live-table.ts";
import { chosenRows, type Sort } from "./order.ts";

const columns: readonly Column[] = ["Name", "Ready", "Age"].map((name) => ({
  name,
  type: "string",
  description: "",
  priority: 0,
}));

const row = (name: string, ready: string | number, createdAtMs: number, namespace = "a"): Row => ({
  uid: `${namespace}/${name}`,
  name,
  namespace,
  createdAtMs,
  labels: { app: `label-of-${name}` },
  cells: [name, ready, "1d"],
  changedAtMs: 0,
});

const rows = [row("web-10", 2, 3), row("web-9", 10, 1), row("db", "none", 2, "b")];

function names(sort: Sort, words = ""): readonly string[] {
  return chosenRows(rows, columns, words, sort).map(({ name }) => name);
}

test("names are sorted as people count", () => {
  expect(names({ key: 0, isDescending: false })).toEqual(["db", "web-9", "web-10"]);
  expect(names({ key: 0, isDescending: true })).toEqual(["web-10", "web-9", "db"]);
});

test("numbers by their size, and before texts; ages by the time itself", () => {
  expect(names({ key: 1, isDescending: false })).toEqual(["web-10", "web-9", "db"]);
  expect(names({ key: 2, isDescending: false })).toEqual(["web-10", "db", "web-9"]);
  expect(names({ key: "namespace", isDescending: true })).toEqual(["db", "web-9", "web-10"]);
});

test("all words must be somewhere in the row, its labels too", () => {
  const sort: Sort = { key: 0, isDescending: false };
  expect(names(sort, "WEB 10")).toEqual(["web-9", "web-10"]);
  expect(names(sort, "label-of-db")).toEqual(["db"]);
  expect(names(sort, "web none")).toEqual([]);
});
