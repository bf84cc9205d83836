import type { JsonObject } from "../../apimachinery/json-value.js";
import { pathNotFound } from "../../apimachinery/status.js";
import type { ApiCatalog } from "../../endpoints/api-catalog.js";
import {
  coreVersionsDocument,
  groupDocument,
  groupListDocument,
  resourceListDocument,
} from "../../endpoints/discovery/documents.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { Route } from "../../serving/routing/router.js";

export interface DiscoveryRoutesParts {
  readonly catalog: ApiCatalog;
  readonly serverAddress: string;
  readonly storageVersionHashes: boolean;
  readonly writeDocument: (context: RequestContext, document: JsonObject) => Promise<void>;
}

/** The classic discovery documents: what is served, by group and version. */
export function discoveryRoutes(parts: DiscoveryRoutesParts): Route[] {
  const { catalog, writeDocument } = parts;
  return [
    {
      path: "/api",
      listed: true,
      handle: (context) => writeDocument(context, coreVersionsDocument(catalog, parts.serverAddress)),
    },
    { path: "/apis", listed: true, handle: (context) => writeDocument(context, groupListDocument(catalog)) },
    ...["/api/*", "/apis/*"].map((path) => ({
      path,
      listed: false,
      handle: (context: RequestContext) => writeDocument(context, documentAt(parts, context.path)),
    })),
  ];
}

/** `/api/v1`, `/apis/GROUP` or `/apis/GROUP/VERSION`. Throws 404. */
function documentAt(parts: DiscoveryRoutesParts, path: string): JsonObject {
  const segments = path.split("/").filter((s) => s !== "");
  const [prefix, ...rest] = segments;
  const groupName = prefix === "api" ? "" : (rest.shift() ?? "");
  const [versionName, ...more] = rest;
  const group = parts.catalog.groups().find((g) => g.group === groupName);
  if (group === undefined || more.length > 0 || (prefix === "apis" && groupName === "")) throw pathNotFound();
  if (versionName === undefined) return groupDocument(group);
  const version = group.versions.find((v) => v.version === versionName);
  if (version === undefined) throw pathNotFound();
  return resourceListDocument(groupName, version, parts.storageVersionHashes);
}
