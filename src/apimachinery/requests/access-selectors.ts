/** One condition, with the operators of access reviews: In, NotIn, and for labels Exists and DoesNotExist. */
export interface SelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/**
 * Limits a list, watch or deletecollection to some objects. A selector that cannot be read is left out, so the check is for more objects,
 * never for fewer.
 */
export interface AccessSelectors {
  /** Each has one value; fields have no Exists. */
  readonly fields: readonly SelectorRequirement[];
  readonly labels: readonly SelectorRequirement[];
}

/** Undefined if no selector limits the request. */
export function accessSelectors(
  fields: readonly SelectorRequirement[],
  labels: readonly SelectorRequirement[],
): AccessSelectors | undefined {
  return fields.length + labels.length === 0 ? undefined : { fields, labels };
}

/** Whether the check is limited to objects with `field` equal to `value`. */
export function isLimitedTo(selectors: AccessSelectors | undefined, field: string, value: string): boolean {
  return (
    selectors?.fields.some(
      ({ key, operator, values }) => key === field && operator === "In" && values?.[0] === value,
    ) === true
  );
}
