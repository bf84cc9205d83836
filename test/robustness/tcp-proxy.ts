import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A connection's path through 127.0.0.1 that can be cut, paused and slowed down. */
export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #target: number;
  #delayMs = 0;
  #refusing = false;
  #held = false;

  static async start(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#join(client));
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy does not listen");
    return address.port;
  }

  /** Where new connections are forwarded to. */
  retarget(port: number): void {
    this.#target = port;
  }

  /** Ends every connection; new ones are accepted. */
  cut(): void {
    for (const [client, server] of this.#pairs) {
      client.destroy();
      server.destroy();
    }
  }

  /** Ends every connection, and new ones at once, until `heal`. */
  refuse(): void {
    this.#refusing = true;
    this.cut();
  }

  /** Passes nothing and ends nothing, like a network that drops packets, until `heal`. */
  hold(): void {
    this.#held = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** Delays every piece of data by this much, in order. */
  delay(milliseconds: number): void {
    this.#delayMs = milliseconds;
  }

  heal(): void {
    this.#refusing = false;
    this.#held = false;
    this.#delayMs = 0;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(client: Socket): void {
    client.on("error", () => client.destroy());
    if (this.#refusing) {
      client.destroy();
      return;
    }
    const server = connect({
      host: "127.0.0.1",
      port: this.#target,
      allowHalfOpen: true,
      noDelay: true,
    });
    server.on("error", () => server.destroy());
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    for (const socket of pair)
      socket.on("close", () => {
        this.#pairs.delete(pair);
        client.destroy();
        server.destroy();
      });
    this.#pipe(client, server);
    this.#pipe(server, client);
    if (this.#held) for (const socket of pair) socket.pause();
  }

  #pipe(from: Socket, to: Socket): void {
    // Each timer handles the oldest piece: the order stays when the delay shrinks or timers are rounded.
    const queue: (() => void)[] = [];
    const later = (work: () => void): void => {
      if (queue.length === 0 && this.#delayMs === 0) {
        work();
        return;
      }
      queue.push(work);
      setTimeout(() => queue.shift()?.(), this.#delayMs);
    };
    from.on("data", (bytes) =>
      later(() => {
        if (to.destroyed || to.write(bytes)) return;
        from.pause();
        to.once("drain", () => {
          if (!this.#held) from.resume();
        });
      }),
    );
    from.on("end", () => later(() => to.end()));
  }
}
