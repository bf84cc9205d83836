/** Whether an `If-None-Match` header takes in the entity tag `etag`, compared weakly (RFC 9110 §13.1.2). */
export function matchesEntityTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((text) => {
    const tag = text.trim();
    return tag === "*" || tag.replace(/^W\//, "") === etag;
  });
}
