import { StatusError } from "../../apimachinery/errors/status.js";
import { toHeader } from "../../apimachinery/requests/header-text.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { ExtensionServer } from "../../endpoints/catalog/extension-server.js";
import type { HttpExchange } from "../http/exchange.js";
import type { RequestContext } from "../request/request-context.js";
import type { Connector } from "./connector.js";

const discoveryTimeoutMs = 5000;

export interface ExtensionProxyParts {
  readonly connector: Connector;
  /** Called with each request that is not forwarded. */
  readonly refused: (context: RequestContext, code: number) => void;
  /** Whether the user's uid is sent to extension servers. */
  readonly passesUid: boolean;
}

/**
 * Answers requests for versions that other API servers serve. Failures are plain text, as in kube-aggregator 1.23; clients look at the
 * status.
 */
export class ExtensionProxy {
  readonly #connector: Connector;
  readonly #refused: (context: RequestContext, code: number) => void;
  readonly #passesUid: boolean;

  constructor({ connector, refused, passesUid }: ExtensionProxyParts) {
    this.#connector = connector;
    this.#refused = refused;
    this.#passesUid = passesUid;
  }

  async handle(context: RequestContext, extension: ExtensionServer): Promise<void> {
    const { exchange, user } = context;
    const target = extension.target();
    if (user === undefined) return this.#refuse(context, 500, "missing user");
    if (target === undefined) return this.#refuse(context, 503, "service unavailable");
    // Releases the request's seat: the extension server does the work, and limits its own watches.
    context.watchInitialized();
    try {
      await this.#connector.pass(context, target, {
        identity: identityOf(user, this.#passesUid),
        timeoutMs: isDiscovery(context) ? discoveryTimeoutMs : undefined,
      });
    } catch (error) {
      if (exchange.responseStarted || context.signal.aborted || !(error instanceof StatusError)) throw error;
      refuse(exchange, 503, error.message);
    }
  }

  #refuse(context: RequestContext, status: number, message: string): void {
    this.#refused(context, status);
    refuse(context.exchange, status, message);
  }
}

/** Clients ask for `/apis/GROUP/VERSION` of every group first, so one slow server must not delay them for long. */
function isDiscovery({ info }: RequestContext): boolean {
  return !info.isResourceRequest && info.path.split("/").filter(Boolean).length === 3;
}

/** The extension server trusts these headers because the connection presents this server's certificate. */
function identityOf(
  { name, uid, groups, extra }: UserInfo,
  passesUid: boolean,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { "x-remote-user": toHeader(name) };
  if (passesUid && uid !== "") headers["x-remote-uid"] = toHeader(uid);
  if (groups.length > 0) headers["x-remote-group"] = groups.map(toHeader);
  for (const [key, values] of Object.entries(extra)) {
    headers[`x-remote-extra-${encodeURIComponent(key).toLowerCase()}`] = values.map(toHeader);
  }
  return headers;
}

function refuse(exchange: HttpExchange, status: number, message: string): void {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" };
  exchange.respond(status, headers, `${message}\n`);
}
