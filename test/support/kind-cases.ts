import { readFileSync } from "node:fs";

/** Outcomes of one kind's object when one of its fields is taken away or changed: causes by the field's path. */
export interface KindCases {
  /** Fields that a new object must have. */
  readonly required: Readonly<Record<string, readonly string[]>>;
  /** Fields that an update cannot change to another value of the same type. */
  readonly fixed: Readonly<Record<string, readonly string[]>>;
}

/**
 * By `resource.group`, with `/version` for later versions that are refused differently. The table is recorded from this server's own
 * answers (`RECORD_KIND_CASES=FILE` with `test/e2e/kinds.test.ts`). All but about sixty of its entries were then
 * compared with the validation of Kubernetes 1.23: the refused fields, their order and the words. One difference is known: Kubernetes adds the difference of two specs in Go's notation for
 * volumes and claims, and this server as JSON. Compare a new recording the same way before it replaces this one.
 */
export function readKindCases(): Readonly<Record<string, KindCases>> {
  return JSON.parse(readFileSync(new URL("./kind-cases.json", import.meta.url), "utf8"));
}
