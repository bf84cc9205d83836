import { LastDigest } from "../../access/authentication/token-digest.js";
import type { ClientConnection, HttpExchange, RequestHeaders } from "../http/exchange.js";
import { ForwardingExchange } from "../http/forwarding-exchange.js";
import { parseTarget } from "../http/request-target.js";
import type { ConsoleCredential } from "./console-sessions.js";

/** Headers that the page sets; all others describe the browser and are dropped. */
const passedHeaders = [
  "accept",
  "accept-encoding",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "if-none-match",
  "transfer-encoding",
  "user-agent",
];

/**
 * A request of the page as its user would send it: for the path after the console's prefix, with the session's credential and no other.
 * It passes the whole filter chain.
 */
export class ForwardedExchange extends ForwardingExchange {
  override readonly target: string;
  override readonly path: string;
  override readonly query: string;
  override readonly headers: RequestHeaders;
  override readonly connection: ClientConnection;

  constructor(inner: HttpExchange, target: string, credential: ConsoleCredential) {
    super(inner);
    const parsed = parseTarget(target);
    this.target = parsed.target;
    this.path = parsed.path;
    this.query = parsed.query;
    const headers: Record<string, string> = {};
    for (const name of passedHeaders) {
      const value = inner.headers[name];
      if (value !== undefined) headers[name] = value;
    }
    if (credential.kind === "token") headers.authorization = `Bearer ${credential.token}`;
    this.headers = headers;
    const { remoteAddress, remotePort } = inner.connection;
    const peerCertificates = credential.kind === "certificate" ? credential.certificates : undefined;
    this.connection = { remoteAddress, remotePort, peerCertificates, lastDigest: new LastDigest() };
  }

  /** Not allowed: others than the page could send over an upgraded connection. */
  override get isUpgrade(): boolean {
    return false;
  }
  override headerValues(name: string): readonly string[] {
    const value = this.headers[name];
    return value === undefined ? [] : [value];
  }
  override *headerLines(): Iterable<readonly [name: string, value: string]> {
    for (const [name, value] of Object.entries(this.headers)) if (value !== undefined) yield [name, value];
  }
}
