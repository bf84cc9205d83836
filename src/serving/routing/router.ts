import { methodNotAllowed, pageNotFound } from "../../apimachinery/status.js";
import type { ApiCatalog } from "../../endpoints/api-catalog.js";
import type { ExtensionServer } from "../../endpoints/catalog/extension-server.js";
import { findOperation, isReadFromCache } from "../../endpoints/dispatch.js";
import { authenticated } from "../../request/request-scope.js";
import { tracedBelow, within } from "../../telemetry/span.js";
import type { Handler } from "../filters/filter.js";
import type { Connector } from "../proxy/connector.js";
import { ExtensionProxy } from "../proxy/extension-proxy.js";
import { readBytes } from "../request/read-body.js";
import type { RequestContext } from "../request/request-context.js";
import type { ResultWriter } from "../responses/result-writer.js";

/** A path that is not a resource: health, version, discovery, OpenAPI, metrics. */
export interface Route {
  /** Exact path, or a prefix when it ends in `*`. */
  readonly path: string;
  /** Shown in the list of paths at `/`. */
  readonly listed: boolean;
  /**
   * True: only GET is allowed (405 for others), and a trailing slash is accepted; false: any method, as in Kubernetes.
   */
  readonly readOnly?: true;
  handle: Handler;
}

const methodsWithBody: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Routes resource requests to the endpoints and everything else to its route. Throws 404 for the rest. */
export function createRouter(parts: {
  readonly catalog: ApiCatalog;
  readonly routes: readonly Route[];
  readonly writer: ResultWriter;
  readonly connector: Connector;
  /** Called when a request for an extension server is answered with an error here. */
  readonly refusedForExtension: (context: RequestContext, code: number) => void;
}): Handler {
  const { catalog, routes, writer, connector, refusedForExtension } = parts;
  const extensions = new ExtensionProxy(connector, refusedForExtension);
  const exact = new Map(routes.filter((r) => !r.path.endsWith("*")).map((r) => [r.path, r]));
  const prefixes = routes
    .filter((r) => r.path.endsWith("*"))
    .map((r) => ({ prefix: r.path.slice(0, -1), route: r }));

  const answerResource = async (context: RequestContext): Promise<void> => {
    const operation = findOperation(catalog, authenticated(context));
    // HEAD is a get, but only proxies accept it.
    if (context.exchange.method === "HEAD" && operation.answers !== "connect") throw methodNotAllowed();
    if (operation.answers === "connect") {
      return await asCurrent(context, async () => connector.connect(context, await operation.run()));
    }
    // A client that cannot read the answer must not change anything.
    const negotiated = writer.negotiate(context, {
      kind: operation.answers,
      hasProtobuf: operation.hasProtobuf,
    });
    const { exchange } = context;
    if (methodsWithBody.has(exchange.method)) {
      context.body = { bytes: await readBytes(exchange), contentType: exchange.headers["content-type"] };
    }
    const isAlone = context.span === undefined || isReadFromCache(catalog, authenticated(context));
    const result = await (isAlone ? operation.run() : asCurrent(context, () => operation.run()));
    await tracedBelow(context.span, "encode", () => writer.write(context, negotiated, result));
    if (result.kind !== "watch") context.step("Writing http response done");
  };

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
    const extension = extensionOf(catalog, context);
    if (extension !== undefined) return asCurrent(context, () => extensions.handle(context, extension));
    return context.info.isResourceRequest ? answerResource(context) : answerRoute(context);
  };
}

/** Makes the span of the request, if it is traced, the current one for work that may reach the store or another server. */
function asCurrent<R>({ span }: RequestContext, work: () => R): R {
  return span === undefined ? work() : within(span, work);
}

/** The server for the group and version in the path, if that is another one. */
function extensionOf(catalog: ApiCatalog, { info }: RequestContext): ExtensionServer | undefined {
  if (info.isResourceRequest) return catalog.extension?.(info.apiGroup, info.apiVersion);
  const [, root, group, version] = info.path.split("/", 4);
  if (root !== "apis" || group === undefined || version === undefined) return undefined;
  return catalog.extension?.(group, version);
}
