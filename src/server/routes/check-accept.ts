import { noSuchRepresentation } from "../../apimachinery/errors/status.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { acceptedRanges } from "../../apimachinery/requests/media-range.js";

/** For documents that Kubernetes' router serves: clients must accept exactly the document's type, or any. Throws 406. */
export function checkAccept(accept: string | undefined, contentType: string, level: ApiLevel): void {
  const names = acceptedRanges(accept).map(({ type, subtype }) => `${type}/${subtype}`);
  if (!names.some((name) => name === "*/*" || name === contentType)) {
    throw noSuchRepresentation(isAtLeast(level, "1.25") ? [contentType] : undefined);
  }
}
