import type { JsonValue } from "../../apimachinery/json/json-value.js";
import type { LevelRange } from "../../apimachinery/levels/api-level.js";

/** How a kind is printed as a table. */
export interface TableColumns<T> {
  readonly columns: readonly ColumnDefinition[];
  /** One cell per column; ages are relative to `now`. Must not keep a reference to `object`. */
  cells(object: T, now: Date): JsonValue[];
  conditions?(object: T): readonly RowCondition[];
  /** The order of rows, if it is not key order. */
  compare?(a: T, b: T): number;
}

export interface ColumnDefinition extends LevelRange {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format: string;
  readonly description: string;
  /** Columns above 0 are shown in wide output only. */
  readonly priority: number;
}

export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}
