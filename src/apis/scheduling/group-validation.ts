import { append } from "../../apimachinery/collections/append.js";
import type { FieldError, FieldPath } from "../../apimachinery/errors/field-error.js";
import { validateList, validateSet } from "../checks/lists.js";
import { fieldRules } from "../definition/field-rules.js";
import type {
  GangSchedulingPolicy,
  PodGroupResourceClaim,
  PodGroupSchedulingConstraints,
  PodGroupSchedulingPolicy,
  PodGroupTemplate,
  TopologyConstraint,
} from "../gen/scheduling-v1alpha2.js";
import { validateUnion } from "./declared-checks.js";
import { schedulingV1alpha2Types } from "./v1alpha2/types.js";

const claimsMax = 4;
const constraintsMax = 1;

type GroupParts = Omit<PodGroupTemplate, "name">;

const rules = fieldRules<GroupParts>(schedulingV1alpha2Types, "PodGroupTemplate");
const gangRules = fieldRules<GangSchedulingPolicy>(schedulingV1alpha2Types, "GangSchedulingPolicy");
const constraintRules = fieldRules<TopologyConstraint>(schedulingV1alpha2Types, "TopologyConstraint");
const claimRules = fieldRules<PodGroupResourceClaim>(schedulingV1alpha2Types, "PodGroupResourceClaim");

/** Validates the fields that a pod group and its template share. Fields whose gates are off are already dropped. */
export function validateGroup(group: GroupParts, path: FieldPath): FieldError[] {
  const errors = validatePolicy(group.schedulingPolicy, path.child("schedulingPolicy"));
  append(errors, validateConstraints(group.schedulingConstraints, path.child("schedulingConstraints")));
  append(errors, validateClaims(group.resourceClaims, path.child("resourceClaims")));
  return [...errors, ...rules.check(group, path, "disruptionMode", "priorityClassName", "priority")];
}

function validatePolicy({ basic, gang }: PodGroupSchedulingPolicy, path: FieldPath): FieldError[] {
  const errors = validateUnion({ basic, gang }, path);
  return gang === undefined ? errors : [...errors, ...gangRules.check(gang, path.child("gang"), "minCount")];
}

function validateConstraints(
  constraints: PodGroupSchedulingConstraints | undefined,
  path: FieldPath,
): FieldError[] {
  return validateList(constraints?.topology, path.child("topology"), constraintsMax, (constraint, at) =>
    constraintRules.check(constraint, at, "key"),
  );
}

function validateClaims(claims: readonly PodGroupResourceClaim[] | undefined, path: FieldPath): FieldError[] {
  return validateSet(claims, path, claimsMax, {
    level: "1.36",
    key: { of: ({ name }) => name, print: (claim) => claim },
    validate: (claim, at) => {
      const { resourceClaimName, resourceClaimTemplateName } = claim;
      return [
        ...validateUnion({ resourceClaimName, resourceClaimTemplateName }, at),
        ...claimRules.check(claim, at, "name", "resourceClaimName", "resourceClaimTemplateName"),
      ];
    },
  });
}
