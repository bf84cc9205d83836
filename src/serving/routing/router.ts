import { methodNotAllowed, pageNotFound } from "../../apimachinery/errors/status.js";
import type { ApiCatalog } from "../../endpoints/catalog/api-catalog.js";
import type { ExtensionServer } from "../../endpoints/catalog/extension-server.js";
import type { Handler } from "../filters/filter.js";
import type { LargeRequests } from "../lanes/large-requests.js";
import type { Connector } from "../proxy/connector.js";
import { ExtensionProxy } from "../proxy/extension-proxy.js";
import type { RequestContext } from "../request/request-context.js";
import type { ResultWriter } from "../responses/result-writer.js";
import { asCurrent, createResourceHandler } from "./resource-handler.js";

/** A path that is not a resource: health, version, discovery, OpenAPI, metrics. */
export interface Route {
  /** Exact path, or a prefix when it ends in `*`. */
  readonly path: string;
  /** Shown in the list of paths at `/`. */
  readonly listed: boolean;
  /** True: only GET is allowed (405 otherwise), and a trailing slash is accepted. Default: any method, as in Kubernetes. */
  readonly readOnly?: true;
  handle: Handler;
}

/** Routes resource requests to the endpoints and everything else to its route. Throws 404 for the rest. */
export function createRouter(parts: {
  readonly catalog: ApiCatalog;
  readonly routes: readonly Route[];
  readonly writer: ResultWriter;
  readonly connector: Connector;
  /** Answers large requests; undefined where they are answered here. */
  readonly large: LargeRequests | undefined;
  /** Called when a request for an extension server is answered with an error here. */
  readonly refusedForExtension: (context: RequestContext, code: number) => void;
  /** Whether the user's uid is sent to extension servers. */
  readonly passesUid?: boolean | undefined;
}): Handler {
  const { catalog, routes, writer, connector, large, refusedForExtension, passesUid = false } = parts;
  const extensions = new ExtensionProxy({ connector, refused: refusedForExtension, passesUid });
  const exact = new Map(routes.filter((r) => !r.path.endsWith("*")).map((r) => [r.path, r]));
  const prefixes = routes
    .filter((r) => r.path.endsWith("*"))
    .map((r) => ({ prefix: r.path.slice(0, -1), route: r }));

  const answerResource = createResourceHandler({
    catalog,
    writer,
    connect: (context, operation) =>
      asCurrent(context, async () => connector.connect(context, await operation.run())),
    large,
  });

  const withSlash = (path: string): Route | undefined => {
    const route = path.endsWith("/") ? exact.get(path.slice(0, -1)) : undefined;
    return route?.readOnly && route;
  };

  const answerRoute = async (context: RequestContext): Promise<void> => {
    const { path } = context;
    const route =
      exact.get(path) ?? withSlash(path) ?? prefixes.find(({ prefix }) => path.startsWith(prefix))?.route;
    if (route === undefined) throw pageNotFound();
    if (route.readOnly && context.exchange.method !== "GET") throw methodNotAllowed();
    await route.handle(context);
  };

  return (context) => {
    // Such a path is authorized as if it had one slash, but nothing is served there.
    if (context.path.startsWith("//")) throw pageNotFound();
    const extension = extensionOf(catalog, context);
    if (extension !== undefined) return asCurrent(context, () => extensions.handle(context, extension));
    return context.info.isResourceRequest ? answerResource(context) : answerRoute(context);
  };
}

/** The extension server of the group version in the path, if any. */
function extensionOf(catalog: ApiCatalog, { info }: RequestContext): ExtensionServer | undefined {
  if (info.isResourceRequest) return catalog.extension?.(info.apiGroup, info.apiVersion);
  const [, root, group, version] = info.path.split("/", 4);
  if (root !== "apis" || group === undefined || version === undefined) return undefined;
  return catalog.extension?.(group, version);
}
