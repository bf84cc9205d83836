/**
 * Equality of decoded objects: fields in any order; absent, null and an empty list are the same, because in protobuf they are. An empty
 * object is not: it is a message that was present (`emptyDir: {}`), because empty maps are absent.
 */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isUnset(a) || isUnset(b)) return isUnset(a) && isUnset(b);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    // An int64 is a bigint only where it does not fit a number; one field may hold both.
    return isInteger(a) && isInteger(b) ? BigInt(a) === BigInt(b) : false;
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isDeepEqual(item, b[index]));
  }
  // Records of whatever they hold.
  const [left, right] = [a as Members, b as Members];
  for (const name in left) {
    if (!isDeepEqual(left[name], Object.hasOwn(right, name) ? right[name] : undefined)) return false;
  }
  for (const name in right) if (!Object.hasOwn(left, name) && !isUnset(right[name])) return false;
  return true;
}

type Members = { readonly [name: string]: unknown };

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function isInteger(value: unknown): value is number | bigint {
  return typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value));
}
