import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectSocket } from "node:net";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { Clock } from "../../time/clock.js";
import { sleep } from "../../time/sleep.js";
import { callUnary, GrpcFailure } from "../grpc/grpc-call.js";
import { WireReader } from "../grpc/wire-reader.js";
import { WireWriter } from "../grpc/wire-writer.js";
import type { KeyService } from "./envelope-transformer.js";

export interface KmsServiceOptions {
  /** `unix:///path`, or `unix:///@name` in the abstract namespace. */
  readonly endpoint: string;
  /** For one call, including the wait for a connection. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

const protocolVersion = "v1beta1";
const methodPrefix = "/v1beta1.KeyManagementService/";
const versionField = 1;
const payloadField = 2;
const answerField = 1;
const reconnectPauseMs = 100;
/** A key and what wraps it are far smaller; each attempt to read an endless answer would fill the memory. */
const answerBytesMax = 1024 * 1024;

/**
 * A key management service behind gRPC on a Unix socket. Connects on first use, and again after the connection broke. Source:
 * apiserver `pkg/storage/value/encrypt/envelope`, service.proto v1beta1.
 */
export class KmsService implements KeyService {
  readonly #options: KmsServiceOptions;
  #session: ClientHttp2Session | undefined;
  #versionChecked: Promise<void> | undefined;
  #closed = false;

  constructor(options: KmsServiceOptions) {
    this.#options = options;
  }

  encrypt(plain: Uint8Array): Promise<Uint8Array> {
    return this.#transform("Encrypt", plain);
  }

  decrypt(encrypted: Uint8Array): Promise<Uint8Array> {
    return this.#transform("Decrypt", encrypted);
  }

  close(): void {
    this.#closed = true;
    this.#session?.close();
    this.#session = undefined;
  }

  async #transform(method: string, payload: Uint8Array): Promise<Uint8Array> {
    this.#versionChecked ??= this.#checkVersion();
    await this.#versionChecked;
    const writer = new WireWriter(payload.length + 32);
    writer.bytes(payloadField, payload);
    writer.string(versionField, protocolVersion);
    return readBytes(await this.#call(method, writer.frame()));
  }

  async #checkVersion(): Promise<void> {
    try {
      const writer = new WireWriter(32);
      writer.string(versionField, protocolVersion);
      const version = readBytes(await this.#call("Version", writer.frame())).toString();
      if (version !== protocolVersion) {
        throw new Error(
          `KMS provider api version ${version} is not supported, only ${protocolVersion} is supported now`,
        );
      }
    } catch (error) {
      // A service that is not up yet, or was replaced, is asked again.
      this.#versionChecked = undefined;
      throw error;
    }
  }

  /** Within the timeout, waits for a service that is restarting: all its calls are safe to repeat. */
  async #call(method: string, frame: Buffer): Promise<Buffer> {
    const { clock, timeoutMs, endpoint } = this.#options;
    const deadline = clock.now() + timeoutMs;
    for (;;) {
      try {
        return await callUnary({
          session: this.#connected(),
          method: `${methodPrefix}${method}`,
          frame,
          clock,
          timeoutMs: Math.max(1, deadline - clock.now()),
          answerBytesMax,
        });
      } catch (error) {
        const connectionLost = error instanceof GrpcFailure && error.lostConnection;
        if (connectionLost) this.#session = undefined;
        if (!connectionLost || this.#closed || clock.now() + reconnectPauseMs >= deadline) {
          const reason = messageOf(error);
          throw new Error(`KMS provider at ${endpoint}: ${method}: ${reason}`, { cause: error });
        }
      }
      await sleep(clock, reconnectPauseMs);
    }
  }

  #connected(): ClientHttp2Session {
    const current = this.#session;
    if (current !== undefined && !current.closed && !current.destroyed) return current;
    const path = socketPath(this.#options.endpoint);
    const session = connect("http://localhost", { createConnection: () => connectSocket(path) });
    // Each call reports its own failure, so the session's error needs no handling.
    session.on("error", () => undefined);
    session.on("close", () => {
      if (this.#session === session) this.#session = undefined;
    });
    // Does not keep an otherwise finished process alive.
    session.unref();
    this.#session = session;
    return session;
  }
}

/** The socket that a validated endpoint names. */
export function socketPath(endpoint: string): string {
  const path = decodeURIComponent(new URL(endpoint).pathname);
  return path.startsWith("/@") ? `\0${path.slice(2)}` : path;
}

function readBytes(message: Buffer): Buffer {
  const reader = new WireReader(message);
  let answer = Buffer.alloc(0);
  while (reader.next()) {
    if (reader.field === answerField) answer = Buffer.from(reader.bytes());
    else reader.skip();
  }
  return answer;
}
