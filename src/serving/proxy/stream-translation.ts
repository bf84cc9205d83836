import { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { internal, type Status, StatusError } from "../../apimachinery/errors/status.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonObject } from "../../apimachinery/json/json-value.js";
import type { ContainerStreamFlags } from "../../endpoints/connect/connect-result.js";
import { bytesOf } from "./client-web-socket.js";
import { SpdyClient } from "./spdy-client.js";

/** The first byte of a message says to which stream the rest belongs. */
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;
type Input = "stdin" | "resize";
type Output = "stdout" | "stderr" | "error";

/** How much may wait for a client before the agent is paused. */
const bufferedBytesMax = 512 * 1024;
/** Length of an agent's final status. */
const statusBytesMax = 64 * 1024;

/**
 * Connects a WebSocket client (`v5.channel`) with the streams of a container at a node agent that knows only SPDY. Resolves with the
 * outcome when both are over; `agent` is a connection that has switched to SPDY.
 */
export async function translateStreams(
  client: WebSocket,
  agent: Duplex,
  flags: ContainerStreamFlags,
): Promise<Status> {
  return await new StreamTranslation(client, agent, flags).done;
}

/** Sends a client the final status, in its own stream, and closes the connection. */
export function endWithStatus(client: WebSocket, status: Status): void {
  client.send(message("error", Buffer.from(JSON.stringify(status))), { binary: true });
  // Otherwise the close frame is never read.
  client.resume();
  client.close(1000);
}

/** The status for a client whose streams could not be opened. */
export function failureOf(error: unknown): Status {
  return error instanceof StatusError ? error.status : internal(messageOf(error), error).status;
}

class StreamTranslation {
  readonly done: Promise<Status>;
  readonly #client: WebSocket;
  readonly #spdy: SpdyClient;
  readonly #inputs = new Map<Input, number>();
  readonly #outputs = new Map<number, Output>();
  /** Outputs that the agent has not ended. */
  readonly #open = new Set<Output>();
  #status: Buffer = Buffer.alloc(0);
  #finish: (status: Status) => void = () => {};

  constructor(client: WebSocket, agent: Duplex, flags: ContainerStreamFlags) {
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#client = client;
    this.#spdy = new SpdyClient(agent, {
      data: (stream, bytes) => this.#output(stream, bytes),
      ended: (stream) => this.#ended(stream),
      closed: () => this.#settle(),
    });
    this.#openStreams(flags);
    client.on("message", (data) => this.#input(bytesOf(data)));
    client.once("close", () => this.#spdy.close());
    client.resume();
    if (client.readyState !== client.OPEN) this.#spdy.close();
    // Tells the client that its streams are open.
    const first = flags.stdout ? "stdout" : flags.stderr && !flags.tty ? "stderr" : "error";
    client.send(message(first, Buffer.alloc(0)), { binary: true });
  }

  /** Node agents expect the error stream first. */
  #openStreams({ stdin, stdout, stderr, tty }: ContainerStreamFlags): void {
    const output = (name: Output): void => {
      this.#outputs.set(this.#spdy.open({ streamtype: name }), name);
      this.#open.add(name);
    };
    const input = (name: Input): void => void this.#inputs.set(name, this.#spdy.open({ streamtype: name }));
    output("error");
    if (stdin) input("stdin");
    if (stdout) output("stdout");
    if (stderr && !tty) output("stderr");
    if (tty) input("resize");
  }

  #input(bytes: Buffer): void {
    const [channel, rest] = [bytes[0], bytes.subarray(1)];
    if (channel === channels.close) {
      if (rest[0] === channels.stdin) this.#close("stdin");
      return;
    }
    const name = channel === channels.stdin ? "stdin" : channel === channels.resize ? "resize" : undefined;
    const stream = name === undefined ? undefined : this.#inputs.get(name);
    if (stream === undefined || rest.length === 0) return;
    if (this.#spdy.send(stream, rest)) return;
    this.#client.pause();
    this.#spdy.drained(() => this.#client.resume());
  }

  #close(name: Input): void {
    const stream = this.#inputs.get(name);
    if (stream === undefined) return;
    this.#inputs.delete(name);
    this.#spdy.end(stream);
  }

  #output(stream: number, bytes: Buffer): void {
    const name = this.#outputs.get(stream);
    if (name === undefined) return;
    if (name === "error") {
      if (this.#status.length < statusBytesMax) this.#status = Buffer.concat([this.#status, bytes]);
      return;
    }
    const client = this.#client;
    client.send(message(name, bytes), { binary: true }, () => {
      if (client.bufferedAmount <= bufferedBytesMax) this.#spdy.resume();
    });
    if (client.bufferedAmount > bufferedBytesMax) this.#spdy.pause();
  }

  #ended(stream: number): void {
    const name = this.#outputs.get(stream);
    if (name === undefined) return;
    this.#open.delete(name);
    if (this.#open.size === 0) this.#settle();
  }

  #settle(): void {
    this.#finish(outcomeOf(this.#status.toString("utf8"), this.#open.has("error")));
  }
}

function message(channel: keyof typeof channels, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([channels[channel]]), bytes]);
}

/** The client's status for the agent's final status; an empty one is success. */
function outcomeOf(text: string, isCut: boolean): Status {
  if (text === "" && isCut) return internal("the connection to the node's agent was closed").status;
  const told = text === "" ? {} : statusOf(text);
  if (text === "" || told?.status === "Success") return { metadata: {}, status: "Success" };
  const code = told === undefined ? undefined : exitCodeOf(told);
  if (code !== undefined) {
    return {
      metadata: {},
      status: "Failure",
      message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: code }] },
    };
  }
  return internal(typeof told?.message === "string" ? told.message : text).status;
}

function statusOf(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Old agents send plain text.
    return undefined;
  }
}

function exitCodeOf({ reason, details }: JsonObject): string | undefined {
  if (reason !== "NonZeroExitCode" || !isJsonObject(details) || !Array.isArray(details.causes))
    return undefined;
  for (const cause of details.causes) {
    if (isJsonObject(cause) && cause.reason === "ExitCode" && typeof cause.message === "string") {
      return /^\d{1,5}$/.test(cause.message) ? cause.message : undefined;
    }
  }
  return undefined;
}
