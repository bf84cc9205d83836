import type { ApiObject } from "../../apimachinery/meta.js";
import { nameIsDnsSubdomain } from "../../apimachinery/validation/object-name.js";
import type { Strategy } from "./strategy.js";

/** The parts of a strategy that differ between kinds; the rest has defaults. */
export type StrategyRules<T extends ApiObject> = Partial<Strategy<T>>;

/**
 * The strategy of a kind without status: nothing to clear, names are DNS subdomains, updates may come without a version.
 */
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

/**
 * Equality of objects in canonical form: an empty list equals an absent one. An empty object does not: in canonical form it is a
 * message that was present (`emptyDir: {}`), because empty maps are absent.
 */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a) && isEmpty(b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return false;
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((v, i) => isDeepEqual(v, b[i]))
    );
  }
  // Records of whatever they hold.
  const [left, right] = [a as Members, b as Members];
  for (const key in left) {
    if (!isDeepEqual(left[key], Object.hasOwn(right, key) ? right[key] : undefined)) return false;
  }
  for (const key in right) if (!Object.hasOwn(left, key) && !isEmpty(right[key])) return false;
  return true;
}

type Members = { readonly [name: string]: unknown };

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
