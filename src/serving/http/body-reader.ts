import type { Readable } from "node:stream";
import { GatheredBytes } from "../../apimachinery/collections/gathered-bytes.js";
import { BodyTooLargeError, ClientGoneError } from "./exchange.js";

/** How much of an unwanted body is read and discarded before the connection is cut. */
const discardBytesMax = 32 * 1024 * 1024;
const discardMs = 30_000;

/**
 * Collects a request body. `declaredBytes` is the Content-Length if the client sent one. A body of one piece is returned without a
 * copy.
 */
export function readAll(
  source: Readable,
  maxBytes: number,
  declaredBytes: number | undefined,
): Promise<Uint8Array> {
  if (declaredBytes !== undefined && declaredBytes > maxBytes) {
    return Promise.reject(new BodyTooLargeError(maxBytes));
  }
  return new Promise((resolve, reject) => {
    const body = new GatheredBytes();
    const onData = (piece: Buffer): void => {
      if (body.length + piece.length > maxBytes) {
        detach();
        reject(new BodyTooLargeError(maxBytes));
        return;
      }
      body.add(piece);
    };
    const onEnd = (): void => {
      detach();
      resolve(body.bytes());
    };
    const onGone = (): void => {
      detach();
      reject(new ClientGoneError());
    };
    const detach = (): void => {
      source.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
    };
    if (source.destroyed) return onGone();
    // node:http2 reads ahead: the end of an empty body may have been emitted before anybody listened.
    if (source.readableEnded) return resolve(body.bytes());
    source.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}

/** Lets the client finish sending, so that it reads the answer instead of a reset connection. */
export function discard(source: Readable): void {
  let bytes = 0;
  const timer = setTimeout(() => source.destroy(), discardMs);
  timer.unref();
  source.on("error", () => {});
  source.once("close", () => clearTimeout(timer));
  source.once("end", () => clearTimeout(timer));
  source.on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > discardBytesMax) source.destroy();
  });
}
