import { type CelType, listOf } from "../../../apimachinery/cel/cel-type.js";
import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingAdmissionPolicySpec,
  Mutation,
} from "../../gen/admissionregistration-v1.js";
import { type ExpressionContext, PolicyCompiler } from "../expressions/policy-compiler.js";
import { admissionregistrationV1Types } from "../v1/types.js";
import { validateBindingBasis } from "./binding-validation.js";
import { validateExpression, validateMatchConditions, validateVariables } from "./expression-validation.js";
import { validateMatchResources } from "./match-resources-validation.js";
import { validateParamKind } from "./param-validation.js";

const specRules = fieldRules<MutatingAdmissionPolicySpec>(
  admissionregistrationV1Types,
  "MutatingAdmissionPolicySpec",
);
const mutationRules = fieldRules<Mutation>(admissionregistrationV1Types, "Mutation");

const mutableOperations = ["*", "CONNECT", "CREATE", "UPDATE"];

/** What the expression of an apply configuration makes. */
export const appliedType: CelType = { kind: "object", name: "Object", fields: new Map() };
/** What the expression of a JSON patch makes. */
export const patchesType: CelType = listOf({ kind: "object", name: "JSONPatch", fields: new Map() });

/** `old` is the stored policy, whose expressions may use all that the level knows. */
export function validateMutatingPolicy(
  { spec }: MutatingAdmissionPolicy,
  context: ExpressionContext,
  old?: MutatingAdmissionPolicy,
): FieldError[] {
  const path = FieldPath.of("spec");
  const { paramKind, matchConstraints, matchConditions = [], variables = [], mutations = [] } = spec;
  const known = new Set(old === undefined ? [] : expressionsOf(old));
  const make = (): PolicyCompiler =>
    new PolicyCompiler(context, { hasParams: paramKind !== undefined, purpose: "mutation" });
  const compiler = make().withVariables();
  const errors = specRules.check(spec, path, "failurePolicy");
  if (paramKind !== undefined) append(errors, validateParamKind(paramKind, path.child("paramKind")));
  const matchPath = path.child("matchConstraints");
  append(errors, specRules.check(spec, path, "matchConstraints"));
  if (matchConstraints !== undefined) {
    append(errors, validateMatchResources(matchConstraints, matchPath));
    if ((matchConstraints.resourceRules ?? []).length === 0) {
      errors.push(required(matchPath.child("resourceRules"), ""));
    }
    append(errors, validateOperations(matchConstraints, matchPath));
  }
  append(errors, validateMatchConditions(matchConditions, path.child("matchConditions"), make, known));
  append(
    errors,
    validateVariables(variables, path.child("variables"), () => compiler, known),
  );
  append(errors, specRules.check(spec, path, "mutations"));
  for (const [index, mutation] of mutations.entries()) {
    append(errors, validateMutation(mutation, path.child("mutations").index(index), compiler, known));
  }
  return [...errors, ...specRules.check(spec, path, "reinvocationPolicy")];
}

export function validateMutatingBinding(
  { spec }: MutatingAdmissionPolicyBinding,
  level: ApiLevel,
): FieldError[] {
  const path = FieldPath.of("spec");
  return [
    ...validateBindingBasis(spec, path, level),
    ...validateOperations(spec.matchResources ?? {}, path.child("matchResources")),
  ];
}

/** A delete has no object to change. */
function validateOperations({ resourceRules }: MatchResources, path: FieldPath): FieldError[] {
  return errorsOfEach(resourceRules, ({ operations = [] }) =>
    operations
      .filter((operation) => !mutableOperations.includes(operation))
      .map((operation) =>
        notSupported(path.child("resourceRules", "operations"), operation, mutableOperations),
      ),
  );
}

function validateMutation(
  mutation: Mutation,
  path: FieldPath,
  compiler: PolicyCompiler,
  known: ReadonlySet<string>,
): FieldError[] {
  const { patchType = "" } = mutation;
  const errors = mutationRules.check(mutation, path, "patchType");
  if (errors.length > 0) return errors;
  const isApplied = patchType === "ApplyConfiguration";
  const [used, other] = isApplied
    ? (["applyConfiguration", "jsonPatch"] as const)
    : (["jsonPatch", "applyConfiguration"] as const);
  const given = mutation[used];
  if (given === undefined) {
    errors.push(required(path.child(used), `must be specified when patchType is ${patchType}`));
  } else {
    const at = path.child(used).child("expression");
    const { expression = "" } = given;
    const text = expression.trim();
    if (text === "") errors.push(required(at, ""));
    else {
      const isStored = known.has(expression);
      const returns = [isApplied ? appliedType : patchesType];
      append(
        errors,
        validateExpression(compiler, { text, path: at, returns, hasAuthorizer: true, isStored }),
      );
    }
  }
  if (mutation[other] !== undefined) {
    errors.push(
      invalid(path.child(other), `{${other}}`, `must not be specified when patchType is ${patchType}`),
    );
  }
  return errors;
}

function expressionsOf({ spec }: MutatingAdmissionPolicy): string[] {
  return [
    ...(spec.matchConditions ?? []).map(({ expression }) => expression),
    ...(spec.variables ?? []).map(({ expression }) => expression),
    ...(spec.mutations ?? []).flatMap(({ applyConfiguration, jsonPatch }) => [
      applyConfiguration?.expression ?? "",
      jsonPatch?.expression ?? "",
    ]),
  ];
}
