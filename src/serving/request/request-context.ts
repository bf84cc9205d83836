import type { StatusError } from "../../apimachinery/errors/status.js";
import type { RequestInfo } from "../../apimachinery/requests/request-info.js";
import type { AuditRecord } from "../../audit/auditor.js";
import type { WatchResult } from "../../endpoints/resource/api-result.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import { RequestScope } from "../../request/request-scope.js";
import type { Span } from "../../telemetry/span.js";
import type { HttpExchange } from "../http/exchange.js";

/** Wraps `start`, the start of a watch. */
export type AlterWatch = (start: WatchResult["start"]) => WatchResult["start"];

/** A request with its exchange, as the filters see it. */
export class RequestContext extends RequestScope {
  /** The exchange to answer; `audit` may replace it by one that delays the answer. */
  exchange: HttpExchange;
  /** Flow schema and priority level, set by `flowControl`. */
  classified:
    | { readonly schema: { readonly name: string }; readonly level: { readonly name: string } }
    | undefined;
  /** The span of all filters, of a traced request. */
  filtersSpan: Span | undefined;
  /** When the last measured filter called the next one, by `performance.now`. */
  passedAtMs: number;
  /** Milliseconds that the request spent in filters, by their names in metrics; kept where audit events report them. */
  filterTimes: Map<string, number> | undefined;
  /** Set by `audit` for requests that are recorded. */
  auditRecord: AuditRecord | undefined;
  /** Set by a filter that changes what a watch delivers. */
  alterWatch: AlterWatch | undefined;
  /** Why the path could not be decoded: answered once the user is known. */
  readonly pathError: StatusError | undefined;

  constructor(
    exchange: HttpExchange,
    receivedAt: Date,
    asked: {
      readonly info: RequestInfo;
      readonly query: QueryParameters;
      readonly pathError?: StatusError | undefined;
    },
  ) {
    super(exchange, receivedAt, asked.info, asked.query);
    this.exchange = exchange;
    this.passedAtMs = this.startedAtMs;
    this.pathError = asked.pathError;
  }
}
