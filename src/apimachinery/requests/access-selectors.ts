/** One condition, in the words of reviews: In, NotIn, and for labels Exists and DoesNotExist. */
export interface SelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/**
 * Limits a list, watch or deletecollection to some objects. Selectors only narrow: one that was not understood is left out, and the
 * question is about more objects.
 */
export interface AccessSelectors {
  /** Each has one value; fields have no Exists. */
  readonly fields: readonly SelectorRequirement[];
  readonly labels: readonly SelectorRequirement[];
}

/** Undefined when nothing narrows the question. */
export function accessSelectors(
  fields: readonly SelectorRequirement[],
  labels: readonly SelectorRequirement[],
): AccessSelectors | undefined {
  return fields.length + labels.length === 0 ? undefined : { fields, labels };
}

/** Whether a question is limited to objects with `field` equal to `value`. */
export function isLimitedTo(selectors: AccessSelectors | undefined, field: string, value: string): boolean {
  return (
    selectors?.fields.some(
      ({ key, operator, values }) => key === field && operator === "In" && values?.[0] === value,
    ) === true
  );
}
