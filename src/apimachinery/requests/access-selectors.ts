/** One condition, as reviews name it: In, NotIn, and for labels Exists and DoesNotExist. */
export interface SelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/**
 * To which objects a list, watch or deletion of many is limited. Selectors only narrow: what could not be understood is left out, and
 * the question is about more objects.
 */
export interface AccessSelectors {
  /** Each has one value; a field cannot be asked whether it exists. */
  readonly fields: readonly SelectorRequirement[];
  readonly labels: readonly SelectorRequirement[];
}

/** Undefined where nothing narrows the question. */
export function accessSelectors(
  fields: readonly SelectorRequirement[],
  labels: readonly SelectorRequirement[],
): AccessSelectors | undefined {
  return fields.length + labels.length === 0 ? undefined : { fields, labels };
}

/** Whether a question is limited to objects of which `field` has `value`. */
export function isLimitedTo(selectors: AccessSelectors | undefined, field: string, value: string): boolean {
  return (
    selectors?.fields.some(
      ({ key, operator, values }) => key === field && operator === "In" && values?.[0] === value,
    ) === true
  );
}
