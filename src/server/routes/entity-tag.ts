/** Whether an `If-None-Match` header matches the entity tag `etag` by weak comparison (RFC 9110 §13.1.2). */
export function matchesEntityTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((text) => {
    const tag = text.trim();
    return tag === "*" || tag.replace(/^W\//, "") === etag;
  });
}
