import { WireReader } from "../../src/storage/grpc/wire-reader.js";
import { WireWriter } from "../../src/storage/grpc/wire-writer.js";
import { type GrpcAnswer, GrpcSocketServer } from "./grpc-socket-server.js";

export type KeyServiceMethod = "Version" | "Encrypt" | "Decrypt";

/** A key management service of v1beta1, gRPC on a Unix socket, that a test controls through its fields. */
export interface FakeKeyService {
  /** For the configuration file: `unix:///…`. */
  readonly endpoint: string;
  /** Requests, in order. Tests may clear it. */
  readonly calls: KeyServiceMethod[];
  /** The answer of `Version`. */
  version: string;
  /** The message with which `Encrypt` and `Decrypt` fail. */
  failure: string | undefined;
  /** Accepts calls and answers none. */
  silent: boolean;
  /** Resolves once the socket accepts connections. Also restarts after `stop`. */
  start(): Promise<void>;
  /** Cuts all connections, as the death of the process would, and removes the socket. */
  stop(): Promise<void>;
}

const payloadField = 2;
const answerField = 1;

/** Not started yet. */
export function createFakeKeyService(socket: string): FakeKeyService {
  const server = new GrpcSocketServer(socket, answer);
  const fake: FakeKeyService = {
    endpoint: `unix://${socket}`,
    calls: [],
    version: "v1beta1",
    failure: undefined,
    silent: false,
    start: () => server.start(),
    stop: () => server.stop(),
  };

  function answer(service: string, method: string, message: Buffer): GrpcAnswer | undefined {
    if (service !== "v1beta1.KeyManagementService" || !isMethod(method)) {
      return { status: 12, message: `unknown method ${service}/${method}` };
    }
    fake.calls.push(method);
    if (fake.silent) return undefined;
    const { version, payload } = readRequest(message);
    if (version !== "v1beta1") throw new Error(`asked in version ${JSON.stringify(version)}`);
    if (method !== "Version" && fake.failure !== undefined) return { status: 2, message: fake.failure };
    const writer = new WireWriter();
    if (method === "Version") writer.string(answerField, fake.version);
    else writer.bytes(answerField, turned(payload));
    return { frame: writer.frame() };
  }

  return fake;
}

/** "Encryption" and its inverse: inverts every bit. */
function turned(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ 255));
}

function isMethod(method: string): method is KeyServiceMethod {
  return method === "Version" || method === "Encrypt" || method === "Decrypt";
}

function readRequest(message: Buffer): { version: string; payload: Buffer } {
  const reader = new WireReader(message);
  let version = "";
  let payload = Buffer.alloc(0);
  while (reader.next()) {
    if (reader.field === payloadField) payload = Buffer.from(reader.bytes());
    else version = reader.string();
  }
  return { version, payload };
}
