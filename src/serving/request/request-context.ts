import type { StatusError } from "../../apimachinery/errors/status.js";
import type { RequestInfo } from "../../apimachinery/requests/request-info.js";
import type { AuditRecord } from "../../audit/auditor.js";
import type { WatchResult } from "../../endpoints/resource/api-result.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import { RequestScope } from "../../request/request-scope.js";
import type { Span } from "../../telemetry/span.js";
import type { HttpExchange } from "../http/exchange.js";

/** Starts a watch in place of `start`, in another way. */
export type AlterWatch = (start: WatchResult["start"]) => WatchResult["start"];

/** One request on its way through the filters: its scope and its exchange. */
export class RequestContext extends RequestScope {
  /** The exchange to answer; `audit` may replace it by one that holds the answer back. */
  exchange: HttpExchange;
  /** Flow schema and priority level, set by `flowControl`. */
  classified:
    | { readonly schema: { readonly name: string }; readonly level: { readonly name: string } }
    | undefined;
  /** The span of all filters, of a traced request. */
  filtersSpan: Span | undefined;
  /** When the last measured filter passed the request on, by `performance.now`. */
  passedAtMs: number;
  /** Milliseconds that the request spent in filters, by their names in metrics; kept where audit events report them. */
  filterTimes: Map<string, number> | undefined;
  /** Set by `audit` for requests that are recorded. */
  auditRecord: AuditRecord | undefined;
  /** Set by a filter that changes what a watch delivers. */
  alterWatch: AlterWatch | undefined;
  /** Why the path could not be decoded: the answer once the user is known. */
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
