import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/field-error.js";
import { isDeepEqual } from "../../definition/base-strategy.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from "../../gen/flowcontrol-v1beta2.js";
import { validateConditions } from "../conditions.js";
import { mandatoryPriorityLevels } from "../mandatory.js";

const specRules = fieldRules<PriorityLevelConfigurationSpec>(
  "flowcontrol/v1beta2.PriorityLevelConfigurationSpec",
);
const responseRules = fieldRules<LimitResponse>("flowcontrol/v1beta2.LimitResponse");
const queuesMax = 10_000_000;
/** A flow's hand is dealt from one 64-bit hash, of which some bits are left out. */
const hashBitsMax = 60;

export function validatePriorityLevel({ metadata, spec, status }: PriorityLevelConfiguration): FieldError[] {
  const { name = "" } = metadata;
  const path = FieldPath.of("spec");
  const errors = validateSpec(spec, name, path);
  const mandatory = mandatoryPriorityLevels.get(name);
  if (mandatory !== undefined && !isDeepEqual(spec, mandatory)) {
    errors.push(invalid(path, spec, `spec of '${name}' must equal the fixed value`));
  }
  return [...errors, ...validateConditions(status.conditions)];
}

function validateSpec(spec: PriorityLevelConfigurationSpec, name: string, path: FieldPath): FieldError[] {
  const { type, limited } = spec;
  const errors: FieldError[] = [];
  if ((name === "exempt") !== (type === "Exempt")) {
    const why = "type must be 'Exempt' if and only if name is 'exempt'";
    errors.push(invalid(path.child("type"), type, why));
  }
  const limitedPath = path.child("limited");
  switch (type) {
    case "Exempt":
      if (limited !== undefined) {
        errors.push(forbidden(limitedPath, "must be nil if the type is not Limited"));
      }
      return errors;
    case "Limited":
      if (limited === undefined) {
        return [...errors, required(limitedPath, "must not be empty when type is Limited")];
      }
      if (limited.assuredConcurrencyShares <= 0) {
        const shares = limitedPath.child("assuredConcurrencyShares");
        errors.push(invalid(shares, limited.assuredConcurrencyShares, "must be positive"));
      }
      return [...errors, ...validateLimitResponse(limited.limitResponse, limitedPath.child("limitResponse"))];
    default:
      return [...errors, ...specRules.checkValue("type", type, path.child("type"))];
  }
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
      return responseRules.check(response, path, "type");
  }
}

function validateQueuing(queuing: QueuingConfiguration, path: FieldPath): FieldError[] {
  const { queues, handSize, queueLengthLimit } = queuing;
  const errors: FieldError[] = [];
  if (queueLengthLimit <= 0) {
    errors.push(invalid(path.child("queueLengthLimit"), queueLengthLimit, "must be positive"));
  }
  if (queues <= 0) errors.push(invalid(path.child("queues"), queues, "must be positive"));
  else if (queues > queuesMax) {
    errors.push(invalid(path.child("queues"), queues, `must not be greater than ${queuesMax}`));
  }
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
