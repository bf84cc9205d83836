import { type Span, SpanScope, within } from "../../telemetry/span.js";
import type { HttpExchange } from "../http/exchange.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter, Handler } from "./filter.js";

/** Starts the traces of requests. */
export interface Tracer {
  /** Starts the span of a request, as part of the client's trace if there is one. Undefined when the request is not sampled. */
  begin(name: string, headers: HttpExchange["headers"]): Span | undefined;
}

/** Traces the sampled requests, and passes all requests to `handle`. */
export function traceRequests(tracer: Tracer, handle: Handler): Handler {
  const scope = new SpanScope();
  return (context) => {
    const { exchange } = context;
    const span = tracer.begin(`HTTP ${exchange.method}`, exchange.headers);
    if (span === undefined) return handle(context);
    const leave = scope.begin();
    context.span = span;
    describe(span, context);
    let hasEnded = false;
    const ended = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      span.setAttribute("http.status_code", exchange.statusCode);
      span.setAttribute("http.wrote_bytes", exchange.bytesSent);
      span.setAttribute("audit-id", context.auditId);
      if (exchange.statusCode >= 500) span.fail(`status ${exchange.statusCode}`);
      span.end();
      leave();
    };
    // Later events of a watch, and traffic through a node connection, are not traced.
    if (context.longRunning) exchange.onStarted(ended);
    exchange.onFinished(ended);
    return handle(context);
  };
}

/**
 * Gives a filter a span that ends when the filter calls the next one. `callsOthers`: the filter may ask another server, which is told of
 * the trace.
 */
export function tracedFilter(name: string, filter: Filter, callsOthers: boolean): Filter {
  return (context, next) => {
    const { span } = context;
    if (span === undefined) return filter(context, next);
    const own = span.child(`filter ${name}`);
    const nextOutside = (): Promise<void> => {
      own.end();
      return callsOthers ? within(span, next) : next();
    };
    const run = (): Promise<void> => filter(context, nextOutside);
    const done = callsOthers ? within(own, run) : run();
    // A filter that answers the request does not call the next one.
    const end = (): void => own.end();
    done.then(end, end);
    return done;
  };
}

function describe(span: Span, { exchange, info, userAgent }: RequestContext): void {
  span.setAttribute("http.method", exchange.method);
  span.setAttribute("http.target", exchange.path);
  span.setAttribute("http.flavor", exchange.httpVersion);
  span.setAttribute("http.user_agent", userAgent);
  span.setAttribute("net.peer.ip", exchange.remoteAddress);
  span.setAttribute("verb", info.verb);
  if (!info.isResourceRequest) return;
  span.setAttribute("group", info.apiGroup);
  span.setAttribute("version", info.apiVersion);
  span.setAttribute("resource", info.resource);
  if (info.subresource !== "") span.setAttribute("subresource", info.subresource);
  if (info.namespace !== "") span.setAttribute("namespace", info.namespace);
  if (info.name !== "") span.setAttribute("name", info.name);
}
