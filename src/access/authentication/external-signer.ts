import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isJsonObject, type JsonObject } from "../../apimachinery/json/json-value.js";
import { GrpcFailure, grpcStatus } from "../../storage/grpc/grpc-call.js";
import { grpcCodeName } from "../../storage/grpc/grpc-metrics.js";
import type { SocketConnection } from "../../storage/grpc/socket-connection.js";
import { WireReader } from "../../storage/grpc/wire-reader.js";
import { WireWriter } from "../../storage/grpc/wire-writer.js";

/** What the signer says about its keys. */
export interface FetchedKeys {
  readonly keys: readonly FetchedKey[];
  /** When the signer learnt of them; undefined when it does not say. */
  readonly timestamp: { readonly seconds: number; readonly nanos: number } | undefined;
  /** Seconds until it should be asked again. */
  readonly refreshHintSeconds: number;
}

export interface FetchedKey {
  readonly keyId: string;
  /** DER of its public key information. */
  readonly publicKey: Uint8Array;
  /** It only verifies old tokens: it is not published, and no longer signs. */
  readonly isHidden: boolean;
}

export interface SignerObserver {
  /** `method`: its path. `code`: gRPC's name of the outcome, or `unknown-non-grpc`. */
  called(method: string, milliseconds: number, code: string): void;
  signed(code: string): void;
  /** `timestamp`: of the keys, in seconds since the epoch, if they could be fetched. */
  fetched(code: string, timestamp?: number): void;
}

/** Field numbers of the messages. Source: `k8s.io/externaljwt/apis`, api.proto. */
const fields = {
  metadata: { maxSeconds: 1 },
  sign: { claims: 1, header: 1, signature: 2 },
  fetched: { keys: 1, timestamp: 2, refreshHintSeconds: 3 },
  key: { keyId: 1, publicKey: 2, isHidden: 3 },
  timestamp: { seconds: 1, nanos: 2 },
} as const;

const timeoutsMs = { Metadata: 10_000, FetchKeys: 60_000, Sign: 30_000 };
const keyIdLengthMax = 1024;

/** A service that signs the tokens of service accounts and knows the keys that verify them. */
export class ExternalSigner {
  readonly #connection: SocketConnection;
  readonly #prefix: string;
  readonly #observer: SignerObserver;

  /** `version`: of the protocol. */
  constructor(connection: SocketConnection, version: "v1alpha1" | "v1", observer: SignerObserver) {
    this.#connection = connection;
    this.#prefix = `/${version}.ExternalJWTSigner/`;
    this.#observer = observer;
  }

  /** The longest validity of its tokens, in seconds. */
  async maxExpirationSeconds(): Promise<number> {
    const reader = new WireReader(await this.#call("Metadata", new WireWriter(8)));
    let seconds = 0;
    while (reader.next()) {
      if (reader.field === fields.metadata.maxSeconds) seconds = reader.integer();
      else reader.skip();
    }
    return seconds;
  }

  async fetchKeys(): Promise<FetchedKeys> {
    const reader = new WireReader(await this.#call("FetchKeys", new WireWriter(8)));
    const keys: FetchedKey[] = [];
    let timestamp: FetchedKeys["timestamp"];
    let refreshHintSeconds = 0;
    while (reader.next()) {
      if (reader.field === fields.fetched.keys) keys.push(readKey(reader.message()));
      else if (reader.field === fields.fetched.timestamp) timestamp = readTimestamp(reader.message());
      else if (reader.field === fields.fetched.refreshHintSeconds) refreshHintSeconds = reader.integer();
      else reader.skip();
    }
    return { keys, timestamp, refreshHintSeconds };
  }

  /** A token with these claims. `mayUse` throws for a key that must not sign tokens. */
  async sign(claims: JsonObject, mayUse: (keyId: string) => Promise<void>): Promise<string> {
    let code = "OK";
    try {
      const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
      const { header, signature } = await this.#signed(payload);
      await checkHeader(header, mayUse).catch((error: unknown) => {
        throw new Error(`while validating header: ${messageOf(error)}`, { cause: error });
      });
      if (signature === "") throw new Error("empty signature returned");
      return `${header}.${payload}.${signature}`;
    } catch (error) {
      code = codeOf(error);
      throw error;
    } finally {
      this.#observer.signed(code);
    }
  }

  async #signed(payload: string): Promise<{ readonly header: string; readonly signature: string }> {
    const writer = new WireWriter(payload.length + 16);
    writer.string(fields.sign.claims, payload);
    const answer = await this.#call("Sign", writer).catch((error: unknown) => {
      throw new Error(`while signing jwt: ${messageOf(error)}`, { cause: error });
    });
    const reader = new WireReader(answer);
    let header = "";
    let signature = "";
    while (reader.next()) {
      if (reader.field === fields.sign.header) header = reader.string();
      else if (reader.field === fields.sign.signature) signature = reader.string();
      else reader.skip();
    }
    return { header, signature };
  }

  async #call(name: keyof typeof timeoutsMs, request: WireWriter): Promise<Buffer> {
    const method = `${this.#prefix}${name}`;
    const startedAtMs = performance.now();
    let status: number = grpcStatus.ok;
    try {
      return await this.#connection.call(method, request.frame(), timeoutsMs[name]);
    } catch (error) {
      const failure = grpcFailureOf(error);
      status = failure?.status ?? grpcStatus.unknown;
      throw new Error(`rpc error: code = ${grpcCodeName(status)} desc = ${messageOf(failure ?? error)}`, {
        cause: failure ?? error,
      });
    } finally {
      this.#observer.called(method, performance.now() - startedAtMs, grpcCodeName(status));
    }
  }
}

