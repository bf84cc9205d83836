import { type FieldError, FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ApiContext } from "../definition/api-context.js";
import type { StrategyRules } from "../definition/base-strategy.js";

/**
 * From 1.36 on, names that end in `.static.DOMAIN` are reserved for webhooks and policies in files. A client that uses one is warned, and
 * while the gate for such files is on, it is refused.
 */
export function withReservedNames<T extends ApiObject>(
  context: ApiContext,
  rules: StrategyRules<T>,
): StrategyRules<T> {
  if (!isAtLeast(context.level, "1.36")) return rules;
  const suffix = `.static.${context.naming.groupDomain}`;
  const why = `names ending with ${JSON.stringify(suffix)} are reserved for static manifest-based configurations and cannot be managed via the API`;
  const isReserved = ({ metadata: { name = "" } }: T): boolean => name.endsWith(suffix);
  const warnings = (object: T): string[] => (isReserved(object) ? [`metadata.name: ${why}`] : []);
  const refuses = context.isEnabled("ManifestBasedAdmissionControlConfig");
  return {
    ...rules,
    validate(write, object) {
      const errors: FieldError[] = rules.validate?.(write, object) ?? [];
      if (!refuses || !isReserved(object)) return errors;
      return [...errors, invalid(FieldPath.of("metadata", "name"), object.metadata.name ?? "", why)];
    },
    warningsOnCreate: (_write, object) => (refuses ? [] : warnings(object)),
    warningsOnUpdate: (_write, object) => warnings(object),
  };
}
