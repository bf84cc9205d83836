import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  notFoundField,
  required,
} from "../../../apimachinery/errors/field-error.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { PodResourceClaim, PodSpec, ResourceClaim } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";
import { type ClaimSource, printClaimSource, printResourceClaim } from "./printed-values.js";

const podClaimRules = fieldRules<PodResourceClaim>(coreV1Types, "PodResourceClaim");
const claimRules = fieldRules<ResourceClaim>(coreV1Types, "ResourceClaim");

/** The pod's resource claims. Until 1.31, their source was a nested structure. */
export function validateResourceClaims(
  claims: readonly PodResourceClaim[] | undefined,
  path: FieldPath,
  { level }: PodValidationOptions,
): FieldError[] {
  const names = new Set<string>();
  return errorsOfEach(claims, (claim, index) => {
    const at = path.index(index);
    const { name } = claim;
    const namePath = at.child("name");
    const errors =
      name !== "" && names.has(name) ? [duplicate(namePath, name)] : podClaimRules.check(claim, at, "name");
    names.add(name);
    if (isAtLeast(level, "1.31"))
      return [...errors, ...validateClaimSource(claim, at, printResourceClaim(claim))];
    const { source = {} } = claim;
    return [...errors, ...validateClaimSource(source, at.child("source"), printClaimSource(source))];
  });
}

const sourceRules = fieldRules<ClaimSource>(coreV1Types, "PodResourceClaim");

function validateClaimSource(source: ClaimSource, path: FieldPath, printed: PrintedValue): FieldError[] {
  const { resourceClaimName: claimName, resourceClaimTemplateName: templateName } = source;
  const errors: FieldError[] = [];
  if (claimName !== undefined && templateName !== undefined) {
    const why = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
    errors.push(invalid(path, printed, why));
  }
  if (claimName === undefined && templateName === undefined) {
    const why = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`";
    errors.push(invalid(path, printed, why));
  }
  return [...errors, ...sourceRules.check(source, path, "resourceClaimName", "resourceClaimTemplateName")];
}

/** Claims of a container must be among those of its pod. */
export function validateClaimReferences(
  claims: readonly ResourceClaim[] | undefined,
  spec: PodSpec,
  path: FieldPath,
): FieldError[] {
  if (claims === undefined || claims.length === 0) return [];
  const known = new Set((spec.resourceClaims ?? []).map(({ name }) => name).filter((name) => name !== ""));
  const listed = known.size === 0 ? " which is empty" : `: ${[...known].sort().join(", ")}`;
  const wholes = new Set<string>();
  const seen = new Set<string>();
  const requests = new Map<string, number>();
  return errorsOfEach(claims, (claim, index) => {
    const at = path.index(index);
    const { name, request = "" } = claim;
    if (name === "") return [required(at, "")];
    const errors = wholes.has(name) ? [] : claimRules.check(claim, at, "request");
    const shown = request === "" ? name : `${name}/${request}`;
    if (wholes.has(name)) {
      errors.push(duplicate(at, name));
    } else if (seen.has(shown)) {
      errors.push(duplicate(at, shown));
    } else if (request === "") {
      // A claim without a request overlaps each earlier reference to one of its requests.
      for (let count = requests.get(name) ?? 0; count > 0; count--) errors.push(duplicate(at, name));
      wholes.add(name);
    } else {
      seen.add(shown);
      requests.set(name, (requests.get(name) ?? 0) + 1);
    }
    if (!known.has(name)) {
      errors.push(notFoundField(at, name, `must be one of the names in pod.spec.resourceClaims${listed}`));
    }
    return errors;
  });
}
