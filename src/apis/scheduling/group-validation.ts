import { append } from "../../apimachinery/collections/append.js";
import { type FieldError, type FieldPath, invalid, required } from "../../apimachinery/errors/field-error.js";
import { isDns1123Label, isDns1123Subdomain } from "../../apimachinery/validation/dns-names.js";
import { isQualifiedName } from "../../apimachinery/validation/qualified-name.js";
import { validateList, validateSet } from "../checks/lists.js";
import { fieldRules } from "../definition/field-rules.js";
import type {
  PodGroupResourceClaim,
  PodGroupSchedulingConstraints,
  PodGroupSchedulingPolicy,
  PodGroupTemplate,
} from "../gen/scheduling-v1alpha2.js";
import { validateText, validateUnion } from "./declared-checks.js";
import { schedulingV1alpha2Types } from "./v1alpha2/types.js";

const claimsMax = 4;
const constraintsMax = 1;
const priorityMax = 1_000_000_000;
const rules = fieldRules<PodGroupTemplate>(schedulingV1alpha2Types, "PodGroupTemplate");

type GroupParts = Omit<PodGroupTemplate, "name">;

/** What a group of pods has of its own, and what a template gives it. Fields whose gates are off are not there. */
export function validateGroup(group: GroupParts, path: FieldPath): FieldError[] {
  const errors = validatePolicy(group.schedulingPolicy, path.child("schedulingPolicy"));
  append(errors, validateConstraints(group.schedulingConstraints, path.child("schedulingConstraints")));
  append(errors, validateClaims(group.resourceClaims, path.child("resourceClaims")));
  const { disruptionMode, priorityClassName = "", priority } = group;
  append(errors, rules.checkValue("disruptionMode", disruptionMode, path.child("disruptionMode")));
  if (priorityClassName !== "") {
    const problems = isDns1123Subdomain(priorityClassName);
    append(
      errors,
      problems.map((problem) => invalid(path.child("priorityClassName"), priorityClassName, problem)),
    );
  }
  if (priority !== undefined && priority > priorityMax) {
    errors.push(invalid(path.child("priority"), priority, `must be less than or equal to ${priorityMax}`));
  }
  return errors;
}

function validatePolicy({ basic, gang }: PodGroupSchedulingPolicy, path: FieldPath): FieldError[] {
  const errors = validateUnion({ basic, gang }, path);
  if (gang === undefined) return errors;
  const countPath = path.child("gang", "minCount");
  if (gang.minCount === 0) errors.push(required(countPath, ""));
  else if (gang.minCount < 1) {
    errors.push(invalid(countPath, gang.minCount, "must be greater than or equal to 1"));
  }
  return errors;
}

function validateConstraints(
  constraints: PodGroupSchedulingConstraints | undefined,
  path: FieldPath,
): FieldError[] {
  return validateList(constraints?.topology, path.child("topology"), constraintsMax, ({ key }, at) =>
    validateText(key, at.child("key"), isQualifiedName),
  );
}

function validateClaims(claims: readonly PodGroupResourceClaim[] | undefined, path: FieldPath): FieldError[] {
  return validateSet(claims, path, claimsMax, {
    level: "1.36",
    key: { of: ({ name }) => name, print: (claim) => claim },
    validate: (claim, at) => {
      const { name, resourceClaimName, resourceClaimTemplateName } = claim;
      return [
        ...validateUnion({ resourceClaimName, resourceClaimTemplateName }, at),
        ...validateText(name, at.child("name"), isDns1123Label),
        ...optionalName(resourceClaimName, at.child("resourceClaimName")),
        ...optionalName(resourceClaimTemplateName, at.child("resourceClaimTemplateName")),
      ];
    },
  });
}

export function optionalName(name: string | undefined, path: FieldPath): FieldError[] {
  return name === undefined ? [] : isDns1123Subdomain(name).map((problem) => invalid(path, name, problem));
}
