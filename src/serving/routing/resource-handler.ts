import { methodNotAllowed } from "../../apimachinery/errors/status.js";
import type { ApiCatalog } from "../../endpoints/catalog/api-catalog.js";
import {
  type ConnectOperation,
  findOperation,
  isReadFromCache,
  type ResultOperation,
} from "../../endpoints/dispatch.js";
import type { ApiResult } from "../../endpoints/resource/api-result.js";
import { authenticated } from "../../request/request-scope.js";
import { tracedBelow, within } from "../../telemetry/span.js";
import type { Handled, Handler } from "../filters/filter.js";
import type { LargeRequests } from "../lanes/large-requests.js";
import { readBytes } from "../request/read-body.js";
import type { RequestContext } from "../request/request-context.js";
import type { Negotiated } from "../responses/negotiator.js";
import type { ResultWriter } from "../responses/result-writer.js";

const methodsWithBody: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

const writtenStep = "Writing http response done";

export interface ResourceHandlerParts {
  readonly catalog: ApiCatalog;
  readonly writer: ResultWriter;
  /** Passes a request on to the server that answers it. */
  readonly connect: (context: RequestContext, operation: ConnectOperation) => Promise<void>;
  /** Answers large requests; undefined where they are answered here. */
  readonly large: LargeRequests | undefined;
}

/** Answers resource requests by their endpoints. */
export function createResourceHandler({ catalog, writer, connect, large }: ResourceHandlerParts): Handler {
  const write = (context: RequestContext, negotiated: Negotiated, result: ApiResult): Handled => {
    const written = tracedBelow(context.span, "encode", () => writer.write(context, negotiated, result));
    if (result.kind === "watch") return written;
    if (written !== undefined) return written.then(() => context.step(writtenStep));
    context.step(writtenStep);
    return undefined;
  };
  const run = (context: RequestContext, operation: ResultOperation, negotiated: Negotiated): Handled => {
    if (large?.includes(context, negotiated) === true) return large.answer(context);
    const isAlone = context.span === undefined || isReadFromCache(catalog, authenticated(context));
    const running = isAlone ? operation.run() : asCurrent(context, () => operation.run());
    return running instanceof Promise
      ? running.then((result) => write(context, negotiated, result))
      : write(context, negotiated, running);
  };
  return (context) => {
    const operation = findOperation(catalog, authenticated(context));
    if (operation.answers === "connect") return connect(context, operation);
    // HEAD counts as a get.
    if (context.exchange.method === "HEAD" && !operation.allowsHead) throw methodNotAllowed();
    operation.checkContentType?.(context.exchange.headers["content-type"]);
    // A client that cannot read the answer must not change anything.
    const { answers: kind, hasProtobuf, hasTable, checkOptions } = operation;
    const negotiated = writer.negotiate(context, { kind, hasProtobuf, hasTable }, checkOptions);
    const { exchange } = context;
    if (!methodsWithBody.has(exchange.method)) return run(context, operation, negotiated);
    return readBytes(exchange).then((bytes) => {
      context.body = { bytes, contentType: exchange.headers["content-type"] };
      return run(context, operation, negotiated);
    });
  };
}

/** Makes the span of a traced request the current one for work that may reach the store or another server. */
export function asCurrent<R>({ span }: RequestContext, work: () => R): R {
  return span === undefined ? work() : within(span, work);
}
