import { nextTurn } from "../../event-loop/turns.js";
import type { HttpExchange, ResponseHeaders, ResponseStream } from "../http/exchange.js";
import type { AnswerBudget } from "./answer-budget.js";
import { type GroupBuffers, groupBytes } from "./group-buffers.js";
import { acceptsGzip, gzipThresholdBytes, startGzipStream } from "./gzip.js";

/** `head`, then the items with `separator` between them, then `tail`. */
export interface ListBody<T> {
  readonly head: Uint8Array;
  readonly items: readonly T[];
  readonly bytesOf: (item: T) => Uint8Array;
  readonly separator: Uint8Array;
  readonly tail: Uint8Array;
}

export interface ListAnswer<T> {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: ListBody<T>;
  /** The gate APIResponseCompression. */
  readonly compress: boolean;
  readonly buffers: GroupBuffers;
  /** Reserves room for a group under way; when there is none, groups are small. */
  readonly answers?: AnswerBudget | undefined;
  /** The user, whose lists take turns with those of others. */
  readonly flow?: string | undefined;
}

/** The first write is small, so that the client has something to do while the rest is copied. All writes are when room is short. */
const firstGroupBytes = 32 * 1024;

/**
 * Answers with a list of bytes that exist already. Up to 128 KiB are one write; more are copied in groups as the client reads them, taking
 * turns with other long work. Resolves when everything was handed over or the client is gone.
 */
export async function sendList<T>(exchange: HttpExchange, answer: ListAnswer<T>): Promise<void> {
  const { body, status, headers } = answer;
  const totalBytes = lengthOf(body);
  if (totalBytes <= gzipThresholdBytes) {
    const whole = Buffer.allocUnsafe(totalBytes);
    new GroupCopier(body).fill(whole);
    exchange.respond(status, headers, whole);
    return;
  }
  const compressed = answer.compress && acceptsGzip(exchange.headers["accept-encoding"]);
  const stream = compressed
    ? startGzipStream(exchange, status, headers)
    : exchange.startStream(status, { ...headers, "Content-Length": totalBytes });
  const { answers } = answer;
  const hasRoom = answers === undefined || answers.tryHold(exchange, Math.min(totalBytes, groupBytes));
  await copyInGroups(stream, totalBytes, answer, hasRoom);
}

async function copyInGroups<T>(
  stream: ResponseStream,
  totalBytes: number,
  { body, buffers, flow }: ListAnswer<T>,
  hasRoom: boolean,
): Promise<void> {
  const copier = new GroupCopier(body);
  let sizeMax = firstGroupBytes;
  for (let remaining = totalBytes; remaining > 0 && !stream.closed; ) {
    const buffer = hasRoom ? buffers.take() : Buffer.allocUnsafeSlow(firstGroupBytes);
    const group = buffer.subarray(0, Math.min(sizeMax, remaining));
    copier.fill(group);
    remaining -= group.length;
    sizeMax = buffer.length;
    if (!stream.write(group, hasRoom ? () => buffers.giveBack(buffer) : undefined)) await stream.drained();
    if (remaining > 0) await nextTurn(undefined, flow);
  }
  stream.end();
}

function lengthOf<T>(body: ListBody<T>): number {
  const { items, bytesOf } = body;
  let bytes = body.head.length + body.tail.length + Math.max(0, items.length - 1) * body.separator.length;
  for (const item of items) bytes += bytesOf(item).length;
  return bytes;
}

/** Copies the body piece by piece, continuing where the last call stopped. */
class GroupCopier<T> {
  readonly #body: ListBody<T>;
  #current: Uint8Array;
  #offset = 0;
  /** The next piece: item `#index`, after its separator when `#separated`. */
  #index = 0;
  #separated = true;
  #tailDone = false;

  constructor(body: ListBody<T>) {
    this.#body = body;
    this.#current = body.head;
  }

  /** Fills all of `target`; at least that much must be left. */
  fill(target: Buffer): void {
    let at = 0;
    while (at < target.length) {
      const left = this.#current.length - this.#offset;
      const room = target.length - at;
      if (left <= room) {
        target.set(this.#offset === 0 ? this.#current : this.#current.subarray(this.#offset), at);
        at += left;
        this.#next();
      } else {
        target.set(this.#current.subarray(this.#offset, this.#offset + room), at);
        this.#offset += room;
        at += room;
      }
    }
  }

  #next(): void {
    const { items, separator, bytesOf, tail } = this.#body;
    this.#offset = 0;
    const item = items[this.#index];
    if (item === undefined) {
      this.#current = this.#tailDone ? empty : tail;
      this.#tailDone = true;
    } else if (this.#separated) {
      this.#current = bytesOf(item);
      this.#index++;
      this.#separated = false;
    } else {
      this.#current = separator;
      this.#separated = true;
    }
  }
}

const empty = new Uint8Array(0);
