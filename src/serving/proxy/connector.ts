import type { IncomingMessage } from "node:http";
import { type StatusError, serviceUnavailable } from "../../apimachinery/errors/status.js";
import { unreachable } from "../../apimachinery/errors/unreachable.js";
import type {
  ConnectResult,
  ConnectTarget,
  DownloadConnect,
  ProxyConnect,
} from "../../endpoints/connect/connect-result.js";
import type { HttpExchange } from "../http/exchange.js";
import type { RequestContext } from "../request/request-context.js";
import { AnswerPassing } from "./answer-passing.js";
import { ContainerStreams, type ContainerStreamsParts } from "./container-streams.js";
import { afterMs, firstOf } from "./first-signal.js";
import { type ForwardedHeaders, requestHeaders, responseHeaders } from "./forward-headers.js";
import { hasBody, passBody, passThrough, startOfBody } from "./pass-answer.js";
import { passUpgrade } from "./pass-upgrade.js";
import { escapePath, locationOf, pathBefore, rewriteLocation } from "./proxied-path.js";
import { setHeader } from "./upgrade-headers.js";
import { callUpstream, type UpstreamAnswer, UpstreamError } from "./upstream.js";
import { authorityOf, type Call, call, unclassified } from "./upstream-call.js";

export interface ConnectorParts extends ContainerStreamsParts {
  /** Closes open connections when the server shuts down. */
  readonly draining: AbortSignal;
  /** Whether redirects of extension servers are refused: they could send clients, with their credentials, anywhere. */
  readonly rejectRedirects: boolean;
}

interface PassingOn {
  /** Headers that tell the other server who the user is. */
  readonly identity: ForwardedHeaders;
  /** Time limit for the whole answer; undefined: only the request's own. */
  readonly timeoutMs: number | undefined;
}

/** Forwards requests to other servers and their answers to clients. */
export class Connector {
  readonly #parts: ConnectorParts;
  readonly #streams: ContainerStreams;

  constructor(parts: ConnectorParts) {
    this.#parts = parts;
    this.#streams = new ContainerStreams(parts);
  }

  /** Throws a `StatusError` if no answer has begun. */
  async connect(context: RequestContext, result: ConnectResult): Promise<void> {
    await this.#untilDraining(context, (signal) => this.#carryOut(context, result, signal));
  }

  /**
   * Forwards the client's request unchanged, to a server that trusts the `identity` headers and not the client's own. Throws a
   * `StatusError` if no answer has begun.
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
    const ends = [context.exchange.signal, this.#parts.draining];
    if (!context.longRunning) ends.push(context.signal);
    if (late !== undefined) ends.push(late);
    const { signal, release } = firstOf(ends);
    try {
      await work(signal);
    } catch (error) {
      if (error === this.#parts.draining.reason) throw serviceUnavailable("the server is shutting down");
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
        return await this.#streams.connect(exchange, result, signal);
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
        (name) => name.startsWith("x-remote-") || this.#parts.isIdentityHeader(name),
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
      const request = { target, path: exchange.target, headers: named(true), signal, failed };
      return await passUpgrade(exchange, request, this.#parts, this.#parts.rejectRedirects);
    }
    if (client === undefined) throw new Error("extension servers are called by a client of their own");
    const redirects = this.#parts.rejectRedirects
      ? undefined
      : { host: authorityOf(target), clientHost: exchange.host, prefix: "" };
    await passThrough(client, new AnswerPassing(exchange, redirects), exchange, {
      headers: named(false),
      signal,
      failed,
    });
  }

  async #proxy(context: RequestContext, result: ProxyConnect, signal: AbortSignal): Promise<void> {
    const { exchange } = context;
    const { target } = result;
    const query = exchange.query === "" ? "" : `?${exchange.query}`;
    const failed = unreachableService;
    if (exchange.isUpgrade) {
      const path = `${result.path === "" ? "/" : escapePath(result.path)}${query}`;
      const headers = requestHeaders(exchange, this.#parts.isIdentityHeader, true);
      return await passUpgrade(exchange, { target, path, headers, signal, failed }, this.#parts);
    }
    if (result.path === "") {
      // Otherwise relative links in the page would lead elsewhere.
      return exchange.respond(301, { Location: `${exchange.path}/${query}` });
    }
    const prefix = pathBefore(exchange.path, escapePath(result.path));
    const headers = requestHeaders(exchange, this.#parts.isIdentityHeader, false);
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

  /** Forwards the client's request with its body as a stream. */
  async #call(exchange: HttpExchange, request: Call): Promise<IncomingMessage> {
    const body = hasBody(exchange) ? exchange.bodyStream() : undefined;
    const headers =
      body !== undefined && exchange.headers["content-length"] === undefined
        ? { ...request.headers, "transfer-encoding": "chunked" }
        : request.headers;
    let answer: UpstreamAnswer;
    try {
      answer = await call({ ...request, headers }, { method: exchange.method, body }, this.#parts.dial);
    } catch (error) {
      if (body !== undefined) exchange.closeAfterResponse();
      throw error;
    }
    if (answer.kind === "upgraded") {
      answer.socket.destroy();
      throw unclassified("invalid response: the other side changed the protocol without being asked");
    }
    return answer.response;
  }

  async #download(exchange: HttpExchange, result: DownloadConnect, signal: AbortSignal): Promise<void> {
    const { target, path } = result;
    const headers = { host: authorityOf(target) };
    let answer: UpstreamAnswer;
    try {
      answer = await callUpstream(target, { method: "GET", path, headers }, signal, this.#parts.dial);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (error.isDistrusted) result.distrusted?.();
      const url = `${target.protocol}://${authorityOf(target)}${path}`;
      throw unclassified(`Get ${JSON.stringify(url)}: ${error.message}`);
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
