import { type FieldError, FieldPath, invalid, required } from "../../../apimachinery/errors/field-error.js";
import { isRequestUri, urlParts } from "../../../apimachinery/validation/urls.js";
import type { Naming } from "../../../naming/naming.js";
import type { CustomResourceDefinition } from "../../gen/apiextensions-v1.js";

export type ApprovalState = "approved" | "bypassed" | "invalid" | "missing";

export interface Approval {
  readonly state: ApprovalState;
  readonly reason: string;
}

/** The annotation with the approval that definitions in the project's own groups need. */
function approvalAnnotation(naming: Naming): string {
  return `api-approved.${naming.domain}`;
}

/** Parses the approval annotation of a definition: a URL, or the reason for having none. */
export function approvalOf(
  { metadata }: Pick<CustomResourceDefinition, "metadata">,
  naming: Naming,
): Approval {
  const name = approvalAnnotation(naming);
  const value = metadata.annotations?.[name] ?? "";
  const see = `see https://github.com/${naming.vendor}/enhancements/pull/1111`;
  const must = `protected groups must have approval annotation ${JSON.stringify(name)}`;
  if (value === "") return { state: "missing", reason: `${must}, ${see}` };
  if (value.startsWith("unapproved")) {
    return { state: "bypassed", reason: `not approved: ${JSON.stringify(value)}` };
  }
  const [, scheme, host = ""] = urlParts.exec(value) ?? [];
  if (scheme !== undefined && host !== "" && isRequestUri(value)) {
    return { state: "approved", reason: `approved in ${value}` };
  }
  const either = 'with either a URL or a reason starting with "unapproved"';
  return { state: "invalid", reason: `${must} ${either}, ${see}` };
}

/** An update may keep the state of the annotation, even an invalid one. */
export function validateApproval(
  object: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  naming: Naming,
): FieldError[] {
  if (!naming.isProtectedGroup(object.spec.group)) return [];
  const { state, reason } = approvalOf(object, naming);
  if (old !== undefined && approvalOf(old, naming).state === state) return [];
  const annotation = approvalAnnotation(naming);
  const path = FieldPath.of("metadata", "annotations").key(annotation);
  if (state === "missing") return [required(path, reason)];
  return state === "invalid" ? [invalid(path, object.metadata.annotations?.[annotation], reason)] : [];
}
