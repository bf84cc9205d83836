import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { WireReader } from "../../src/storage/grpc/wire-reader.js";
import { WireWriter } from "../../src/storage/grpc/wire-writer.js";
import { readAnnotation, writeAnnotations } from "../../src/storage/transform/encrypted-object.js";
import { type GrpcAnswer, GrpcSocketServer } from "./grpc-socket-server.js";

export type KeyServiceV2Method = "Status" | "Encrypt" | "Decrypt";

/** A key management service of version 2, gRPC on a Unix socket, that a test controls through its fields. */
export interface FakeKeyServiceV2 {
  /** For the configuration file: `unix:///…`. */
  readonly endpoint: string;
  /** Requests, in order. Tests may clear it. */
  readonly calls: KeyServiceV2Method[];
  /** The key in use; what was encrypted with another one can be decrypted as well. */
  keyId: string;
  /** In the status. */
  version: string;
  healthz: string;
  /** The message with which `Encrypt` and `Decrypt` fail. */
  failure: string | undefined;
  start(): Promise<void>;
  /** Cuts all connections, as the death of the process would, and removes the socket. */
  stop(): Promise<void>;
}

const note = "version.encryption.example.org";

/** Not started yet. `protocol`: the package of its methods. */
export function createFakeKeyServiceV2(socket: string, protocol: "v2alpha1" | "v2" = "v2"): FakeKeyServiceV2 {
  const server = new GrpcSocketServer(socket, answer);
  const fake: FakeKeyServiceV2 = {
    endpoint: `unix://${socket}`,
    calls: [],
    keyId: "first",
    version: protocol,
    healthz: "ok",
    failure: undefined,
    start: () => server.start(),
    stop: () => server.stop(),
  };

  function answer(service: string, method: string, message: Buffer): GrpcAnswer {
    if (service !== `${protocol}.KeyManagementService`) {
      return { status: 12, message: `unknown service ${service}` };
    }
    fake.calls.push(method as KeyServiceV2Method);
    if (method !== "Status" && fake.failure !== undefined) return { status: 2, message: fake.failure };
    return { frame: answerTo(method, new WireReader(message)) };
  }

  function answerTo(method: string | undefined, request: WireReader): Buffer {
    const writer = new WireWriter();
    if (method === "Status") {
      writer.string(3, fake.keyId);
      writer.string(2, fake.healthz);
      writer.string(1, fake.version);
    } else if (method === "Encrypt") {
      const { bytes } = read(request);
      writeAnnotations(writer, 3, new Map([[note, Buffer.from(protocol)]]));
      writer.string(2, fake.keyId);
      writer.bytes(1, encrypted(bytes, fake.keyId));
    } else {
      const { bytes, keyId, annotations } = read(request);
      if (Buffer.from(annotations.get(note) ?? []).length === 0) throw new Error("the annotation is missing");
      writer.bytes(1, decrypted(bytes, keyId));
    }
    return writer.frame();
  }

  return fake;
}

/** Of both requests. */
function read(request: WireReader) {
  let bytes = Buffer.alloc(0);
  let uid = "";
  let keyId = "";
  const annotations = new Map<string, Uint8Array>();
  while (request.next()) {
    if (request.field === 1) bytes = Buffer.from(request.bytes());
    else if (request.field === 2) uid = request.string();
    else if (request.field === 3) keyId = request.string();
    else readAnnotation(request.message(), annotations);
  }
  if (uid === "") throw new Error("the uid is missing");
  return { bytes, keyId, annotations };
}

function keyOf(keyId: string): Buffer {
  return createHash("sha256").update(keyId).digest();
}

function encrypted(plain: Buffer, keyId: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyOf(keyId), nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypted(bytes: Buffer, keyId: string): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", keyOf(keyId), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
}
