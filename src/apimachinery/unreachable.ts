/**
 * Where a switch over a union has handled every member: a new member is a compile error there. Of an object the error names the kind only, as
 * the object may hold secrets.
 */
export function unreachable(value: never): never {
  const unexpected: unknown = value;
  if (typeof unexpected === "string") throw new Error(`unexpected ${JSON.stringify(unexpected)}`);
  const isTagged = typeof unexpected === "object" && unexpected !== null && "kind" in unexpected;
  throw new Error(`unexpected ${isTagged ? String(unexpected.kind) : typeof unexpected}`);
}
