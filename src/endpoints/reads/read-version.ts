import { type FieldError, FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { quotedShortened } from "../../apimachinery/errors/printed-value.js";
import { badRequest, invalidObject, type StatusError } from "../../apimachinery/errors/status.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { validateListOptions } from "../../apimachinery/validation/request-options.js";
import { type IntegerProblem, parseDecimal, uint64 } from "../../apimachinery/values/decimal-integer.js";
import type { ApiRequest } from "../../request/api-request.js";
import { noRevision, type Revision, toRevision } from "../../storage/kv.js";
import type { ReadVersion } from "../../storage/object-store.js";
import { decodeContinueToken, type TokenScope } from "./continue-token.js";

/** The version semantics of a single get. */
export function readVersionOfGet(resourceVersion: string): ReadVersion {
  if (resourceVersion === "") return { kind: "mostRecent" };
  const revision = parseResourceVersion(resourceVersion);
  return revision === noRevision ? { kind: "any" } : { kind: "notOlderThan", revision };
}

/** The version that a get asks for, or the older state that has to answer it. Throws 400. */
export function versionToGet({ query, olderState }: Pick<ApiRequest, "query" | "olderState">): ReadVersion {
  return orOlder(readVersionOfGet(query.get("resourceVersion") ?? ""), olderState);
}

export interface ListVersion {
  readonly at: ReadVersion;
  readonly limit: number;
  /** Key to continue after, relative to the resource's prefix. */
  readonly after: string | undefined;
}

export interface ListVersionOptions {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents?: boolean | undefined;
}

/** The table for list in Kubernetes' API Concepts, for options that `checkListOptions` allows. Throws 400. */
export function readVersionOfList(options: ListVersionOptions, scope: TokenScope): ListVersion {
  const { resourceVersion, resourceVersionMatch, limit } = options;
  if (options.continue !== "") {
    if (resourceVersion !== "" && !isAtLeast(scope.level, "1.30")) parseResourceVersion(resourceVersion);
    const token = decodeContinueToken(options.continue, scope);
    if (resourceVersion !== "" && resourceVersion !== "0") {
      throw badRequest("specifying resource version is not allowed when using continue");
    }
    // A token without a revision continues at the newest one: the "inconsistent" tokens of an expired list.
    const at: ReadVersion =
      token.revision === undefined ? { kind: "mostRecent" } : { kind: "exact", revision: token.revision };
    return { at, limit, after: token.after };
  }
  if (resourceVersion === "") return { at: { kind: "mostRecent" }, limit, after: undefined };
  const revision = parseResourceVersion(resourceVersion);
  if (revision === noRevision) return { at: { kind: "any" }, limit, after: undefined };
  const exact = resourceVersionMatch === "Exact" || (resourceVersionMatch === "" && limit > 0);
  return {
    at: exact ? { kind: "exact", revision } : { kind: "notOlderThan", revision },
    limit,
    after: undefined,
  };
}

/** Throws 422 for options that do not go together. */
export function checkListOptions(options: ListVersionOptions, metaGroup: string): void {
  const errors = validateListOptions(options);
  if (errors.length > 0) throw listOptionsInvalid(errors, metaGroup);
}

/** If an older state is requested: that state, or the oldest one after it that satisfies `at`. Otherwise `at`. */
export function orOlder(at: ReadVersion, older: number | undefined): ReadVersion {
  if (older === undefined) return at;
  if (at.kind === "any") return { kind: "exact", revision: toRevision(older) };
  if (at.kind !== "notOlderThan") return at;
  return { kind: "exact", revision: toRevision(Math.max(older, at.revision)) };
}

export function listOptionsInvalid(errors: readonly FieldError[], metaGroup: string): StatusError {
  return invalidObject({ group: metaGroup, kind: "ListOptions" }, "", errors);
}

/** Beyond every store's revision, but with a successor. */
const farAhead = toRevision(Number.MAX_SAFE_INTEGER - 1);

/** Throws 400 for text that cannot be a resource version. Versions too large to represent all become one. */
export function parseResourceVersion(text: string): Revision {
  const value = parseDecimal(text, uint64);
  if (typeof value === "string") throw notAVersion(text, value);
  return value > farAhead ? farAhead : toRevision(Number(value));
}

function notAVersion(text: string, why: IntegerProblem): StatusError {
  const path = FieldPath.of("resourceVersion");
  const error = invalid(path, text, `strconv.ParseUint: parsing ${quotedShortened(text)}: ${why}`);
  return badRequest(`invalid resource version: ${error.field}: ${error.body}`);
}
