import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { stemOf } from "../../naming/qualified-names.js";
import type { Cluster } from "../pods/cluster.js";
import { isFinished } from "../pods/pod-view.js";
import { askedLog, beginOfRun, logQueryOf } from "./asked-log.js";
import { type AskedContainer, type CommandAnswer, commandAnswer, writtenLines } from "./container-answers.js";
import { SpdyConnection } from "./spdy-connection.js";

/** Of WebSockets and of SPDY, without the domain, in which the client's profile may be another one; the best first. */
const webSocketProtocols = ["v5.channel", "v4.channel"];
const spdyProtocols = ["v4.channel"];
/** Channels of the WebSocket protocols. */
const [stdoutChannel, stderrChannel, errorChannel] = [1, 2, 3];

/** How a kubelet reports to a client that asks for logs why the container waits, by reason. Other reasons are reported as they are. */
const pullProblems = new Map([
  ["ErrImagePull", "image can't be pulled"],
  ["ImagePullBackOff", "trying and failing to pull image"],
]);

interface Asked extends AskedContainer {
  readonly kind: string;
  readonly key: string;
  readonly url: URL;
}

/** Answers for the agents of all simulated nodes, on the loopback interface: logs of containers, and commands in them. */
export class AgentServer {
  readonly #cluster: Cluster;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  /** Connections that have changed their protocol, which `Server` does not close. */
  readonly #upgraded = new Set<Duplex>();
  #port = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: 1024 * 1024,
      handleProtocols: (offered) => chosenOf([...offered], webSocketProtocols) ?? false,
    });
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head),
    );
  }

  get port(): number {
    return this.#port;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", resolve);
    });
    // It must not keep the process alive: it is part of the server.
    this.#server.unref();
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    for (const socket of this.#upgraded) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** `/containerLogs/NAMESPACE/POD/CONTAINER`, and the same with `exec` or `attach`. */
  #asked(request: IncomingMessage): Asked | undefined {
    const url = new URL(request.url ?? "/", "http://agent");
    const [, kind = "", namespace = "", name = "", container = ""] = url.pathname.split("/");
    const key = `${namespace}/${name}`;
    const pod = this.#cluster.views.pods.get(key)?.stored.decode();
    return pod && { kind, pod, key, container, url, rules: this.#cluster.rules };
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const asked = this.#asked(request);
    if (asked?.kind !== "containerLogs") {
      response.writeHead(404).end("the simulation has no such container");
      return;
    }
    const { pod, container, url } = asked;
    const {
      initContainerStatuses = [],
      containerStatuses = [],
      ephemeralContainerStatuses = [],
    } = pod.status;
    const statuses = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses];
    const status = statuses.find(({ name }) => name === container);
    const isPrevious = url.searchParams.get("previous") === "true";
    const waiting = status?.state.waiting?.reason ?? (status === undefined ? "ContainerCreating" : undefined);
    const name = pod.metadata.name ?? "";
    if (isPrevious && status?.lastState.terminated === undefined) {
      response.writeHead(400).end(`previous terminated container "${container}" in pod "${name}" not found`);
      return;
    }
    if (!isPrevious && waiting !== undefined && status?.lastState.terminated === undefined) {
      response
        .writeHead(400)
        .end(
          `container "${container}" in pod "${name}" is waiting to start: ${pullProblems.get(waiting) ?? waiting}`,
        );
      return;
    }
    const query = logQueryOf(url.searchParams, this.#cluster.now());
    const log = askedLog(writtenLines(asked), beginOfRun(status, isPrevious), query);
    response.writeHead(200, { "Content-Type": "text/plain" });
    response.write(log);
    const isFull = log.length >= query.limitBytes;
    if (url.searchParams.get("follow") === "true" && !isFull) this.#follow(asked, response);
    else response.end();
  }

  /** Sends new lines until the pod has ended or is gone. */
  #follow({ key }: Asked, response: ServerResponse): void {
    const leave = this.#cluster.views.pods.onChange((change) => {
      if (change.key !== key || (change.value !== undefined && !isFinished(change.value))) return;
      // `onChange` reports what already exists before it returns.
      setImmediate(() => response.end());
    });
    response.once("close", leave);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => undefined);
    this.#upgraded.add(socket);
    socket.once("close", () => this.#upgraded.delete(socket));
    const asked = this.#asked(request);
    if (asked === undefined || (asked.kind !== "exec" && asked.kind !== "attach")) {
      const text = "the simulation forwards no ports";
      socket.end(
        `HTTP/1.1 501 Not Implemented\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      );
      return;
    }
    const answer = this.#outcome(asked);
    if (request.headers.upgrade?.toLowerCase() === "websocket") {
      this.#sockets.handleUpgrade(request, socket, head, (client) => sendTo(client, answer));
      return;
    }
    const offered = [request.headers["x-stream-protocol-version"] ?? []].flat().join(",").split(/, */);
    const protocol = chosenOf(offered, spdyProtocols);
    if (protocol === undefined) {
      socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
    );
    serveSpdy(asked.url, socket, head, answer);
  }

  #outcome(asked: Asked): CommandAnswer {
    if (asked.kind === "exec") return commandAnswer(asked, asked.url.searchParams.getAll("command"));
    const stdout = writtenLines(asked).map((line) => `${line}\n`);
    return { stdout: stdout.join(""), stderr: "", exitCode: 0 };
  }
}

/** The protocol in the client's spelling. */
function chosenOf(offered: readonly string[], known: readonly string[]): string | undefined {
  for (const stem of known) {
    const found = offered.find((name) => stemOf(name) === stem);
    if (found !== undefined) return found;
  }
  return undefined;
}

function sendTo(client: WebSocket, { stdout, stderr, exitCode }: CommandAnswer): void {
  const send = (channel: number | undefined, text: string): void => {
    if (text !== "") client.send(Buffer.concat([Buffer.of(channel ?? 0), Buffer.from(text)]));
  };
  send(stdoutChannel, stdout);
  send(stderrChannel, stderr);
  send(errorChannel, JSON.stringify(statusOf(exitCode)));
  client.close(1000);
}

/** Answers once the client has opened all the streams that it asked for. */
function serveSpdy(url: URL, socket: Duplex, head: Buffer, answer: CommandAnswer): void {
  const streams = new Map<string, Duplex>();
  const flags = { input: "stdin", output: "stdout", error: "stderr" };
  const isTerminal = url.searchParams.get("tty") === "1";
  const wanted = [
    "error",
    ...Object.entries(flags).flatMap(([flag, type]) => (url.searchParams.get(flag) === "1" ? [type] : [])),
  ].filter((type) => !(isTerminal && type === "stderr"));
  const connection = new SpdyConnection(socket, head, ({ headers, duplex }) => {
    streams.set(headers.streamtype ?? "", duplex);
    duplex.resume();
    if (!wanted.every((type) => streams.has(type))) return;
    const stderr = streams.get("stderr") ?? streams.get("stdout");
    streams.get("stdout")?.write(answer.stdout);
    if (answer.stderr !== "") stderr?.write(answer.stderr);
    streams.get("error")?.end(JSON.stringify(statusOf(answer.exitCode)));
    streams.get("stdout")?.end();
    streams.get("stderr")?.end();
    connection.goAway();
  });
}

function statusOf(exitCode: number): object {
  if (exitCode === 0) return { metadata: {}, status: "Success" };
  return {
    metadata: {},
    status: "Failure",
    reason: "NonZeroExitCode",
    message: `command terminated with non-zero exit code: exit status ${exitCode}`,
    details: { causes: [{ reason: "ExitCode", message: String(exitCode) }] },
  };
}
