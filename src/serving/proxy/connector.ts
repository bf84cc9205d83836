import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import {
  badRequest,
  type Status,
  StatusError,
  serviceUnavailable,
} from "../../apimachinery/errors/status.js";
import { unreachable } from "../../apimachinery/errors/unreachable.js";
import type {
  ConnectResult,
  ConnectTarget,
  ContainerStreamFlags,
  DownloadConnect,
  ProxyConnect,
  StreamConnect,
} from "../../endpoints/connect/connect-result.js";
import { loopTurns } from "../../event-loop/loop-turns.js";
import { stemInEitherProfile } from "../../naming/either-profile.js";
import { endInTurn } from "../http/ends-in-turn.js";
import type { HttpExchange } from "../http/exchange.js";
import type { RequestContext } from "../request/request-context.js";
import { AnswerPassing, isRedirect, refuseRedirect } from "./answer-passing.js";
import { asConnection, offeredProtocols, openWebSocket } from "./client-web-socket.js";
import { afterMs, firstOf } from "./first-signal.js";
import { type ForwardedHeaders, requestHeaders, responseHeaders } from "./forward-headers.js";
import { joinConnections, throttledBothWays } from "./joined-connections.js";
import { type Call, hasBody, passBody, passThrough, startOfBody } from "./pass-answer.js";
import { escapePath, locationOf, pathBefore, rewriteLocation } from "./proxied-path.js";
import { endWithStatus, failureOf, translateStreams } from "./stream-translation.js";
import {
  protocolHeader,
  setHeader,
  spdyHeaders,
  switchingProtocols,
  tunnelled,
  tunnelPrefix,
} from "./upgrade-headers.js";
import { callUpstream, type Dial, type UpstreamAnswer, UpstreamError } from "./upstream.js";

export interface ConnectorParts {
  /** Ends open connections when the server is about to stop. */
  readonly draining: AbortSignal;
  /** Bytes per second of upgraded connections, in each direction; 0 for no limit. */
  readonly bytesPerSecondMax: number;
  /** Headers that name a user to this server, which are not forwarded. */
  readonly isIdentityHeader: (name: string) => boolean;
  /** Undefined connects directly. */
  readonly dial: Dial | undefined;
  /** Whether a redirect of an extension server is refused: it could send clients, with their credentials, anywhere. */
  readonly rejectRedirects: boolean;
  readonly observer?: WebSocketObserver | undefined;
}

/** Receives what happens to WebSockets of containers and ports. */
export interface WebSocketObserver {
  /** Of exec, attach or portforward; whether this server translates for the agent. */
  webSocket(subresource: string, isTranslated: boolean): void;
  /** The status code of the outcome. */
  translated(code: number): void;
  /** The status code of the agent's answer. */
  tunnelled(code: number): void;
}

/** Subprotocols of container streams, without their domains. */
const containerProtocol = { client: "v5.channel", agent: "v4.channel" } as const;
/** An exit code is no failure of the connection. */
const exitReason = "NonZeroExitCode";

interface PassingOn {
  /** Headers by which the other server learns the user. */
  readonly identity: ForwardedHeaders;
  /** Time limit of the whole answer; undefined for no limit but the request's own. */
  readonly timeoutMs: number | undefined;
}

/** Forwards requests to other servers and passes their answers on. */
export class Connector {
  readonly #draining: AbortSignal;
  readonly #bytesPerSecondMax: number;
  readonly #isIdentityHeader: (name: string) => boolean;
  readonly #dial: Dial | undefined;
  readonly #rejectRedirects: boolean;
  readonly #observer: WebSocketObserver | undefined;
  /** Ends of other servers' upgraded connections wait for their turn: a node that goes away ends thousands at the same moment. */

  constructor(parts: ConnectorParts) {
    this.#draining = parts.draining;
    this.#bytesPerSecondMax = parts.bytesPerSecondMax;
    this.#isIdentityHeader = parts.isIdentityHeader;
    this.#dial = parts.dial;
    this.#rejectRedirects = parts.rejectRedirects;
    this.#observer = parts.observer;
  }

