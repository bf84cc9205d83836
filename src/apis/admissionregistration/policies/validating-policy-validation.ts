import { type CelType, scalarTypes } from "../../../apimachinery/cel/cel-type.js";
import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printList, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isQualifiedName } from "../../../apimachinery/validation/qualified-name.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
} from "../../gen/admissionregistration-v1.js";
import { type ExpressionContext, PolicyCompiler } from "../expressions/policy-compiler.js";
import { admissionregistrationV1Types } from "../v1/types.js";
import { validateExpression, validateMatchConditions, validateVariables } from "./expression-validation.js";
import { validateMatchResources } from "./match-resources-validation.js";
import { validateParamKind } from "./param-validation.js";

const specRules = fieldRules<ValidatingAdmissionPolicySpec>(
  admissionregistrationV1Types,
  "ValidatingAdmissionPolicySpec",
);
const validationRules = fieldRules<Validation>(admissionregistrationV1Types, "Validation");

const annotationsMax = 20;
const valueExpressionBytesMax = 5 * 1024;

/** `old` is the stored policy, whose expressions may use all that the level knows. */
export function validateValidatingPolicy(
  policy: ValidatingAdmissionPolicy,
  context: ExpressionContext,
  old?: ValidatingAdmissionPolicy,
): FieldError[] {
  return new PolicyValidation(policy, context, old).errors();
}

class PolicyValidation {
  readonly #policy: ValidatingAdmissionPolicy;
  readonly #old: ValidatingAdmissionPolicy | undefined;
  readonly #path = FieldPath.of("spec");
  readonly #level: ApiLevel;
  readonly #known: ReadonlySet<string>;
  readonly #make: () => PolicyCompiler;
  #compiler: PolicyCompiler | undefined;

  constructor(
    policy: ValidatingAdmissionPolicy,
    context: ExpressionContext,
    old: ValidatingAdmissionPolicy | undefined,
  ) {
    this.#policy = policy;
    this.#old = old;
    this.#level = context.level;
    this.#known = new Set(old === undefined ? [] : expressionsOf(old));
    const hasParams = policy.spec.paramKind !== undefined;
    this.#make = () => new PolicyCompiler(context, { hasParams, purpose: "admission" });
  }

