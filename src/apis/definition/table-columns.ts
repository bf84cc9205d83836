import type { JsonValue } from "../../apimachinery/json-value.js";

/** How a kind prints as a table. */
export interface TableColumns<T> {
  readonly columns: readonly ColumnDefinition[];
  /** One cell per column; `now` for ages. Must not keep `object`. */
  cells(object: T, now: Date): JsonValue[];
  conditions?(object: T): readonly RowCondition[];
  /** Order of the rows of a list, where it is not key order. */
  compare?(a: T, b: T): number;
}

export interface ColumnDefinition {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format: string;
  readonly description: string;
  /** 0 is always shown; higher ones only in wide output. */
  readonly priority: number;
}

export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}
