import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { type FieldRules, fieldRules } from "../../definition/field-rules.js";
import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from "../../gen/flowcontrol-v1.js";
import { validateConditions } from "../conditions.js";
import { mandatoryPriorityLevels } from "../mandatory.js";
import { flowcontrolV1Types } from "../v1/types.js";
import { defaultShares } from "./defaults.js";

const specRules = fieldRules<PriorityLevelConfigurationSpec>(
  flowcontrolV1Types,
  "PriorityLevelConfigurationSpec",
);
const limitedRules = fieldRules<LimitedPriorityLevelConfiguration>(
  flowcontrolV1Types,
  "LimitedPriorityLevelConfiguration",
);
const exemptRules = fieldRules<ExemptPriorityLevelConfiguration>(
  flowcontrolV1Types,
  "ExemptPriorityLevelConfiguration",
);
const responseRules = fieldRules<LimitResponse>(flowcontrolV1Types, "LimitResponse");
const queuingRules = fieldRules<QueuingConfiguration>(flowcontrolV1Types, "QueuingConfiguration");
/** The queues of a flow (its "hand") are chosen by a 64-bit hash, of which 60 bits are used. */
const hashBitsMax = 60;

/** The version of the request decides the rules and what the shares are called. */
export interface PriorityLevelRules {
  readonly version: string | undefined;
  readonly level: ApiLevel;
  readonly allowsZeroShares: boolean;
}

export function validatePriorityLevel(
  { metadata, spec, status }: PriorityLevelConfiguration,
  rules: PriorityLevelRules,
): FieldError[] {
  const { version, level } = rules;
  const { name = "" } = metadata;
  const path = FieldPath.of("spec");
  const errors = validateSpec(spec, name, path, rules);
  const mandatory = mandatoryPriorityLevels.get(name);
  const { exempt: _free, ...fixed } = spec;
  if (mandatory !== undefined && !isDeepEqual(name === "exempt" ? fixed : spec, mandatory)) {
    const mayDiffer = version === "v1" || isAtLeast(level, "1.28");
    const except = name === "exempt" && mayDiffer ? " except the 'spec.exempt' field" : "";
    errors.push(invalid(path, spec, `spec of '${name}'${except} must equal the fixed value`));
  }
  return [...errors, ...validateConditions(status.conditions)];
}

function validateSpec(
  spec: PriorityLevelConfigurationSpec,
  name: string,
  path: FieldPath,
  rules: PriorityLevelRules,
): FieldError[] {
  const { type, limited, exempt } = spec;
  const errors: FieldError[] = [];
  if ((name === "exempt") !== (type === "Exempt")) {
    const why = hasErrorTextsOf(34)
      ? "must be 'Exempt' if and only if `name` is 'exempt'"
      : "type must be 'Exempt' if and only if name is 'exempt'";
    errors.push(invalid(path.child("type"), type, why));
  }
  const limitedPath = path.child("limited");
  switch (type) {
    case "Exempt":
      if (limited !== undefined) {
        errors.push(forbidden(limitedPath, "must be nil if the type is not Limited"));
      }
      if (exempt === undefined) return errors;
      return [
        ...errors,
        ...exemptRules.check(exempt, path.child("exempt"), "nominalConcurrencyShares", "lendablePercent"),
      ];
    case "Limited":
      if (exempt !== undefined) {
        errors.push(forbidden(path.child("exempt"), "must be nil if the type is Limited"));
      }
      if (limited === undefined) {
        return [...errors, required(limitedPath, "must not be empty when type is Limited")];
      }
      return [...errors, ...validateLimited(limited, limitedPath, rules)];
    default:
      return [...errors, ...validateOtherType(specRules, type, path.child("type"))];
  }
}

/** Before 1.36, an absent type is like any other that is not supported. */
function validateOtherType(
  { checkValue }: Pick<FieldRules<{ readonly type: string }>, "checkValue">,
  type: string,
  path: FieldPath,
): FieldError[] {
  return type === "" && hasErrorTextsOf(36) ? [required(path, "")] : checkValue("type", type, path);
}

function validateLimited(
  limited: LimitedPriorityLevelConfiguration,
  path: FieldPath,
  { version, allowsZeroShares }: PriorityLevelRules,
): FieldError[] {
  const { nominalConcurrencyShares: shares = defaultShares } = limited;
  const errors: FieldError[] = [];
  if (shares < 0 || (shares === 0 && !allowsZeroShares)) {
    const why = allowsZeroShares ? "must be a non-negative integer" : "must be positive";
    errors.push(invalid(path.child(sharesField(version)), shares, why));
  }
  append(errors, validateLimitResponse(limited.limitResponse, path.child("limitResponse")));
  return [...errors, ...limitedRules.check(limited, path, "lendablePercent", "borrowingLimitPercent")];
}

function sharesField(version: string | undefined): string {
  return version === "v1" || version === "v1beta3" ? "nominalConcurrencyShares" : "assuredConcurrencyShares";
}

function validateLimitResponse(response: LimitResponse, path: FieldPath): FieldError[] {
  const { type, queuing } = response;
  const queuingPath = path.child("queuing");
  switch (type) {
    case "Reject":
      if (queuing === undefined) return [];
      return [forbidden(queuingPath, "must be nil if limited.limitResponse.type is not Limited")];
    case "Queue":
      if (queuing !== undefined) return validateQueuing(queuing, queuingPath);
      return [required(queuingPath, "must not be empty if limited.limitResponse.type is Limited")];
    default:
      return validateOtherType(responseRules, type, path.child("type"));
  }
}

function validateQueuing(queuing: QueuingConfiguration, path: FieldPath): FieldError[] {
  const { queues, handSize } = queuing;
  const errors = queuingRules.check(queuing, path, "queueLengthLimit", "queues");
  const problem = handSizeProblem(queues, handSize);
  if (problem !== undefined) errors.push(invalid(path.child("handSize"), handSize, problem));
  return errors;
}

function handSizeProblem(queues: number, handSize: number): string | undefined {
  if (handSize <= 0) return "must be positive";
  if (handSize > queues) return `should not be greater than queues (${queues})`;
  if (Math.ceil(Math.log2(queues) * handSize) <= hashBitsMax) return undefined;
  return `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${hashBitsMax}`;
}