/** gRPC's name of a failure; `unknown-non-grpc` when it was not a call. */
export function codeOf(error: unknown): string {
  const failure = grpcFailureOf(error);
  return failure === undefined ? "unknown-non-grpc" : grpcCodeName(failure.status);
}

export function isKeyId(text: string): boolean {
  return text !== "" && text.length <= keyIdLengthMax;
}

function grpcFailureOf(error: unknown): GrpcFailure | undefined {
  if (error instanceof GrpcFailure) return error;
  return error instanceof Error ? grpcFailureOf(error.cause) : undefined;
}

/** A signer may only state the key and algorithm: anything else in the header would be stated in this server's name. */
async function checkHeader(text: string, mayUse: (keyId: string) => Promise<void>): Promise<void> {
  const header = parsedHeader(text);
  const unknown = Object.keys(header).find((name) => !["alg", "kid", "typ"].includes(name));
  if (unknown !== undefined)
    throw new Error(`while parsing header JSON: json: unknown field ${JSON.stringify(unknown)}`);
  const { alg, kid, typ } = header;
  if (typ !== "JWT") throw new Error("bad type");
  if (typeof kid !== "string" || kid === "") throw new Error("key id missing");
  if (!isKeyId(kid)) throw new Error("key id longer than 1 kb");
  if (!["RS256", "ES256", "ES384", "ES512"].includes(String(alg)))
    throw new Error(`bad signing algorithm ${JSON.stringify(String(alg ?? ""))}`);
  await mayUse(kid);
}

function parsedHeader(text: string): JsonObject {
  if (!/^[\w-]*$/.test(text)) throw new Error("while unwrapping header: illegal base64 data");
  try {
    const header: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (isJsonObject(header)) return header;
  } catch {
    // Reported below.
  }
  throw new Error("while parsing header JSON: it is not a JSON object");
}

function readKey(reader: WireReader): FetchedKey {
  let keyId = "";
  let publicKey = Buffer.alloc(0);
  let isHidden = false;
  while (reader.next()) {
    if (reader.field === fields.key.keyId) keyId = reader.string();
    else if (reader.field === fields.key.publicKey) publicKey = Buffer.from(reader.bytes());
    else if (reader.field === fields.key.isHidden) isHidden = reader.boolean();
    else reader.skip();
  }
  return { keyId, publicKey, isHidden };
}

function readTimestamp(reader: WireReader): { seconds: number; nanos: number } {
  let seconds = 0;
  let nanos = 0;
  while (reader.next()) {
    if (reader.field === fields.timestamp.seconds) seconds = reader.integer();
    else if (reader.field === fields.timestamp.nanos) nanos = reader.integer();
    else reader.skip();
  }
  return { seconds, nanos };
}
