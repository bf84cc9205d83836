import { readFileSync } from "node:fs";

/** Outcomes of one kind's object when one of its fields is taken away or changed: causes by the field's path. */
export interface KindCases {
  /** Fields that a new object must have. */
  readonly required: Readonly<Record<string, readonly string[]>>;
  /** Fields that an update cannot change to another value of the same type. */
  readonly fixed: Readonly<Record<string, readonly string[]>>;
}

/** By `resource.group`, with `/version` for later versions that are refused differently. */
export function readKindCases(): Readonly<Record<string, KindCases>> {
  return JSON.parse(readFileSync(new URL("./kind-cases.json", import.meta.url), "utf8"));
}
