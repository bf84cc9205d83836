import { spawn } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createConnection } from "node:net";
import type { Duplex } from "node:stream";
import { SpdyConnection, type SpdyStream } from "../../src/simulation/agent/spdy-connection.js";

/** The upgraded connections of a node agent: runs commands and connects to ports, on this machine. */

/** Undefined when the agent does not support any of them. */
export function streamProtocolOf(request: IncomingMessage): string | undefined {
  // Node.js joins several headers of this name into one.
  const offered = String(request.headers["x-stream-protocol-version"] ?? "").split(/, */);
  return ["v4.channel.k8s.io", "portforward.k8s.io"].find((name) => offered.includes(name));
}

export function serveStreams(request: IncomingMessage, socket: Duplex, head: Buffer, protocol: string): void {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
  );
  const url = new URL(request.url ?? "/", "https://agent");
  const streams = protocol === "portforward.k8s.io" ? new ForwardedPorts() : new Command(url);
  const connection: SpdyConnection = new SpdyConnection(socket, head, (stream) =>
    streams.take(stream, () => connection.goAway()),
  );
}

/** One command with its streams. Attaching runs a command that greets and echoes its input. */
class Command {
  readonly #words: readonly string[];
  readonly #streams = new Map<string, Duplex>();
  readonly #wanted: readonly string[];

  constructor(url: URL) {
    const flags = { input: "stdin", output: "stdout", error: "stderr", tty: "resize" };
    this.#wanted = [
      "error",
      ...Object.entries(flags).flatMap(([flag, type]) => (url.searchParams.get(flag) === "1" ? [type] : [])),
    ];
    const isAttach = url.pathname.startsWith("/attach/");
    this.#words = isAttach ? ["sh", "-c", "echo attached; cat"] : url.searchParams.getAll("command");
  }

  take({ headers, duplex }: SpdyStream, done: () => void): void {
    this.#streams.set(headers.streamtype ?? "", duplex);
    if (this.#wanted.every((type) => this.#streams.has(type))) void this.#run().then(done);
  }

  async #run(): Promise<void> {
    const [program = "", ...args] = this.#words;
    const [stdin, stdout, stderr] = ["stdin", "stdout", "stderr"].map((type) => this.#streams.get(type));
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.on("error", () => {});
    if (stdin === undefined) child.stdin.end();
    else stdin.pipe(child.stdin);
    for (const [from, to] of [
      [child.stdout, stdout],
      [child.stderr, stderr],
    ] as const) {
      if (to === undefined) from.resume();
      else from.pipe(to);
    }
    const [code] = (await once(child, "close")) as [number];
    this.#streams.get("error")?.end(JSON.stringify(statusOf(code)));
    stdout?.end();
    stderr?.end();
  }
}

function statusOf(code: number): object {
  if (code === 0) return { metadata: {}, status: "Success" };
  return {
    metadata: {},
    status: "Failure",
    reason: "NonZeroExitCode",
    message: `command terminated with non-zero exit code: exit status ${code}`,
    details: { causes: [{ reason: "ExitCode", message: String(code) }] },
  };
}

/** Connections to ports: two streams each, one for data and one for errors. */
class ForwardedPorts {
  readonly #errors = new Map<string, Duplex>();

  take({ headers, duplex }: SpdyStream): void {
    const { streamtype = "", port = "", requestid = "" } = headers;
    if (streamtype === "error") {
      this.#errors.set(requestid, duplex);
      return;
    }
    const errors = this.#errors.get(requestid);
    const target = createConnection({ host: "127.0.0.1", port: Number(port) });
    target.on("error", (error) => errors?.write(`port ${port}: ${error.message}`));
    target.on("close", () => {
      errors?.end();
      duplex.end();
    });
    duplex.pipe(target);
    target.pipe(duplex);
  }
}
