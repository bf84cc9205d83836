import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isDns1035Label, isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import { validateLabelSelector } from "../../../apimachinery/validation/label-selector.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ParamKind, ParamRef } from "../../gen/admissionregistration-v1.js";
import { admissionregistrationV1Types } from "../v1/types.js";

const kindRules = fieldRules<ParamKind>(admissionregistrationV1Types, "ParamKind");
const refRules = fieldRules<ParamRef>(admissionregistrationV1Types, "ParamRef");

/** The kind of the objects that a policy takes as parameters. */
export function validateParamKind(param: ParamKind, path: FieldPath): FieldError[] {
  const { apiVersion = "", kind = "" } = param;
  return [
    ...kindRules.check(param, path, "apiVersion"),
    ...(apiVersion === "" ? [] : validateApiVersion(apiVersion, path.child("apiVersion"))),
    ...kindRules.check(param, path, "kind"),
    ...(kind === "" ? [] : validateKind(kind, path.child("kind"))),
  ];
}

function validateApiVersion(apiVersion: string, path: FieldPath): FieldError[] {
  const parts = apiVersion.split("/");
  if (parts.length > 2) {
    return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  }
  const version = parts.at(-1) ?? "";
  const group = parts.length === 2 ? (parts[0] ?? "") : "";
  const errors: FieldError[] = [];
  const groupProblems = group === "" ? [] : isDns1123Subdomain(group);
  if (groupProblems.length > 0) errors.push(invalid(path, group, groupProblems.join(",")));
  if (version === "") errors.push(invalid(path, apiVersion, "version must be specified"));
  else {
    const problems = isDns1035Label(version);
    if (problems.length > 0) errors.push(invalid(path, version, problems.join(",")));
  }
  return errors;
}

function validateKind(kind: string, path: FieldPath): FieldError[] {
  const problems = isDns1035Label(kind.toLowerCase());
  if (problems.length === 0) return [];
  return [invalid(path, kind, `may have mixed case, but should otherwise match: ${problems.join(",")}`)];
}

const exclusive = "name and selector are mutually exclusive";

/** The objects that a binding names. Before 1.28, it may name none. */
export function validateParamRef(ref: ParamRef | undefined, path: FieldPath, level: ApiLevel): FieldError[] {
  if (ref === undefined) return [];
  const { name = "", selector } = ref;
  const errors = refRules.check(ref, path, "name");
  if (!isAtLeast(level, "1.28")) return errors;
  if (name !== "" && selector !== undefined) errors.push(forbidden(path.child("name"), exclusive));
  if (selector !== undefined) {
    errors.push(...validateLabelSelector(selector, path.child("selector"), true));
    if (name !== "") errors.push(forbidden(path.child("selector"), exclusive));
  }
  if (name === "" && selector === undefined) {
    errors.push(required(path, "one of name or selector must be specified"));
  }
  return [...errors, ...refRules.check(ref, path, "parameterNotFoundAction")];
}
