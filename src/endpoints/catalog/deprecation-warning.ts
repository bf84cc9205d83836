import { apiVersionOf } from "../../apimachinery/objects/meta.js";
import type { ResourceDefinition, VersionDefinition } from "../../apis/definition/resource-definition.js";

/**
 * Kubernetes' warning for users of a version that is deprecated in `release` (`1.23`) or earlier; undefined for all others.
 */
export function deprecationWarning(
  definition: Pick<ResourceDefinition, "group" | "kind">,
  { version, lifecycle }: Pick<VersionDefinition, "version" | "lifecycle">,
  release: string,
): string | undefined {
  if (lifecycle?.deprecated === undefined || !isDeprecated(lifecycle, release)) return undefined;
  const { deprecated, removed, replacement } = lifecycle;
  const apiVersion = apiVersionOf({ group: definition.group, version });
  const end = removed === undefined ? "" : `, unavailable in v${removed}+`;
  const instead = replacement === undefined ? "" : `; use ${apiVersionOf(replacement)} ${replacement.kind}`;
  return `${apiVersion} ${definition.kind} is deprecated in v${deprecated}+${end}${instead}`;
}

/**
 * The audit annotation of requests to such a version; undefined for all others. Source: Kubernetes documentation, "Audit Annotations".
 */
export function deprecationAnnotations(
  { lifecycle }: Pick<VersionDefinition, "lifecycle">,
  release: string,
  domain: string,
): ReadonlyMap<string, string> | undefined {
  if (lifecycle === undefined || !isDeprecated(lifecycle, release)) return undefined;
  const annotations = new Map([[`${domain}/deprecated`, "true"]]);
  if (lifecycle.removed !== undefined) annotations.set(`${domain}/removed-release`, lifecycle.removed);
  return annotations;
}

function isDeprecated({ deprecated }: NonNullable<VersionDefinition["lifecycle"]>, release: string): boolean {
  return deprecated !== undefined && minorOf(deprecated) <= minorOf(release);
}

/** Minor version of a release of the 1.x line. */
function minorOf(release: string): number {
  return Number(release.slice(release.indexOf(".") + 1));
}
