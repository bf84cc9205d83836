import { tooManyRequests } from "../../apimachinery/errors/status.js";
import type { HttpExchange } from "../http/exchange.js";

/** Smaller answers are not counted: the streams of a connection are few, and their buffers larger. */
export const countedBytesMin = 16 * 1024;
const totalBytesMax = 256 * 1024 * 1024;
const connectionBytesMax = 32 * 1024 * 1024;
const keptPart = 16;

/**
 * Limits the memory of answers that are made but not yet read: of all answers, and of those of one connection, which over HTTP/2 has many.
 */
export class AnswerBudget {
  readonly #totalMax: number;
  readonly #connectionMax: number;
  /** By the client's address and port. */
  readonly #connections = new Map<string, number>();
  /** What each answer holds, which may grow often. */
  readonly #held = new WeakMap<HttpExchange, number>();
  #total = 0;

  constructor(limits: { readonly total?: number; readonly connection?: number } = {}) {
    this.#totalMax = limits.total ?? totalBytesMax;
    this.#connectionMax = limits.connection ?? connectionBytesMax;
  }

  /**
   * Holds the bytes until the answer is read or the client is gone. False when there is no room; an answer alone on its connection always
   * has room.
   */
  tryHold(exchange: HttpExchange, bytes: number): boolean {
    if (bytes < countedBytesMin) return true;
    const held = this.#connections.get(connectionOf(exchange)) ?? 0;
    if (held > 0 && held + bytes > this.#connectionMax) return false;
    return this.tryGrow(exchange, bytes);
  }

  /** As `tryHold`, for an answer that has begun, regardless of what else its connection holds. */
  tryGrow(exchange: HttpExchange, bytes: number): boolean {
    if (this.#total + bytes > this.#totalMax) return false;
    const connection = connectionOf(exchange);
    this.#connections.set(connection, (this.#connections.get(connection) ?? 0) + bytes);
    this.#total += bytes;
    const held = this.#held.get(exchange);
    this.#held.set(exchange, (held ?? 0) + bytes);
    if (held === undefined) exchange.onFinished(() => this.#release(exchange));
    return true;
  }

  /** As `tryHold`, for what can be made again: an answer keeps only a small part of all room, so that it cannot block itself. */
  tryKeep(exchange: HttpExchange, bytes: number): boolean {
    const held = this.#held.get(exchange) ?? 0;
    return held + bytes <= this.#totalMax / keptPart && this.tryHold(exchange, bytes);
  }

  /** As `tryHold`. Throws 429 where there is no room. */
  hold(exchange: HttpExchange, bytes: number): void {
    if (!this.tryHold(exchange, bytes)) throw tooManyRequests("too many answers wait to be read", 1);
  }

  #release(exchange: HttpExchange): void {
    const bytes = this.#held.get(exchange) ?? 0;
    this.#held.delete(exchange);
    this.#total -= bytes;
    const connection = connectionOf(exchange);
    const held = (this.#connections.get(connection) ?? 0) - bytes;
    if (held > 0) this.#connections.set(connection, held);
    else this.#connections.delete(connection);
  }
}

function connectionOf({ connection: { remoteAddress, remotePort } }: HttpExchange): string {
  return `${remoteAddress} ${remotePort}`;
}
