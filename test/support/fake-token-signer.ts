import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { WireReader } from "../../src/storage/grpc/wire-reader.js";
import { WireWriter } from "../../src/storage/grpc/wire-writer.js";
import { type GrpcAnswer, GrpcSocketServer } from "./grpc-socket-server.js";

export interface SignerKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Only for old tokens. */
  readonly isHidden: boolean;
}

export function newSignerKey(keyId: string, isHidden = false): SignerKey {
  return { keyId, isHidden, ...generateKeyPairSync("ec", { namedCurve: "P-256" }) };
}

/** A signer of service account tokens, gRPC on a Unix socket, that a test controls through its fields. */
export class FakeTokenSigner {
  /** Requests, in order. */
  readonly calls: string[] = [];
  /** The first one signs. */
  keys: readonly SignerKey[] = [newSignerKey("first")];
  maxExpirationSeconds = 7200;
  refreshHintSeconds = 1800;
  /** Further members of the headers of its tokens. */
  header: object = {};
  /** The message with which calls fail. */
  failure: string | undefined;
  readonly #version: "v1alpha1" | "v1";
  readonly #server: GrpcSocketServer;

  /** Not started yet. `version`: of the protocol that it has. */
  constructor(socket: string, version: "v1alpha1" | "v1") {
    this.#version = version;
    this.#server = new GrpcSocketServer(socket, (service, method, message) =>
      this.#answer(service, method, message),
    );
  }

  start(): Promise<void> {
    return this.#server.start();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  #answer(service: string, method: string, message: Buffer): GrpcAnswer {
    if (service !== `${this.#version}.ExternalJWTSigner`) {
      return { status: 12, message: `unknown service ${service}` };
    }
    this.calls.push(method);
    if (this.failure !== undefined) return { status: 14, message: this.failure };
    const writer = new WireWriter();
    if (method === "Metadata") writer.integer(1, this.maxExpirationSeconds);
    else if (method === "FetchKeys") this.#writeKeys(writer);
    else this.#writeSigned(writer, claimsIn(message));
    return { frame: writer.frame() };
  }

  #writeKeys(writer: WireWriter): void {
    writer.integer(3, this.refreshHintSeconds);
    const timestamp = writer.length;
    writer.integer(1, 1_700_000_000);
    writer.nested(2, timestamp);
    for (const { keyId, publicKey, isHidden } of [...this.keys].reverse()) {
      const key = writer.length;
      writer.boolean(3, isHidden);
      writer.bytes(2, publicKey.export({ type: "spki", format: "der" }));
      writer.string(1, keyId);
      writer.nested(1, key);
    }
  }

  #writeSigned(writer: WireWriter, claims: string): void {
    const [key] = this.keys;
    if (key === undefined) throw new Error("no key");
    const header = base64url({ alg: "ES256", kid: key.keyId, typ: "JWT", ...this.header });
    const signature = sign("sha256", Buffer.from(`${header}.${claims}`), {
      key: key.privateKey,
      dsaEncoding: "ieee-p1363",
    });
    writer.string(2, signature.toString("base64url"));
    writer.string(1, header);
  }
}

function claimsIn(message: Buffer): string {
  const reader = new WireReader(message);
  let claims = "";
  while (reader.next()) {
    if (reader.field === 1) claims = reader.string();
    else reader.skip();
  }
  return claims;
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
