import type { Duplex } from "node:stream";
import { badRequest, type Status } from "../../apimachinery/errors/status.js";
import type { ContainerStreamFlags, StreamConnect } from "../../endpoints/connect/connect-result.js";
import { loopTurns } from "../../event-loop/loop-turns.js";
import { stemOf } from "../../naming/qualified-names.js";
import { endInTurn } from "../http/end-in-turn.js";
import type { HttpExchange } from "../http/exchange.js";
import { asConnection, offeredProtocols, openWebSocket } from "./client-web-socket.js";
import { requestHeaders, responseHeaders } from "./forward-headers.js";
import { joinConnections, throttledBothWays } from "./joined-connections.js";
import { passBody, startOfBody } from "./pass-answer.js";
import { passUpgrade, type UpgradeTerms } from "./pass-upgrade.js";
import { endWithStatus, failureOf, translateStreams } from "./stream-translation.js";
import { protocolHeader, spdyHeaders, tunnelled, tunnelPrefix } from "./upgrade-headers.js";
import type { UpstreamAnswer } from "./upstream.js";
import { authorityOf, type Call, call, unclassified } from "./upstream-call.js";

/** Counts WebSockets to containers and ports. */
export interface WebSocketObserver {
  /** A WebSocket for exec, attach or portforward; `isTranslated`: this server translates for the agent. */
  webSocket(subresource: string, isTranslated: boolean): void;
  /** The status code of the outcome. */
  translated(code: number): void;
  /** The status code of the agent's answer. */
  tunnelled(code: number): void;
}

/** Subprotocols of container streams, without their domains. */
const containerProtocol = { client: "v5.channel", agent: "v4.channel" } as const;
/** An exit code is not a failed connection. */
const exitReason = "NonZeroExitCode";

export interface ContainerStreamsParts extends UpgradeTerms {
  /** Headers that identify a user to this server; they are not forwarded. */
  readonly isIdentityHeader: (name: string) => boolean;
  readonly observer?: WebSocketObserver | undefined;
}

/**
 * Connects clients with the streams of containers and ports at node agents, which speak SPDY. For WebSocket clients of agents without
 * WebSockets, this server translates (exec, attach) or tunnels SPDY (portforward).
 */
export class ContainerStreams {
  readonly #parts: ContainerStreamsParts;

  constructor(parts: ContainerStreamsParts) {
    this.#parts = parts;
  }

  /** Throws a `StatusError` if no answer has begun. */
  async connect(exchange: HttpExchange, result: StreamConnect, signal: AbortSignal): Promise<void> {
    if (!exchange.isUpgrade) throw badRequest("Upgrade request required");
    const { target, path, translation, subresource } = result;
    const headers = requestHeaders(exchange, this.#parts.isIdentityHeader, true);
    const failed = (error: string) => unclassified(`error dialing backend: ${error}`);
    const request = { target, path, headers, signal, failed };
    const offered = offeredProtocols(exchange);
    if (offered.length > 0 && subresource !== undefined) {
      this.#parts.observer?.webSocket(subresource, translation !== undefined);
    }
    if (translation?.kind === "containers") {
      const protocol = offered.find((name) => stemOf(name) === containerProtocol.client);
      if (protocol !== undefined)
        return await this.#translate(exchange, request, protocol, translation.flags);
    } else if (translation?.kind === "ports") {
      const protocols = offered.flatMap(tunnelled);
      if (protocols.length > 0) return await this.#tunnel(exchange, request, protocols);
    }
    await passUpgrade(exchange, request, this.#parts);
  }

  /** Translates between a WebSocket client and the streams of an agent, which are opened once the client is connected. */
  async #translate(
    exchange: HttpExchange,
    request: Call,
    protocol: string,
    flags: ContainerStreamFlags,
  ): Promise<void> {
    const client = await openWebSocket(exchange, protocol);
    const cut = (): void => client.terminate();
    request.signal.addEventListener("abort", cut, { once: true });
    let status: Status;
    try {
      const headers = spdyHeaders({ host: authorityOf(request.target) }, [
        protocol.replace(containerProtocol.client, containerProtocol.agent),
      ]);
      const agent = await this.#changed({ ...request, headers });
      try {
        status = await translateStreams(client, agent, flags);
      } finally {
        agent.destroy();
      }
    } catch (error) {
      status = failureOf(error);
    } finally {
      request.signal.removeEventListener("abort", cut);
    }
    this.#parts.observer?.translated(status.reason === exitReason ? 200 : (status.code ?? 200));
    endWithStatus(client, status);
  }

  /** Tunnels the agent's protocol through the client's WebSocket. */
  async #tunnel(exchange: HttpExchange, request: Call, protocols: readonly string[]): Promise<void> {
    const headers = spdyHeaders(request.headers, protocols);
    const answer = await this.#callAgent({ ...request, headers });
    const { response } = answer;
    const status = response.statusCode ?? 0;
    this.#parts.observer?.tunnelled(status);
    if (answer.kind === "response") {
      if (status >= 400) return await passBody(exchange, response, status, responseHeaders(response));
      response.destroy();
      throw unclassified(`invalid upgrade response: status code ${status}`);
    }
    const chosen = String(response.headers[protocolHeader] ?? protocols[0] ?? "");
    const agent = answer.socket;
    endInTurn(agent, loopTurns.ends);
    if (answer.head.length > 0) agent.unshift(answer.head);
    try {
      const client = await openWebSocket(exchange, `${tunnelPrefix}${chosen}`);
      await joinConnections(asConnection(client), agent, request.signal, this.#parts.bytesPerSecondMax);
    } finally {
      agent.destroy();
    }
  }

  #callAgent(request: Call): Promise<UpstreamAnswer> {
    return call(request, { method: "POST" }, this.#parts.dial);
  }

  /** The connection to an agent that has agreed to SPDY. Rejects with a `StatusError`. */
  async #changed(request: Call): Promise<Duplex> {
    const answer = await this.#callAgent(request);
    if (answer.kind === "response") {
      throw unclassified(`unable to upgrade connection: ${await startOfBody(answer.response)}`);
    }
    const { socket, head } = answer;
    endInTurn(socket, loopTurns.ends);
    if (head.length > 0) socket.unshift(head);
    return throttledBothWays(socket, this.#parts.bytesPerSecondMax);
  }
}
