import { anonymousUser } from "../../access/authentication/authenticator.js";
import { badRequest } from "../../apimachinery/status.js";
import type { HttpExchange } from "../http/exchange.js";
import type { RequestContext } from "./request-context.js";
import { requestInfoOf } from "./request-info.js";
import { Warnings } from "./warnings.js";

/** Reads method, path and query of an exchange. Throws 400 for a path that cannot be decoded. */
export function openContext(exchange: HttpExchange, now: Date): RequestContext {
  const path = decodePath(exchange.path);
  const query = exchange.query === "" ? noQuery : new URLSearchParams(exchange.query);
  const info = requestInfoOf(exchange.method, path, query);
  return new OpenedContext(exchange, now, { path, query, info });
}

/** Of the many requests without one. Nobody changes the query of a request. */
const noQuery = new URLSearchParams();

class OpenedContext implements RequestContext {
  readonly exchange: HttpExchange;
  readonly receivedAt: Date;
  readonly query: URLSearchParams;
  readonly path: string;
  readonly info: RequestContext["info"];
  readonly longRunning: boolean;
  user = anonymousUser;
  /** Signals cost something to make, so they are made for those who ask. */
  signalSource: () => AbortSignal;
  #warnings: Warnings | undefined;

  constructor(
    exchange: HttpExchange,
    now: Date,
    { path, query, info }: Pick<RequestContext, "path" | "query" | "info">,
  ) {
    this.exchange = exchange;
    this.receivedAt = now;
    this.query = query;
    this.path = path;
    this.info = info;
    this.longRunning = isLongRunning(info);
    this.signalSource = () => exchange.signal;
  }

  get signal(): AbortSignal {
    return this.signalSource();
  }

  get warnings(): Warnings {
    this.#warnings ??= new Warnings(this.exchange);
    return this.#warnings;
  }
}

function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (/%(?![0-9a-f]{2})/i.test(path)) {
      throw badRequest(`invalid URL escape in path ${JSON.stringify(path)}`, error);
    }
    // Bytes that are no UTF-8 are a name like any other, which nothing has.
    const bytes = path.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return Buffer.from(bytes, "latin1").toString("utf8");
  }
}

const longRunningSubresources = new Set(["attach", "exec", "proxy", "log", "portforward"]);

function isLongRunning(info: RequestContext["info"]): boolean {
  return (
    info.isResourceRequest &&
    (info.verb === "watch" || info.verb === "proxy" || longRunningSubresources.has(info.subresource))
  );
}
