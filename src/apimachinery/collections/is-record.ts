export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Whether it has members: neither a list nor null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}
