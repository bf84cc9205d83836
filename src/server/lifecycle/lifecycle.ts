import { setMaxListeners } from "node:events";
import { RequestsUnderWay } from "../../serving/filters/requests-under-way.js";

/** Requests that still run after this time are aborted. */
export const drainMs = 60_000;

/** The phase of a server between start and end, for health checks and filters. */
export class Lifecycle {
  readonly #draining = new AbortController();
  readonly #hooks = new Map<string, "pending" | "done">();
  readonly startedAt: number;
  readonly requests = new RequestsUnderWay();
  #port: number;
  #shuttingDown = false;

  /** `startedAt` in milliseconds since the epoch. */
  constructor(startedAt: number, port: number) {
    this.startedAt = startedAt;
    this.#port = port;
    setMaxListeners(0, this.#draining.signal); // every proxied request is one
  }

  /** The port it listens on; until it listens, the requested one, where 0 means any. */
  get port(): number {
    return this.#port;
  }

  listensAt(port: number): void {
    this.#port = port;
  }

  /** Aborts when requests are no longer accepted. */
  get draining(): AbortSignal {
    return this.#draining.signal;
  }

  /** Whether shutdown has begun: `/readyz` fails from then on. */
  get isShuttingDown(): boolean {
    return this.#shuttingDown;
  }

  beginShutdown(): void {
    this.#shuttingDown = true;
  }

  drain(): void {
    this.#draining.abort();
  }

  /** Registers a post-start hook before it runs, so that its health check exists. */
  declareHook(name: string): void {
    this.#hooks.set(name, "pending");
  }

  hookDone(name: string): void {
    this.#hooks.set(name, "done");
  }

  isHookDone(name: string): boolean {
    return this.#hooks.get(name) === "done";
  }

  hookNames(): readonly string[] {
    return [...this.#hooks.keys()];
  }
}
