import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
} from "../../apimachinery/errors/field-error.js";
import { isQualifiedName } from "../../apimachinery/validation/qualified-name.js";

export const oldestEmulationVersion = "OldestEmulationVersion";

/**
 * One of the names of Kubernetes itself, or another name with a domain, `example.com/strategy`. Errors name the field twice, as in
 * Kubernetes.
 */
export function validateLeaseStrategy(strategy: string, field: FieldPath): FieldError[] {
  const path = field.child("strategy");
  if (strategy.includes("/")) {
    return isQualifiedName(strategy).map((problem) => invalid(path, strategy, problem));
  }
  return strategy === oldestEmulationVersion ? [] : [notSupported(path, strategy, [oldestEmulationVersion])];
}
