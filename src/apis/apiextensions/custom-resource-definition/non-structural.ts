import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, findErrors, invalid } from "../../../apimachinery/errors/field-error.js";
import { shortened, shownCharactersMax } from "../../../apimachinery/errors/printed-value.js";
import { shownErrors } from "../../../apimachinery/errors/shown-errors.js";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from "../../gen/apiextensions-v1.js";
import { unsupportedProblem } from "../schema/openapi-validation.js";
import { PatternCheck } from "../schema/regular-expression.js";
import { structuralErrors } from "../schema/structural-validation.js";
import { someSchema } from "../schema/subschemas.js";

export const nonStructuralType = "NonStructuralSchema";

export type NonStructuralCondition = Omit<CustomResourceDefinitionCondition, "lastTransitionTime">;

/**
 * The NonStructuralSchema condition of a definition that was stored before structural schemas were required. Undefined for all others.
 * Source: kube-apiserver 1.23, the controller of non-structural schemas.
 */
export function nonStructuralCondition(
  { spec }: Pick<CustomResourceDefinition, "spec">,
  prefix: string,
): NonStructuralCondition | undefined {
  // Without this field, only a structural schema could be stored.
  if (spec.preserveUnknownFields !== true) return undefined;
  for (const { name, schema } of spec.versions ?? []) {
    const declared = schema?.openAPIV3Schema;
    if (declared === undefined) continue;
    const problems: string[] = [];
    someSchema(declared, (one) => {
      const problem = unsupportedProblem(one);
      if (problem !== undefined) problems.push(problem);
      return problem !== undefined;
    });
    const [problem] = problems;
    if (problem !== undefined) {
      const message = `failed to check validation schema for version ${name}: ${shortened(problem)}`;
      return { type: nonStructuralType, status: "Unknown", reason: "StructuralError", message };
    }
  }
  const found = findErrors(() => violations(spec, prefix));
  // Kubernetes lists them all; for a large schema, that would exceed the size of an object.
  const message = shownErrors(found, shownCharactersMax).text;
  return { type: nonStructuralType, status: "True", reason: "Violations", message };
}

function violations(spec: CustomResourceDefinition["spec"], prefix: string): readonly FieldError[] {
  const path = FieldPath.of("spec");
  const patterns = new PatternCheck();
  const errors = [invalid(path.child("preserveUnknownFields"), true, "must be false")];
  for (const [index, { schema }] of (spec.versions ?? []).entries()) {
    const declared = schema?.openAPIV3Schema;
    if (declared === undefined) continue;
    const at = path.child("versions").index(index).child("schema", "openAPIV3Schema");
    append(errors, structuralErrors(declared, at, { prefix, patterns }));
  }
  return errors;
}
