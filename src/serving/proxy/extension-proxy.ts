import type { UserInfo } from "../../apimachinery/request-info.js";
import { StatusError } from "../../apimachinery/status.js";
import type { ExtensionServer } from "../../endpoints/catalog/extension-server.js";
import type { HttpExchange } from "../http/exchange.js";
import type { RequestContext } from "../request/request-context.js";
import type { Connector } from "./connector.js";

/**
 * Answers requests for versions that other API servers serve. Failures are plain text, as in kube-aggregator 1.23; clients go by the
 * status.
 */
export class ExtensionProxy {
  readonly #connector: Connector;

  constructor(connector: Connector) {
    this.#connector = connector;
  }

  async handle(context: RequestContext, extension: ExtensionServer): Promise<void> {
    const { exchange, user } = context;
    const target = extension.target();
    if (user === undefined) return refuse(exchange, 500, "missing user");
    if (target === undefined) return refuse(exchange, 503, "service unavailable");
    try {
      await this.#connector.pass(context, target, identityOf(user));
    } catch (error) {
      if (exchange.responseStarted || !(error instanceof StatusError)) throw error;
      refuse(exchange, 503, error.message);
    }
  }
}

/** The extension server trusts these headers, because the connection presents this server's certificate. */
function identityOf({ name, groups, extra }: UserInfo): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { "x-remote-user": name };
  if (groups.length > 0) headers["x-remote-group"] = [...groups];
  for (const [key, values] of Object.entries(extra)) {
    headers[`x-remote-extra-${encodeURIComponent(key).toLowerCase()}`] = [...values];
  }
  return headers;
}

function refuse(exchange: HttpExchange, status: number, message: string): void {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" };
  exchange.respond(status, headers, `${message}\n`);
}
