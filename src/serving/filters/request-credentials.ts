import type { CredentialHeaders, Credentials } from "../../access/authentication/authenticator.js";
import type { PresentedChain } from "../../access/authentication/certificates/presented-chain.js";
import { readWebSocketToken, type WebSocketToken } from "../../access/authentication/web-socket-token.js";
import type { RequestContext } from "../request/request-context.js";

/** The credentials of a request, read on demand. */
export class RequestCredentials implements Credentials {
  readonly #context: RequestContext;
  readonly #tokenProtocolPrefix: string;

  /** `tokenProtocolPrefix` is the prefix of the WebSocket subprotocol in which a browser sends its token. */
  constructor(context: RequestContext, tokenProtocolPrefix: string) {
    this.#context = context;
    this.#tokenProtocolPrefix = tokenProtocolPrefix;
  }

  get authorization(): string | undefined {
    const { authorization } = this.#context.exchange.headers;
    if (authorization !== undefined) return authorization;
    const token = this.#webSocketToken()?.token;
    return token === undefined ? undefined : `Bearer ${token}`;
  }

  get tokenProblem(): string | undefined {
    return this.#webSocketToken()?.problem;
  }

  get headers(): CredentialHeaders {
    const { exchange } = this.#context;
    return { entries: () => exchange.headerLines() };
  }

  get lastDigest(): Credentials["lastDigest"] {
    return this.#context.exchange.connection.lastDigest;
  }

  get certificates(): PresentedChain | undefined {
    return this.#context.exchange.connection.peerCertificates;
  }

  #webSocketToken(): WebSocketToken | undefined {
    const { headers, isUpgrade } = this.#context.exchange;
    const protocols = headers["sec-websocket-protocol"];
    if (!isUpgrade || protocols === undefined) return undefined;
    return readWebSocketToken(protocols, this.#tokenProtocolPrefix);
  }
}
