import { StorageError } from "../storage-error.js";

/** More than a request may have, for what the server adds. */
const bodyBytesMax = 4 * 1024 * 1024;

/**
 * Throws `TooLarge` for an object whose JSON is so long that each reader would wait for it. The limit on stored bytes does not prevent that: an
 * escaped character takes six bytes. An object that was already larger may shrink step by step.
 */
export function checkBodySize(body: Buffer, before?: Buffer): void {
  if (body.length <= bodyBytesMax || body.length <= (before?.length ?? 0)) return;
  throw new StorageError(
    "TooLarge",
    `the object has ${body.length} bytes as JSON, more than ${bodyBytesMax}`,
  );
}