  /** Throws a `StatusError` if no answer has begun. */
  async connect(context: RequestContext, result: ConnectResult): Promise<void> {
    await this.#untilDraining(context, (signal) => this.#carryOut(context, result, signal));
  }

  /**
   * The client's request as it came, to a server that trusts the `identity` headers and not the client's own. Throws a `StatusError` if no
   * answer has begun.
   */
  async pass(
    context: RequestContext,
    target: ConnectTarget,
    { identity, timeoutMs }: PassingOn,
  ): Promise<void> {
    const late = timeoutMs === undefined ? undefined : afterMs(timeoutMs);
    try {
      await this.#untilDraining(
        context,
        (signal) => this.#pass(context.exchange, target, identity, signal),
        late?.signal,
      );
    } catch (error) {
      throw error === late?.signal.reason ? unreachableService("context deadline exceeded") : error;
    } finally {
      late?.stop();
    }
  }

  /** The signal of `work` aborts when its result is no longer wanted. */
  async #untilDraining(
    context: RequestContext,
    work: (signal: AbortSignal) => Promise<void>,
    late?: AbortSignal,
  ): Promise<void> {
    const ends = [context.exchange.signal, this.#draining];
    if (!context.longRunning) ends.push(context.signal);
    if (late !== undefined) ends.push(late);
    const { signal, release } = firstOf(ends);
    try {
      await work(signal);
    } catch (error) {
      if (error === this.#draining.reason) throw serviceUnavailable("the server is shutting down");
      throw error;
    } finally {
      release();
    }
  }

  async #carryOut(context: RequestContext, result: ConnectResult, signal: AbortSignal): Promise<void> {
    const { exchange } = context;
    switch (result.mode) {
      case "nothing":
        return exchange.respond(204, {});
      case "stream":
        return await this.#stream(exchange, result, signal);
      case "proxy":
        return await this.#proxy(context, result, signal);
      case "download":
        return await this.#download(exchange, result, signal);
      default:
        return unreachable(result);
    }
  }

  async #pass(
    exchange: HttpExchange,
    target: ConnectTarget,
    identity: ForwardedHeaders,
    signal: AbortSignal,
  ): Promise<void> {
    const failed = unreachableService;
    const named = (upgrade: boolean): ForwardedHeaders => ({
      ...requestHeaders(
        exchange,
        (name) => name.startsWith("x-remote-") || this.#isIdentityHeader(name),
        upgrade,
      ),
      ...identity,
      host: authorityOf(target),
      "x-forwarded-host": exchange.host,
      "x-forwarded-proto": "https",
      "x-forwarded-uri": exchange.path,
    });
    const { client } = target;
    if (exchange.isUpgrade) {
      const call = { target, path: exchange.target, headers: named(true), signal, failed };
      return await this.#upgrade(exchange, { ...call, rejectRedirects: this.#rejectRedirects });
    }
    if (client === undefined) throw new Error("extension servers are called by a client of their own");
    const redirects = this.#rejectRedirects
      ? undefined
      : { host: authorityOf(target), clientHost: exchange.host, prefix: "" };
    await passThrough(client, new AnswerPassing(exchange, redirects), exchange, {
      headers: named(false),
      signal,
      failed,
    });
  }

  async #stream(exchange: HttpExchange, result: StreamConnect, signal: AbortSignal): Promise<void> {
    if (!exchange.isUpgrade) throw badRequest("Upgrade request required");
    const { target, path, translation, subresource } = result;
    const headers = requestHeaders(exchange, this.#isIdentityHeader, true);
    const failed = (error: string) => plain(`error dialing backend: ${error}`);
    const call = { target, path, headers, signal, failed };
    const offered = offeredProtocols(exchange);
    if (offered.length > 0 && subresource !== undefined) {
      this.#observer?.webSocket(subresource, translation !== undefined);
    }
    if (translation?.kind === "containers") {
      const protocol = offered.find((name) => stemInEitherProfile(name) === containerProtocol.client);
      if (protocol !== undefined) return await this.#translate(exchange, call, protocol, translation.flags);
    } else if (translation?.kind === "ports") {
      const protocols = offered.flatMap(tunnelled);
      if (protocols.length > 0) return await this.#tunnel(exchange, call, protocols);
    }
    await this.#upgrade(exchange, call);
  }

  /** Translates between a WebSocket client and the streams of an agent, which are opened once the client is connected. */
  async #translate(
    exchange: HttpExchange,
    call: Call,
    protocol: string,
    flags: ContainerStreamFlags,
  ): Promise<void> {
    const client = await openWebSocket(exchange, protocol);
    const cut = (): void => client.terminate();
    call.signal.addEventListener("abort", cut, { once: true });
    let status: Status;
    try {
      const headers = spdyHeaders({ host: authorityOf(call.target) }, [
        protocol.replace(containerProtocol.client, containerProtocol.agent),
      ]);
      const agent = await this.#changed({ ...call, headers });
      status = await translateStreams(client, agent, flags);
      agent.destroy();
    } catch (error) {
      status = failureOf(error);
    } finally {
      call.signal.removeEventListener("abort", cut);
    }
    this.#observer?.translated(status.reason === exitReason ? 200 : (status.code ?? 200));
    endWithStatus(client, status);
  }

  /** Tunnels the agent's protocol through the client's WebSocket. */
  async #tunnel(exchange: HttpExchange, call: Call, protocols: readonly string[]): Promise<void> {
    const headers = spdyHeaders(call.headers, protocols);
    let answer: UpstreamAnswer;
    try {
      answer = await this.#callForUpgrade({ ...call, headers });
    } catch (error) {
      throw statusOf(error, call.failed);
    }
    const { response } = answer;
    const status = response.statusCode ?? 0;
    this.#observer?.tunnelled(status);
    if (answer.kind === "response") {
      if (status >= 400) return await passBody(exchange, response, status, responseHeaders(response));
      response.destroy();
      throw plain(`invalid upgrade response: status code ${status}`);
    }
    const chosen = String(response.headers[protocolHeader] ?? protocols[0] ?? "");
    const agent = answer.socket;
    endInTurn(agent, loopTurns.ends);
    if (answer.head.length > 0) agent.unshift(answer.head);
    const client = await openWebSocket(exchange, `${tunnelPrefix}${chosen}`);
    await joinConnections(asConnection(client), agent, call.signal, this.#bytesPerSecondMax);
  }

  #callForUpgrade({ target, path, headers, signal }: Call): Promise<UpstreamAnswer> {
    return callUpstream(target, { method: "POST", path, headers }, signal, this.#dial);
  }

  /** The connection to an agent that has agreed to SPDY. Rejects with a `StatusError`. */
  async #changed(call: Call): Promise<Duplex> {
    let answer: UpstreamAnswer;
    try {
      answer = await this.#callForUpgrade(call);
    } catch (error) {
      throw statusOf(error, call.failed);
    }
    if (answer.kind === "response") {
      throw plain(`unable to upgrade connection: ${await startOfBody(answer.response)}`);
    }
    const { socket, head } = answer;
    endInTurn(socket, loopTurns.ends);
    if (head.length > 0) socket.unshift(head);
    return throttledBothWays(socket, this.#bytesPerSecondMax);
  }

  async #proxy(context: RequestContext, result: ProxyConnect, signal: AbortSignal): Promise<void> {
    const { exchange } = context;
    const { target } = result;
    const query = exchange.query === "" ? "" : `?${exchange.query}`;
    const failed = unreachableService;
    if (exchange.isUpgrade) {
      const path = `${result.path === "" ? "/" : escapePath(result.path)}${query}`;
      const headers = requestHeaders(exchange, this.#isIdentityHeader, true);
      return await this.#upgrade(exchange, { target, path, headers, signal, failed });
    }
    if (result.path === "") {
      // Relative links in the page would lead elsewhere.
      return exchange.respond(301, { Location: `${exchange.path}/${query}` });
    }
    const prefix = pathBefore(exchange.path, escapePath(result.path));
    const headers = requestHeaders(exchange, this.#isIdentityHeader, false);
    headers["x-forwarded-uri"] = exchange.path;
    const path = `${escapePath(result.path)}${query}`;
    const response = await this.#call(exchange, { target, path, headers, signal, failed });
    const answerHeaders: Record<string, string[]> = responseHeaders(response);
    const location = locationOf(response);
    if (location !== undefined) {
      const from = { host: authorityOf(target), clientHost: exchange.host, prefix };
      setHeader(answerHeaders, "location", rewriteLocation(location, from));
    }
    await passBody(exchange, response, response.statusCode ?? 502, answerHeaders);
  }

  /** The answer to the client's request, whose body is streamed. */
  async #call(exchange: HttpExchange, call: Call): Promise<IncomingMessage> {
    const { target, path, signal } = call;
    const body = hasBody(exchange) ? exchange.bodyStream() : undefined;
    const headers =
      body !== undefined && exchange.headers["content-length"] === undefined
        ? { ...call.headers, "transfer-encoding": "chunked" }
        : call.headers;
    let answer: UpstreamAnswer;
    try {
      answer = await callUpstream(
        target,
        { method: exchange.method, path, headers, body },
        signal,
        this.#dial,
      );
    } catch (error) {
      if (body !== undefined) exchange.closeAfterResponse();
      throw statusOf(error, call.failed);
    }
    if (answer.kind === "upgraded") {
      answer.socket.destroy();
      throw plain("invalid response: the other side changed the protocol without being asked");
    }
    return answer.response;
  }

  /** Connects the client and the other side for the protocol they agreed on. */
  async #upgrade(
    exchange: HttpExchange,
    { target, path, headers, signal, failed, rejectRedirects }: Call & { readonly rejectRedirects?: boolean },
  ): Promise<void> {
    let answer: UpstreamAnswer;
    try {
      answer = await callUpstream(target, { method: exchange.method, path, headers }, signal, this.#dial);
    } catch (error) {
      throw statusOf(error, failed);
    }
    const { response } = answer;
    const status = response.statusCode ?? 0;
    if (answer.kind === "response") {
      if (status < 400) {
        response.destroy();
        if (rejectRedirects === true && isRedirect(status, locationOf(response)))
          return refuseRedirect(exchange);
        throw plain(`invalid upgrade response: status code ${status}`);
      }
      return await passBody(exchange, response, status, responseHeaders(response));
    }
    const { socket, head } = exchange.upgrade();
    const other = answer.socket;
    endInTurn(other, loopTurns.ends);
    socket.write(switchingProtocols(response));
    if (answer.head.length > 0) socket.write(answer.head);
    if (head.length > 0) other.write(head);
    await joinConnections(socket, other, signal, this.#bytesPerSecondMax);
  }

  async #download(exchange: HttpExchange, result: DownloadConnect, signal: AbortSignal): Promise<void> {
    const { target, path } = result;
    const headers = { host: authorityOf(target) };
    let answer: UpstreamAnswer;
    try {
      answer = await callUpstream(target, { method: "GET", path, headers }, signal, this.#dial);
    } catch (error) {
      if (error instanceof UpstreamError && error.isDistrusted) result.distrusted?.();
      const url = `${target.protocol}://${authorityOf(target)}${path}`;
      throw statusOf(error, (text) => plain(`Get ${JSON.stringify(url)}: ${text}`));
    }
    const { response } = answer;
    const status = response.statusCode ?? 0;
    if (answer.kind === "upgraded" || status < 200 || status > 206) {
      throw result.refusal(status, await startOfBody(response));
    }
    await passBody(exchange, response, 200, { "Content-Type": [result.contentType] });
  }
}

function unreachableService(error: string): StatusError {
  return serviceUnavailable(`error trying to reach service: ${error}`);
}

function authorityOf({ host, port }: ConnectTarget): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

function statusOf(error: unknown, failed: (message: string) => StatusError): unknown {
  return error instanceof UpstreamError ? failed(error.message) : error;
}

/** 500 without a reason, as Kubernetes answers unclassified errors. */
function plain(message: string): StatusError {
  return new StatusError({ message, code: 500 });
}
