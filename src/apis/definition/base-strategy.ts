import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { nameIsDnsSubdomain } from "../../apimachinery/validation/object-name.js";
import { partVerbs } from "./define-resource.js";
import type { Strategy } from "./strategy.js";

/** The parts of a strategy that differ between kinds; the rest has defaults. */
export type StrategyRules<T extends ApiObject> = Partial<Strategy<T>>;

/** The strategy of a kind without status: nothing to clear, names are DNS subdomains, updates may omit the resourceVersion. */
export function strategy<T extends ApiObject>(rules: StrategyRules<T> = {}): Strategy<T> {
  return {
    validateName: nameIsDnsSubdomain,
    allowCreateOnUpdate: false,
    allowUnconditionalUpdate: true,
    prepareForCreate() {},
    validate: () => [],
    prepareForUpdate() {},
    validateUpdate: () => [],
    ...rules,
  };
}

interface WithSpecAndStatus extends ApiObject {
  spec?: unknown;
  status?: unknown;
}

/**
 * The strategy of a kind with spec and status: writes of the object keep the status, and `metadata.generation` counts changes of the
 * spec.
 */
export function specStrategy<T extends WithSpecAndStatus>(
  rules: StrategyRules<T> & { readonly emptyStatus: () => T["status"] },
): Strategy<T> {
  const { emptyStatus, ...others } = rules;
  return strategy<T>({
    resetFields: [["status"]],
    ...others,
    prepareForCreate(context, object) {
      object.status = emptyStatus();
      object.metadata.generation = 1;
      rules.prepareForCreate?.(context, object);
    },
    prepareForUpdate(context, object, old) {
      object.status = old.status;
      rules.prepareForUpdate?.(context, object, old);
      if (!isDeepEqual(object.spec, old.spec)) {
        object.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
      }
    },
  });
}

/** The subresource `status`, with the strategy that `statusStrategy` makes. */
export function statusPart<T extends WithSpecAndStatus>(main: Strategy<T>, rules: StrategyRules<T> = {}) {
  return { kind: "part", name: "status", verbs: partVerbs, strategy: statusStrategy(main, rules) } as const;
}

/** The strategy of the `status` subresource: only the status (and labels of the kinds that allow it) may change. */
export function statusStrategy<T extends WithSpecAndStatus>(
  main: Strategy<T>,
  rules: StrategyRules<T> = {},
): Strategy<T> {
  return {
    ...main,
    allowCreateOnUpdate: false,
    resetFields: [["spec"]],
    validateUpdate: () => [],
    warningsOnUpdate: () => [],
    ...rules,
    prepareForUpdate(context, object, old) {
      object.spec = old.spec;
      rules.prepareForUpdate?.(context, object, old);
    },
  };
}
