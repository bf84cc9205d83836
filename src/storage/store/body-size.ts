import { StorageError } from "../storage-error.js";

/** More than a request may have, for what the server adds. */
const bodyBytesMax = 4 * 1024 * 1024;

/**
 * Throws `TooLarge` for an object whose JSON everyone who reads it would have to wait for. The limit of stored bytes is not enough: escapes
 * make one character of them six. An object that was larger may shrink, in steps too.
 */
export function checkBodySize(body: Buffer, before?: Buffer): void {
  if (body.length <= bodyBytesMax || body.length <= (before?.length ?? 0)) return;
  throw new StorageError(
    "TooLarge",
    `the object has ${body.length} bytes as JSON, more than ${bodyBytesMax}`,
  );
}
