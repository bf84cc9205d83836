import { type Span, type SpanAttributes, SpanScope, within } from "../../telemetry/span.js";
import type { HttpExchange } from "../http/exchange.js";
import type { RequestContext } from "../request/request-context.js";
import { type Filter, type Handled, type Handler, whenHandled } from "./filter.js";

/** Starts the traces of requests. */
export interface Tracer {
  /** Starts the span of a request, as part of the client's trace if there is one. Undefined when the request is not sampled. */
  begin(method: string, headers: HttpExchange["headers"]): Span | undefined;
}

/** The handlers of a request, from the first filter on. */
export interface TracedHandlers {
  readonly untraced: Handler;
  /**
   * For traced requests, whose filters are wrapped in `tracedWait` and `tracedCaller`, and whose handler is wrapped in `afterFilters`.
   */
  readonly traced: Handler;
}

/** Traces sampled requests. One span covers all filters of a request. */
export function traceRequests(tracer: Tracer, { untraced, traced }: TracedHandlers): Handler {
  const scope = new SpanScope();
  return (context) => {
    const { exchange } = context;
    const span = tracer.begin(exchange.method, exchange.headers);
    if (span === undefined) return untraced(context);
    const leave = scope.begin();
    context.span = span;
    context.filtersSpan = span.child("filters");
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
      // A filter may have answered the request.
      context.filtersSpan?.end();
      span.end();
      leave();
    };
    // Later events of a watch, and traffic through a node connection, are not traced.
    if (context.longRunning) exchange.onStarted(ended);
    exchange.onFinished(ended);
    return traced(context);
  };
}

/** Ends the span of the filters. */
export function afterFilters(handle: Handler): Handler {
  return (context) => {
    context.filtersSpan?.end();
    return handle(context);
  };
}

/**
 * Adds a span for the filter, below the span of all filters, if a request waits in it. A span takes longer than a filter that does not
 * wait.
 */
export function tracedWait(name: string, filter: Filter): Filter {
  return (context, next) => {
    const startedAtMs = performance.now();
    let own: Span | undefined;
    let hasPassed = false;
    const done = filter(context, () => {
      hasPassed = true;
      own?.end();
      return next(context);
    });
    if (hasPassed || context.filtersSpan === undefined) return done;
    own = context.filtersSpan.child(`filter ${name}`, "internal", startedAtMs);
    return endWith(own, done);
  };
}

/** Adds a span for a filter that may call another server, which receives the span's context. */
export function tracedCaller(name: string, filter: Filter): Filter {
  return (context, next) => {
    const { span, filtersSpan } = context;
    if (span === undefined || filtersSpan === undefined) return filter(context, next);
    const own = filtersSpan.child(`filter ${name}`);
    const done = within(own, () =>
      filter(context, () => {
        own.end();
        return within(span, () => next(context));
      }),
    );
    return endWith(own, done);
  };
}

/** A filter that answers the request does not call the next one. */
function endWith(span: Span, done: Handled): Handled {
  return whenHandled(done, () => span.end());
}

function attributesOf({ exchange, info, userAgent }: RequestContext): SpanAttributes {
  const attributes: SpanAttributes = {
    "http.method": exchange.method,
    "http.target": exchange.path,
    "http.flavor": exchange.httpVersion,
    "http.user_agent": userAgent,
    "net.peer.ip": exchange.connection.remoteAddress,
    verb: info.verb,
  };
  if (!info.isResourceRequest) return attributes;
  if (info.apiGroup !== "") attributes.group = info.apiGroup;
  attributes.version = info.apiVersion;
  attributes.resource = info.resource;
  if (info.subresource !== "") attributes.subresource = info.subresource;
  if (info.namespace !== "") attributes.namespace = info.namespace;
  if (info.name !== "") attributes.name = info.name;
  return attributes;
}
