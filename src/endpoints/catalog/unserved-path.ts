import { pageNotFound, pathNotFound, type StatusError } from "../../apimachinery/errors/status.js";
import type { ServedGroup } from "./api-catalog.js";

/**
 * The 404 for a path at which a group serves nothing. Kubernetes' own groups answer with a `Status`; custom resources and everything unknown
 * are left to the last handler, which answers with text.
 */
export function unservedPath(group: ServedGroup | undefined): StatusError {
  return group !== undefined && isBuiltIn(group) ? pathNotFound() : pageNotFound();
}

function isBuiltIn({ group, versions }: ServedGroup): boolean {
  if (group === "") return true;
  return versions.some(({ resources }) =>
    [...resources.values()].some(({ version }) => version.hasProtobuf !== false),
  );
}
