import { headerItems } from "../../apimachinery/requests/header-items.js";

/** Whether an `If-None-Match` header matches the entity tag `etag` by weak comparison (RFC 9110 §13.1.2). */
export function matchesEntityTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return headerItems(ifNoneMatch).some((tag) => tag === "*" || tag.replace(/^W\//, "") === etag);
}
