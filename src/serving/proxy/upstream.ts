import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { Duplex, type Readable } from "node:stream";
import { TLSSocket, connect as tlsConnect } from "node:tls";
import type { ConnectTarget } from "../../endpoints/connect/connect-result.js";
import { limitInformational } from "../../remote/informational-answers.js";
import { tlsTrust } from "../../remote/tls-trust.js";
import { timerMs } from "../../time/clock.js";
import type { ForwardedHeaders } from "./forward-headers.js";

export interface UpstreamRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: ForwardedHeaders;
  /** Not destroyed if the upstream fails. */
  readonly body?: Readable | undefined;
}

export type UpstreamAnswer =
  | { readonly kind: "response"; readonly response: IncomingMessage }
  | {
      readonly kind: "upgraded";
      readonly response: IncomingMessage;
      readonly socket: Socket;
      /** Bytes that came right after the head. */
      readonly head: Buffer;
    };

/** The upstream could not be reached, or closed the connection before its answer began. The message is Go's, which people search for. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  /** Whether the upstream's certificate was not accepted. */
  readonly isDistrusted: boolean;

  constructor(message: string, options: { readonly cause: Error; readonly isDistrusted: boolean }) {
    super(message, options);
    this.isDistrusted = options.isDistrusted;
  }
}

/** Opens a connection to a host, possibly through a proxy. Rejects if that fails, or the signal aborts. */
export type Dial = (target: ConnectTarget, signal: AbortSignal) => Promise<Duplex>;

const keepAliveMs = 30_000;

/**
 * Sends a request over a new connection. Rejects with `UpstreamError`, or with the signal's reason; the signal also aborts the body of
 * the answer.
 */
export function callUpstream(
  target: ConnectTarget,
  request: UpstreamRequest,
  signal: AbortSignal,
  dial?: Dial | undefined,
): Promise<UpstreamAnswer> {
  const { body } = request;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const call = open(target, request, dial, signal);
    limitInformational(call);
    const stopWaiting = limitConnecting(call, target);
    const aborted = (): void => void call.destroy();
    signal.addEventListener("abort", aborted, { once: true });
    const forget = (): void => signal.removeEventListener("abort", aborted);

    call.once("response", (response) => {
      response.once("close", forget);
      resolve({ kind: "response", response });
    });
    call.once("upgrade", (response, socket: Socket, head: Buffer) => {
      socket.once("close", forget);
      resolve({ kind: "upgraded", response, socket, head });
    });
    call.on("error", (error: NodeJS.ErrnoException) => {
      stopWaiting();
      forget();
      // Nobody needs the rest of the client's body.
      body?.unpipe(call).resume();
      if (signal.aborted) return reject(signal.reason);
      const { socket } = call;
      const isDistrusted = socket instanceof TLSSocket && Boolean(socket.authorizationError);
      reject(new UpstreamError(describe(error, target), { cause: error, isDistrusted }));
    });
    if (body === undefined) call.end();
    else body.pipe(call);
  });
}

function open(
  target: ConnectTarget,
  request: UpstreamRequest,
  dial: Dial | undefined,
  signal: AbortSignal,
): ClientRequest {
  const { host, port, protocol, tls } = target;
  const { method, path, headers } = request;
  const options = { host, port, method, path, headers };
  const tlsOptions = {
    rejectUnauthorized: tls.verify,
    // The Host header comes from the client and does not determine the expected certificate.
    servername: target.serverName ?? (isIP(host) === 0 ? host : ""),
    ...tlsTrust(tls.ca),
    ...(tls.cert !== undefined && { cert: tls.cert }),
    ...(tls.key !== undefined && { key: tls.key }),
  };
  const isSecure = protocol === "https";
  if (dial === undefined) {
    return isSecure
      ? httpsRequest({ ...options, ...tlsOptions, agent: false })
      : httpRequest({ ...options, agent: false });
  }
  return httpRequest({
    ...options,
    createConnection: (_options, created) => {
      dial(target, signal).then(
        (socket) => created(null, isSecure ? tlsConnect({ ...tlsOptions, host, socket }) : socket),
        // The type requires a stream even when there is none.
        (error: Error) => created(error, new Duplex()),
      );
      return undefined;
    },
  });
}

/** Fails the call if there is no connection in time. */
function limitConnecting(call: ClientRequest, target: ConnectTarget): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(timer);
  if (target.connectTimeoutMs > 0) {
    timer = setTimeout(
      () => call.destroy(Object.assign(new Error("i/o timeout"), { code: "ETIMEDOUT" })),
      timerMs(target.connectTimeoutMs),
    );
  }
  call.once("socket", (socket) => {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMs);
    if (target.protocol === "https") socket.once("secureConnect", stop);
    else if (socket.connecting) socket.once("connect", stop);
    else stop(); // the tunnel is already open
  });
  call.once("close", stop);
  return stop;
}

function describe(error: NodeJS.ErrnoException, { host, port }: ConnectTarget): string {
  const address = isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
  switch (error.code) {
    case "ECONNREFUSED":
      return `dial tcp ${address}: connect: connection refused`;
    case "EHOSTUNREACH":
      return `dial tcp ${address}: connect: no route to host`;
    case "ENETUNREACH":
      return `dial tcp ${address}: connect: network is unreachable`;
    case "ETIMEDOUT":
      return `dial tcp ${address}: i/o timeout`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `dial tcp: lookup ${host}: no such host`;
    case "ECONNRESET":
      return `${address}: connection reset by peer`;
    default:
      return `${address}: ${error.message}`;
  }
}
