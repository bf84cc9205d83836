import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, forbidden, required } from "../../../apimachinery/errors/field-error.js";
import { validateDomainPrefixedPath } from "../../checks/domain-prefixed-path.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  IngressClass,
  IngressClassParametersReference,
  IngressClassSpec,
} from "../../gen/networking-v1.js";
import { validateObjectReference } from "../object-reference.js";
import { networkingV1Types } from "../v1/types.js";

const specRules = fieldRules<IngressClassSpec>(networkingV1Types, "IngressClassSpec");
const parameterRules = fieldRules<IngressClassParametersReference>(
  networkingV1Types,
  "IngressClassParametersReference",
);

export function validateIngressClass(object: IngressClass): FieldError[] {
  const { controller = "", parameters } = object.spec;
  const path = FieldPath.of("spec");
  const errors = specRules.check(object.spec, path, "controller");
  append(errors, validateDomainPrefixedPath(path.child("controller"), controller));
  if (parameters !== undefined) append(errors, validateParameters(parameters, path.child("parameters")));
  return errors;
}

export function validateIngressClassUpdate(object: IngressClass, old: IngressClass): FieldError[] {
  return [
    ...specRules.unchanged(object.spec, old.spec, FieldPath.of("spec"), "controller"),
    ...validateIngressClass(object),
  ];
}

function validateParameters(parameters: IngressClassParametersReference, path: FieldPath): FieldError[] {
  const errors = validateObjectReference(parameters, path);
  const { scope, namespace } = parameters;
  switch (scope) {
    case "Cluster":
      if (namespace !== undefined) {
        errors.push(forbidden(path.child("namespace"), "`parameters.scope` is set to 'Cluster'"));
      }
      return errors;
    case "Namespace":
      if (namespace === undefined) {
        errors.push(required(path.child("namespace"), "`parameters.scope` is set to 'Namespace'"));
        return errors;
      }
      return [...errors, ...parameterRules.check(parameters, path, "namespace")];
    default:
      return [...errors, ...parameterRules.check(parameters, path, "scope")];
  }
}
