import { createHash } from "node:crypto";
import { printJson } from "../../apimachinery/json/json-print.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";

/** Each kind describes its name differently. Clients look for the other two in the paths, to find out what a server can do. */
const writtenOut: ReadonlySet<string> = new Set(["name", "dryRun", "fieldValidation"]);

/**
 * The parameters that a Swagger document has once, and refers to wherever a path takes them. Before 1.28, every path has its own. Source:
 * kube-openapi, `deduplicateParameters`.
 */
export class SharedParameters {
  readonly #isShared: boolean;
  readonly #references = new Map<unknown, JsonObject>();
  readonly #byName = new Map<string, JsonObject>();

  constructor(level: ApiLevel) {
    this.#isShared = isAtLeast(level, "1.28");
  }

  /** What paths have in place of a parameter of this name. `key` identifies it. */
  of(name: string, key: unknown, write: () => JsonObject): JsonObject {
    if (!this.#isShared || writtenOut.has(name)) return write();
    let reference = this.#references.get(key);
    if (reference === undefined) {
      const parameter = write();
      const hash = createHash("sha256").update(printJson(parameter)).digest().subarray(0, 6);
      const sharedName = `${name}-${hash.toString("base64url")}`;
      this.#byName.set(sharedName, parameter);
      reference = { $ref: `#/parameters/${sharedName}` };
      this.#references.set(key, reference);
    }
    return reference;
  }

  /** What references refer to, sorted by name. */
  all(): JsonObject {
    return Object.fromEntries([...this.#byName].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
