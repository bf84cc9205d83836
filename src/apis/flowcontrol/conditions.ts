import { append } from "../../apimachinery/collections/append.js";
import { duplicate, type FieldError, FieldPath } from "../../apimachinery/errors/field-error.js";
import { fieldRules } from "../definition/field-rules.js";
import { flowcontrolV1Types } from "./v1/types.js";

interface Condition {
  readonly type?: string | undefined;
}

/** Those of priority levels have the same rules. */
const rules = fieldRules<Condition>(flowcontrolV1Types, "FlowSchemaCondition");

export function validateConditions(conditions: readonly Condition[] | undefined): FieldError[] {
  const seen = new Set<string>();
  return (conditions ?? []).flatMap((condition, index) => {
    const { type = "" } = condition;
    const path = FieldPath.of("status", "conditions").index(index);
    const errors: FieldError[] = [];
    if (seen.has(type)) errors.push(duplicate(path.child("type"), type));
    seen.add(type);
    append(errors, rules.check(condition, path, "type"));
    return errors;
  });
}
