import { readFileSync } from "node:fs";

/** Outcomes of one kind's object when one of its fields is taken away or changed: causes by the field's path. */
export interface KindCases {
  /** Fields that a new object must have. */
  readonly required: Readonly<Record<string, readonly string[]>>;
  /** Fields that an update cannot change to another value of the same type. */
  readonly fixed: Readonly<Record<string, readonly string[]>>;
}

/**
 * By `resource.group`, with `/version` for later versions that are refused differently. The table was recorded from this server's own
 * answers (`RECORD_KIND_CASES=FILE` with `test/matrix/kinds.test.ts`). Every entry was then compared by hand with the validation functions
 * and update strategies of Kubernetes (`pkg/apis/*\/validation`, `pkg/registry/*\/*\/strategy.go`): the refused fields, their order, how
 * often they are reported, and the words. Known differences: where Kubernetes prints the difference of two specs of volumes and claims,
 * the pod template of a job or the data of a controller revision in Go's notation, this server prints JSON. Not confirmed for 1.23: the
 * path `value` of priority classes. Compare a new recording the same way before it replaces this one.
 */
export function readKindCases(): Readonly<Record<string, KindCases>> {
  return JSON.parse(readFileSync(new URL("./kind-cases.json", import.meta.url), "utf8"));
}
