import type { RequestInfo, UserInfo } from "../../apimachinery/request-info.js";
import type { HttpExchange } from "../http/exchange.js";

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
  /** Texts for `Warning` headers. */
  readonly warnings: Set<string>;
}

/** The most warnings that an answer carries, and their total length, as in the original. */
const warningsCharactersMax = 4096;

/** RFC 7234 §5.5, with code 299 and no agent, as the original writes it. */
export function addWarning(context: RequestContext, text: string): void {
  if (text === "" || context.warnings.has(text)) return;
  let total = text.length;
  for (const warning of context.warnings) total += warning.length;
  if (total > warningsCharactersMax) return;
  context.warnings.add(text);
  context.exchange.addResponseHeader("Warning", `299 - ${quoted(text)}`);
}

function quoted(text: string): string {
  // Control characters would end the header; RFC 7230 allows no way to escape them.
  const printable = text.replace(/[^\x20-\x7e\u00a0-\u{10ffff}]/gu, " ");
  const latin = Buffer.from(printable, "utf8").toString("latin1");
  return `"${latin.replace(/["\\]/g, "\\$&")}"`;
}

export const anonymousUser: UserInfo = {
  name: "system:anonymous",
  uid: "",
  groups: ["system:unauthenticated"],
  extra: {},
};
