import type { MatchResources, ParamRef } from "../../gen/admissionregistration-v1.js";

interface PolicySpec {
  failurePolicy?: string | undefined;
  matchConstraints?: MatchResources | undefined;
}

/** Defaults that all policies share. */
export function setPolicyDefaults(spec: PolicySpec): void {
  spec.failurePolicy ??= "Fail";
  setMatchDefaults(spec.matchConstraints);
}

export function setMatchDefaults(match: MatchResources | undefined): void {
  if (match === undefined) return;
  match.matchPolicy ??= "Equivalent";
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])]) {
    rule.scope ??= "*";
  }
}

/** Later versions require what v1alpha1 may leave out. */
export function setAlphaParamDefaults(ref: ParamRef | undefined): void {
  if (ref !== undefined) ref.parameterNotFoundAction ??= "Deny";
}
