import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { apiVersionOf } from "../../apimachinery/objects/meta.js";
import type { ApiCatalog } from "../../endpoints/catalog/api-catalog.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { Route } from "../../serving/routing/router.js";
import { type BuildInfo, type ServerLevels, versionDocument } from "../settings/version.js";
import { checkAccept } from "./check-accept.js";

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
        checkAccept(context.exchange.headers.accept, "application/json", parts.levels.emulated);
        await parts.writeDocument(context, versionDocument(parts.build, parts.levels));
      },
    },
  ];
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
