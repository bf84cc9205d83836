import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { StrategyRules } from "./base-strategy.js";

/** For kinds without status: `metadata.generation` starts at 1 and counts changes of the part that `part` selects. */
export function generationRules<T extends ApiObject>(
  part: (object: T) => unknown,
  rules: StrategyRules<T>,
): StrategyRules<T> {
  return {
    ...rules,
    prepareForCreate(context, object) {
      object.metadata.generation = 1;
      rules.prepareForCreate?.(context, object);
    },
    prepareForUpdate(context, object, old) {
      rules.prepareForUpdate?.(context, object, old);
      if (!isDeepEqual(part(object), part(old))) {
        object.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
      }
    },
  };
}
