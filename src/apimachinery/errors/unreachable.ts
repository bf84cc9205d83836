/**
 * The default case of a switch over a union: a new member becomes a compile error. For an object the error names only its kind,
 * because the object may contain secrets.
 */
export function unreachable(value: never): never {
  const unexpected: unknown = value;
  if (typeof unexpected === "string") throw new Error(`unexpected ${JSON.stringify(unexpected)}`);
  const isTagged = typeof unexpected === "object" && unexpected !== null && "kind" in unexpected;
  throw new Error(`unexpected ${isTagged ? String(unexpected.kind) : typeof unexpected}`);
}
