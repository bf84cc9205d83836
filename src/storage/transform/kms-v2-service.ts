import { randomUUID } from "node:crypto";
import { GrpcFailure, grpcStatus } from "../grpc/grpc-call.js";
import type { SocketConnection } from "../grpc/socket-connection.js";
import { WireReader } from "../grpc/wire-reader.js";
import { WireWriter } from "../grpc/wire-writer.js";
import { readAnnotation, writeAnnotations } from "./encrypted-object.js";
import type { KeySource } from "./key-source.js";

export interface KmsStatus {
  readonly version: string;
  /** `ok`, or what is wrong. */
  readonly healthz: string;
  /** ID of the key with which the service encrypts now. */
  readonly keyId: string;
}

export type EncryptedKey = Pick<KeySource, "encrypted" | "keyId" | "annotations">;

/** Encrypts and decrypts small keys, in another process, and says which of its own keys it used. */
export interface KeyServiceV2 {
  status(): Promise<KmsStatus>;
  encrypt(plain: Uint8Array): Promise<EncryptedKey>;
  decrypt(key: EncryptedKey): Promise<Uint8Array>;
}

/** Receives each call of a service; `method` is its path, `status` gRPC's code. */
export type KmsCallObserver = (method: string, milliseconds: number, status: number) => void;

/** Field numbers of the three methods' messages. */
const status = { version: 1, healthz: 2, keyId: 3 } as const;
const encryption = { plain: 1, uid: 2, ciphertext: 1, keyId: 2, annotations: 3 } as const;
const decryption = { ciphertext: 1, uid: 2, keyId: 3, annotations: 4, plain: 1 } as const;

/** A key management service of version 2. `protocol`: the package of its methods. Source: `k8s.io/kms/apis`, api.proto. */
export class KmsV2Service implements KeyServiceV2 {
  readonly #connection: SocketConnection;
  readonly #prefix: string;
  readonly #observe: KmsCallObserver;

  constructor(connection: SocketConnection, protocol: "v2alpha1" | "v2", observe: KmsCallObserver) {
    this.#connection = connection;
    this.#prefix = `/${protocol}.KeyManagementService/`;
    this.#observe = observe;
  }

  async status(): Promise<KmsStatus> {
    const reader = new WireReader(await this.#call("Status", new WireWriter(8)));
    let version = "";
    let healthz = "";
    let keyId = "";
    while (reader.next()) {
      if (reader.field === status.version) version = reader.string();
      else if (reader.field === status.healthz) healthz = reader.string();
      else if (reader.field === status.keyId) keyId = reader.string();
      else reader.skip();
    }
    return { version, healthz, keyId };
  }

  async encrypt(plain: Uint8Array): Promise<EncryptedKey> {
    const writer = new WireWriter(plain.length + 64);
    writer.string(encryption.uid, randomUUID());
    writer.bytes(encryption.plain, plain);
    const reader = new WireReader(await this.#call("Encrypt", writer));
    let encrypted = Buffer.alloc(0);
    let keyId = "";
    const annotations = new Map<string, Uint8Array>();
    while (reader.next()) {
      if (reader.field === encryption.ciphertext) encrypted = Buffer.from(reader.bytes());
      else if (reader.field === encryption.keyId) keyId = reader.string();
      else if (reader.field === encryption.annotations) readAnnotation(reader.message(), annotations);
      else reader.skip();
    }
    return { encrypted, keyId, annotations };
  }

  async decrypt({ encrypted, keyId, annotations }: EncryptedKey): Promise<Uint8Array> {
    const writer = new WireWriter(encrypted.length + 256);
    writeAnnotations(writer, decryption.annotations, annotations);
    writer.string(decryption.keyId, keyId);
    writer.string(decryption.uid, randomUUID());
    writer.bytes(decryption.ciphertext, encrypted);
    const reader = new WireReader(await this.#call("Decrypt", writer));
    let plain = Buffer.alloc(0);
    while (reader.next()) {
      if (reader.field === decryption.plain) plain = Buffer.from(reader.bytes());
      else reader.skip();
    }
    return plain;
  }

  async #call(name: string, request: WireWriter): Promise<Buffer> {
    const method = `${this.#prefix}${name}`;
    const startedAtMs = performance.now();
    let code: number = grpcStatus.ok;
    try {
      return await this.#connection.call(method, request.frame());
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      code = cause instanceof GrpcFailure ? cause.status : grpcStatus.unknown;
      throw error;
    } finally {
      this.#observe(method, performance.now() - startedAtMs, code);
    }
  }
}
