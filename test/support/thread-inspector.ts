import WebSocket from "ws";
import type { ServerProcess } from "./server-process.js";

/** Environment of a server that `ThreadInspector` can inspect. */
export const inspectable = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly sessionId: string;
    readonly workerInfo?: { readonly title: string };
  };
}

/** Runs code in a thread of a server, by the inspector of Node.js. */
export class ThreadInspector {
  readonly #socket: WebSocket;
  /** By the title of the thread; the newest thread if several share one. */
  readonly #sessions = new Map<string, string>();
  #nextId = 1;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (bytes) => this.#received(JSON.parse(String(bytes)) as Message)); // the protocol's
  }

  static async open(server: ServerProcess): Promise<ThreadInspector> {
    const url = /Debugger listening on (ws:\S+)/.exec(server.output())?.[1];
    if (url === undefined) throw new Error("the server was not started with `inspectable`");
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const inspector = new ThreadInspector(socket);
    inspector.#send("NodeWorker.enable", { waitForDebuggerOnStart: false });
    return inspector;
  }

  /** Whether there is such a thread. */
  knows(name: string): boolean {
    return this.#sessionOf(name) !== undefined;
  }

  /** Does not wait for it. */
  run(name: string, code: string): void {
    const sessionId = this.#sessionOf(name);
    if (sessionId === undefined) throw new Error(`no thread ${name} among ${[...this.#sessions.keys()]}`);
    const message = JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression: code } });
    this.#send("NodeWorker.sendMessageToWorker", { sessionId, message });
  }

  close(): void {
    this.#socket.close();
  }

  #sessionOf(name: string): string | undefined {
    for (const [title, session] of this.#sessions) if (title.endsWith(name)) return session;
    return undefined;
  }

  #send(method: string, params: object): void {
    this.#socket.send(JSON.stringify({ id: this.#nextId++, method, params }));
  }

  #received({ method, params }: Message): void {
    if (params === undefined) return;
    if (method === "NodeWorker.attachedToWorker") {
      this.#sessions.set(params.workerInfo?.title ?? "", params.sessionId);
    } else if (method === "NodeWorker.detachedFromWorker") {
      for (const [title, session] of this.#sessions) {
        if (session === params.sessionId) this.#sessions.delete(title);
      }
    }
  }
}
