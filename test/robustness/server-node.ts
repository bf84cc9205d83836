import { setTimeout as sleep } from "node:timers/promises";
import { type ServerProcess, type ServerProcessOptions, startServer } from "../support/server-process.js";
import { type Endpoint, openEndpoint } from "./recording-client.js";
import { TcpProxy } from "./tcp-proxy.js";

/** A built server that dies and comes back, behind a proxy with a fixed address. */
export class ServerNode {
  readonly endpoint: Endpoint;
  readonly proxy: TcpProxy;
  readonly #args: readonly string[];
  #process: ServerProcess;

  static async start(index: number, options: ServerProcessOptions): Promise<ServerNode> {
    const server = await startServer(options);
    const proxy = await TcpProxy.start(server.port);
    return new ServerNode(index, options.args ?? [], server, proxy);
  }

  private constructor(index: number, args: readonly string[], server: ServerProcess, proxy: TcpProxy) {
    this.#args = args;
    this.#process = server;
    this.proxy = proxy;
    this.endpoint = openEndpoint(index, server, `https://127.0.0.1:${proxy.port}`);
    process.once("exit", this.#killNow);
  }

  readonly #killNow = (): void => {
    void this.#process.stop("SIGKILL");
  };

  output(): string {
    return this.#process.output();
  }

  /** Like a crash: nothing is flushed or announced. */
  async kill(): Promise<void> {
    await this.#process.stop("SIGKILL");
  }

  async restart(): Promise<void> {
    const { dataDirectory } = this.#process;
    this.#process = await startServer({ dataDirectory, args: this.#args });
    this.proxy.retarget(this.#process.port);
  }

  async pause(milliseconds: number): Promise<void> {
    const { pid } = this.#process;
    process.kill(pid, "SIGSTOP");
    await sleep(milliseconds);
    process.kill(pid, "SIGCONT");
  }

  async close(): Promise<void> {
    process.removeListener("exit", this.#killNow);
    await this.endpoint.agent.destroy();
    await this.proxy.close();
    // Ends what a failed test leaves running.
    await this.#process.stop("SIGKILL");
    await this.#process.dispose();
  }
}