  errors(): FieldError[] {
    const { spec } = this.#policy;
    const { paramKind, matchConstraints, variables = [] } = spec;
    const path = this.#path;
    const errors = specRules.check(spec, path, "failurePolicy");
    if (paramKind !== undefined) append(errors, validateParamKind(paramKind, path.child("paramKind")));
    const matchPath = path.child("matchConstraints");
    append(errors, specRules.check(spec, path, "matchConstraints"));
    if (matchConstraints !== undefined) {
      append(errors, validateMatchResources(matchConstraints, matchPath));
      if ((matchConstraints.resourceRules ?? []).length === 0) {
        errors.push(required(matchPath.child("resourceRules"), ""));
      }
    }
    append(errors, this.#conditions());
    append(
      errors,
      validateVariables(variables, path.child("variables"), () => this.#withVariables(), this.#known),
    );
    append(errors, this.#rules());
    return errors;
  }

  #withVariables(): PolicyCompiler {
    if (this.#compiler === undefined) {
      this.#compiler = this.#make();
      if ((this.#policy.spec.variables ?? []).length > 0) this.#compiler.withVariables();
    }
    return this.#compiler;
  }

  #conditions(): FieldError[] {
    const { spec } = this.#policy;
    const before = this.#old?.spec;
    const isSame =
      before !== undefined &&
      isDeepEqual(spec.matchConditions, before.matchConditions) &&
      isDeepEqual(spec.paramKind, before.paramKind);
    if (isSame) return [];
    const path = this.#path.child("matchConditions");
    return validateMatchConditions(spec.matchConditions ?? [], path, this.#make, this.#known);
  }

  #rules(): FieldError[] {
    const { validations = [], auditAnnotations = [] } = this.#policy.spec;
    const rulesPath = this.#path.child("validations");
    const annotationsPath = this.#path.child("auditAnnotations");
    if (validations.length === 0 && !isAtLeast(this.#level, "1.27")) return [required(rulesPath, "")];
    if (validations.length === 0 && auditAnnotations.length === 0) {
      const why = "validations or auditAnnotations must contain at least one item";
      return [required(rulesPath, why), required(annotationsPath, why)];
    }
    const errors: FieldError[] = [];
    for (const [index, validation] of validations.entries()) {
      append(errors, this.#validation(validation, rulesPath.index(index)));
    }
    const keys = new Set<string>();
    if (auditAnnotations.length > annotationsMax) {
      const why = `must not have more than ${annotationsMax} auditAnnotations`;
      errors.push(invalid(annotationsPath, printAnnotations(auditAnnotations), why));
    }
    for (const [index, annotation] of auditAnnotations.entries()) {
      const at = annotationsPath.index(index);
      append(errors, this.#annotation(annotation, at));
      if (keys.has(annotation.key)) errors.push(duplicate(at.child("key"), annotation.key));
      keys.add(annotation.key);
    }
    return errors;
  }

  #compile(text: string, path: FieldPath, returns: readonly CelType[], hasAuthorizer = true): FieldError[] {
    const isStored = this.#known.has(text);
    return validateExpression(this.#withVariables(), { text, path, returns, hasAuthorizer, isStored });
  }

  #validation(
    { expression, message = "", messageExpression = "", reason }: Validation,
    path: FieldPath,
  ): FieldError[] {
    const errors: FieldError[] = [];
    const expressionPath = path.child("expression");
    if (expression.trim() === "") errors.push(required(expressionPath, "expression is not specified"));
    else append(errors, this.#compile(expression, expressionPath, [scalarTypes.bool]));
    const messageExpressionPath = path.child("messageExpression");
    if (messageExpression !== "" && messageExpression.trim() === "") {
      errors.push(invalid(messageExpressionPath, messageExpression, "must be non-empty if specified"));
    } else if (messageExpression !== "") {
      append(errors, this.#compile(messageExpression, messageExpressionPath, [scalarTypes.string], false));
    }
    const messagePath = path.child("message");
    if (message !== "" && message.trim() === "") {
      errors.push(invalid(messagePath, message, aboutMessage("must be non-empty if specified")));
    } else if (/[\n\r]/.test(message.trim())) {
      errors.push(invalid(messagePath, message, aboutMessage("must not contain line breaks")));
    }
    return [...errors, ...validationRules.checkValue("reason", reason, path.child("reason"))];
  }

  #annotation({ key, valueExpression }: AuditAnnotation, path: FieldPath): FieldError[] {
    const { name = "" } = this.#policy.metadata;
    const keyPath = path.child("key");
    const errors =
      name === ""
        ? [invalid(keyPath, key, "requires metadata.name be non-empty")]
        : isQualifiedName(`${name}/${key}`).map((problem) => invalid(keyPath, `${name}/${key}`, problem));
    const valuePath = path.child("valueExpression");
    const text = valueExpression.trim();
    if (text === "") errors.push(required(valuePath, "valueExpression is not specified"));
    else if (Buffer.byteLength(text) > valueExpressionBytesMax) {
      errors.push(required(valuePath, `must not exceed ${valueExpressionBytesMax} bytes in length`));
    } else {
      const isStored = this.#known.has(text);
      const returns = [scalarTypes.string, scalarTypes.null];
      const expression = {
        text,
        shown: valueExpression,
        path: valuePath,
        returns,
        hasAuthorizer: true,
        isStored,
      };
      append(errors, validateExpression(this.#withVariables(), expression));
    }
    return errors;
  }
}

function aboutMessage(problem: string): string {
  return hasErrorTextsOf(34) ? problem : `message ${problem}`;
}

function expressionsOf({ spec }: ValidatingAdmissionPolicy): string[] {
  return [
    ...(spec.matchConditions ?? []).map(({ expression }) => expression),
    ...(spec.variables ?? []).map(({ expression }) => expression),
    ...(spec.validations ?? []).flatMap(({ expression, messageExpression = "" }) => [
      expression,
      messageExpression,
    ]),
    ...(spec.auditAnnotations ?? []).map(({ valueExpression }) => valueExpression.trim()),
  ];
}

function printAnnotations(annotations: readonly AuditAnnotation[]): PrintedValue {
  const type = "admissionregistration.AuditAnnotation";
  return printList(
    type,
    annotations.map(({ key, valueExpression }) =>
      printStruct(type, { Key: key, ValueExpression: valueExpression }),
    ),
  );
}
