import { type Span, type SpanAttributes, SpanScope, within } from "../../telemetry/span.js";
import type { HttpExchange } from "../http/exchange.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter, Handler } from "./filter.js";

/** Starts the traces of requests. */
export interface Tracer {
  /** Starts the span of a request, as part of the client's trace if there is one. Undefined when the request is not sampled. */
  begin(method: string, headers: HttpExchange["headers"]): Span | undefined;
}

/** Traces the sampled requests, and passes all requests to `handle`. */
export function traceRequests(tracer: Tracer, handle: Handler): Handler {
  const scope = new SpanScope();
  return (context) => {
    const { exchange } = context;
    const span = tracer.begin(exchange.method, exchange.headers);
    if (span === undefined) return handle(context);
    const leave = scope.begin();
    context.span = span;
    span.setAttributes(attributesOf(context));
    let hasEnded = false;
    const ended = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      span.setAttributes({
        "http.status_code": exchange.statusCode,
        "http.wrote_bytes": exchange.bytesSent,
        "audit-id": context.auditId,
      });
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

function attributesOf({ exchange, info, userAgent }: RequestContext): SpanAttributes {
  const attributes: SpanAttributes = {
    "http.method": exchange.method,
    "http.target": exchange.path,
    "http.flavor": exchange.httpVersion,
    "http.user_agent": userAgent,
    "net.peer.ip": exchange.remoteAddress,
    verb: info.verb,
  };
  if (!info.isResourceRequest) return attributes;
  attributes.group = info.apiGroup;
  attributes.version = info.apiVersion;
  attributes.resource = info.resource;
  if (info.subresource !== "") attributes.subresource = info.subresource;
  if (info.namespace !== "") attributes.namespace = info.namespace;
  if (info.name !== "") attributes.name = info.name;
  return attributes;
}
