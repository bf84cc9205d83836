import type { Socket } from "node:net";
import type { TakesTurns } from "../../event-loop/turn-queue.js";
import { pauseReading, resumeReading } from "./pause-reading.js";

interface Handshake {
  readonly socket: Socket;
  timer: NodeJS.Timeout;
  /** Since when the server waits for the client: from the connection, or from the answer to its hello. */
  clientSinceMs: number;
}

/** A timer this late shows that the process was not running: the client had no chance, and gets the time again. */
const lateMs = 1_000;
/** How fast stalled handshakes are read. */
export interface ReadingPace {
  /** A client that takes longer for its next step has stalled. */
  readonly stalledMs: number;
  /** How many stalled handshakes are read at once. */
  readonly readAtOnce: number;
  /** How long one group is read before the next. */
  readonly readMs: number;
}

/** Closing a handshake takes 0.04 ms, switching to other handshakes 0.5 ms. */
const defaultPace: ReadingPace = { stalledMs: 200, readAtOnce: 200, readMs: 20 };

/**
 * TCP connections with unfinished TLS handshakes. Each is closed when its time is up, however many bytes arrived: the timeout of node:tls
 * restarts with every byte.
 *
 * Those that have stalled are read in groups, one after the other: when clients close thousands of them at the same moment, node:tls
 * would close all in one round of the event loop. A client that goes on waits until its group is read.
 */
export class Handshakes {
  readonly #timeoutMs: number;
  readonly #turns: TakesTurns;
  readonly #pace: ReadingPace;
  /** By the client's address and port, oldest first. */
  readonly #open = new Map<string, Handshake>();
  /** By `clientSinceMs`. */
  readonly #fresh = new Set<Handshake>();
  /** Handshakes that are being read, or were last, are at the end. */
  readonly #stalled = new Set<Handshake>();
  /** The group that is being read now. */
  #read = new Set<Handshake>();
  #rotation: NodeJS.Timeout | undefined;

  /** Work on thousands of connections waits for its turn in `turns`. */
  constructor(timeoutMs: number, turns: TakesTurns, pace = defaultPace) {
    this.#timeoutMs = timeoutMs;
    this.#turns = turns;
    this.#pace = pace;
  }

  get size(): number {
    return this.#open.size;
  }

  begin(socket: Socket): void {
    const key = keyOf(socket);
    const handshake = { socket, timer: this.#limit(key, socket), clientSinceMs: performance.now() };
    this.#open.set(key, handshake);
    this.#fresh.add(handshake);
    if (this.#open.size > this.#pace.readAtOnce && this.#rotation === undefined) {
      this.#rotation = setInterval(() => this.#rotate(), this.#pace.readMs).unref();
    }
    socket.once("close", () => {
      if (this.#open.get(key)?.socket === socket) this.#end(key);
    });
  }

  /** The client's hello is about to be answered. */
  answering(socket: Socket): void {
    const handshake = this.#open.get(keyOf(socket));
    if (handshake?.socket !== socket) return;
    if (this.#stalled.delete(handshake)) resumeReading(socket);
    handshake.clientSinceMs = performance.now();
    this.#fresh.delete(handshake);
    this.#fresh.add(handshake);
  }

  /** The TCP socket below a TLS socket, which has no public property for it. */
  below(secured: Socket): Socket | undefined {
    return this.#open.get(keyOf(secured))?.socket;
  }

  done(secured: Socket): void {
    const key = keyOf(secured);
    const handshake = this.#open.get(key);
    if (handshake !== undefined && this.#stalled.has(handshake)) resumeReading(handshake.socket);
    this.#end(key);
  }

  /** Closes the oldest handshake; false if there is none. */
  cutOldest(): boolean {
    for (const [key, { socket }] of this.#open) {
      this.#end(key);
      socket.destroy();
      return true;
    }
    return false;
  }

  async cutAll(): Promise<void> {
    while (this.cutOldest()) await this.#turns.take();
  }

  #limit(key: string, socket: Socket): NodeJS.Timeout {
    const due = performance.now() + this.#timeoutMs;
    const cut = async (): Promise<void> => {
      const handshake = this.#open.get(key);
      if (performance.now() - due >= lateMs && handshake?.socket === socket) {
        handshake.timer = this.#limit(key, socket);
        return;
      }
      await this.#turns.take();
      // It may have finished just now.
      if (this.#open.get(key)?.socket === socket) socket.destroy();
    };
    return setTimeout(() => void cut(), this.#timeoutMs);
  }

  #rotate(): void {
    const { stalledMs, readAtOnce } = this.#pace;
    const stalledSince = performance.now() - stalledMs;
    for (const handshake of this.#read) {
      if (!this.#stalled.delete(handshake)) continue;
      this.#stalled.add(handshake);
      pauseReading(handshake.socket);
    }
    for (const handshake of this.#fresh) {
      if (handshake.clientSinceMs > stalledSince) break;
      this.#fresh.delete(handshake);
      this.#stalled.add(handshake);
      pauseReading(handshake.socket);
    }
    this.#read = new Set(firstOf(this.#stalled, readAtOnce));
    for (const { socket } of this.#read) resumeReading(socket);
    if (this.#open.size > readAtOnce) return;
    clearInterval(this.#rotation);
    this.#rotation = undefined;
  }

  #end(key: string): void {
    const handshake = this.#open.get(key);
    if (handshake === undefined) return;
    clearTimeout(handshake.timer);
    this.#open.delete(key);
    this.#fresh.delete(handshake);
    this.#stalled.delete(handshake);
    this.#read.delete(handshake);
  }
}

function firstOf<T>(values: Iterable<T>, count: number): T[] {
  const first: T[] = [];
  for (const value of values) {
    if (first.length === count) break;
    first.push(value);
  }
  return first;
}

function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
