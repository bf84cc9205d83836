import type { SocketConnection } from "../grpc/socket-connection.js";
import { WireReader } from "../grpc/wire-reader.js";
import { WireWriter } from "../grpc/wire-writer.js";
import type { KeyService } from "./envelope-transformer.js";

const protocolVersion = "v1beta1";
const methodPrefix = "/v1beta1.KeyManagementService/";
const versionField = 1;
const payloadField = 2;
const answerField = 1;

/** A key management service of version 1. Source: apiserver `pkg/storage/value/encrypt/envelope`, service.proto v1beta1. */
export class KmsService implements KeyService {
  readonly #connection: SocketConnection;
  #versionChecked: Promise<void> | undefined;

  constructor(connection: SocketConnection) {
    this.#connection = connection;
  }

  encrypt(plain: Uint8Array): Promise<Uint8Array> {
    return this.#transform("Encrypt", plain);
  }

  decrypt(encrypted: Uint8Array): Promise<Uint8Array> {
    return this.#transform("Decrypt", encrypted);
  }

  async #transform(method: string, payload: Uint8Array): Promise<Uint8Array> {
    this.#versionChecked ??= this.#checkVersion();
    await this.#versionChecked;
    const writer = new WireWriter(payload.length + 32);
    writer.bytes(payloadField, payload);
    writer.string(versionField, protocolVersion);
    return readBytes(await this.#connection.call(`${methodPrefix}${method}`, writer.frame()));
  }

  async #checkVersion(): Promise<void> {
    try {
      const writer = new WireWriter(32);
      writer.string(versionField, protocolVersion);
      const answer = await this.#connection.call(`${methodPrefix}Version`, writer.frame());
      const version = readBytes(answer).toString();
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
