import type { MatchResources } from "../../apis/gen/admissionregistration-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { NamespaceLister } from "../chain/namespace-lister.js";
import type { ServedForm } from "../chain/object-forms.js";
import { type MatchCriteria, matchingForm, requestSelectors, ruleForm } from "../matching/match.js";

/** Which requests a policy or a binding applies to. */
export interface PolicyMatch extends MatchCriteria {
  /** Undefined when no rule excludes anything. */
  readonly excluded: MatchCriteria | undefined;
  /** Without rules everything matches. */
  readonly hasRules: boolean;
}

export function policyMatch(resources: MatchResources = {}): PolicyMatch {
  const { resourceRules = [], excludeResourceRules = [], matchPolicy } = resources;
  const matchesEquivalents = matchPolicy !== "Exact";
  return {
    rules: resourceRules,
    hasRules: resourceRules.length > 0,
    matchesEquivalents,
    ...requestSelectors(resources),
    excluded:
      excludeResourceRules.length === 0
        ? undefined
        : { rules: excludeResourceRules, matchesEquivalents, ...requestSelectors({}) },
  };
}

/** The form in which the request matches, undefined when it does not. Throws 404 when its namespace does not exist. */
export function matchedForm(
  match: PolicyMatch,
  attributes: AdmissionAttributes,
  namespaces: NamespaceLister,
): ServedForm | undefined | Promise<ServedForm | undefined> {
  if (match.excluded !== undefined && ruleForm(match.excluded, attributes) !== undefined) return undefined;
  const { kind, resource } = attributes;
  return matchingForm(match, attributes, namespaces, match.hasRules ? undefined : { kind, resource });
}
