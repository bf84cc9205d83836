import type { RequestInfo, UserInfo } from "../../apimachinery/request-info.js";
import type { HttpExchange } from "../http/exchange.js";
import type { Warnings } from "./warnings.js";

/** One request on its way through the filters. Each field is set by the filter that its comment names. */
export interface RequestContext {
  readonly exchange: HttpExchange;
  readonly receivedAt: Date;
  readonly query: URLSearchParams;
  /** Decoded path. */
  readonly path: string;
  readonly info: RequestInfo;
  /** Watches and connections to nodes: no deadline, and not counted among those in flight. */
  readonly longRunning: boolean;
  /** Aborts when the client is gone, time is up or the server stops; made by `signalSource` for whoever asks. */
  readonly signal: AbortSignal;
  /** `deadline`. */
  signalSource: () => AbortSignal;
  /** `authenticate`. */
  user: UserInfo;
  /** What the answer warns of. */
  readonly warnings: Warnings;
}
