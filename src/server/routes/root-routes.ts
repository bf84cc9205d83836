import { noSuchRepresentation } from "../../apimachinery/errors/status.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { apiVersionOf } from "../../apimachinery/objects/meta.js";
import { acceptedRanges } from "../../apimachinery/requests/media-range.js";
import type { ApiCatalog } from "../../endpoints/catalog/api-catalog.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { Route } from "../../serving/routing/router.js";
import { type BuildInfo, type ServerLevels, versionDocument } from "../settings/version.js";

export interface RootRoutesParts {
  readonly catalog: ApiCatalog;
  readonly build: BuildInfo;
  readonly levels: ServerLevels;
  /** Listed paths of the other routes. */
  readonly otherPaths: readonly string[];
  readonly writeDocument: (context: RequestContext, document: JsonObject) => Promise<void>;
}

const versionPath = "/version";

/** `/` lists the paths; `/version` returns the versions. */
export function rootRoutes(parts: RootRoutesParts): Route[] {
  return [
    ...["/", "/index.html"].map(
      (path): Route => ({
        path,
        listed: false,
        handle: (context) => parts.writeDocument(context, { paths: allPaths(parts) }),
      }),
    ),
    {
      path: versionPath,
      listed: true,
      readOnly: true,
      handle: async (context) => {
        checkAccept(context.exchange.headers.accept, parts.levels.emulated);
        await parts.writeDocument(context, versionDocument(parts.build, parts.levels));
      },
    },
  ];
}

/** Only the exact type, or any. Throws 406. */
function checkAccept(accept: string | undefined, level: ApiLevel): void {
  const names = acceptedRanges(accept).map(({ type, subtype }) => `${type}/${subtype}`);
  if (!names.some((name) => name === "*/*" || name === "application/json")) {
    throw noSuchRepresentation(isAtLeast(level, "1.25") ? ["application/json"] : undefined);
  }
}

function allPaths(parts: RootRoutesParts): string[] {
  const paths = new Set([...parts.otherPaths, versionPath]);
  for (const { group, versions } of parts.catalog.groups()) {
    const root = group === "" ? "/api" : "/apis";
    if (group !== "") paths.add(`/apis/${group}`);
    for (const { version } of versions) paths.add(`${root}/${apiVersionOf({ group, version })}`);
  }
  return [...paths].sort();
}
