import { duplicate, type FieldError, FieldPath, required } from "../../apimachinery/errors/field-error.js";

interface Condition {
  readonly type?: string | undefined;
}

export function validateConditions(conditions: readonly Condition[] | undefined): FieldError[] {
  const seen = new Set<string>();
  return (conditions ?? []).flatMap(({ type = "" }, index) => {
    const path = FieldPath.of("status", "conditions").index(index).child("type");
    const errors: FieldError[] = [];
    if (seen.has(type)) errors.push(duplicate(path, type));
    seen.add(type);
    if (type === "") errors.push(required(path, "must not be empty"));
    return errors;
  });
}
