import { Buffer } from "node:buffer";

/** Larger than nearly every object. */
const scratchBytes = 64 * 1024;
const scratch = Buffer.allocUnsafeSlow(scratchBytes);

/**
 * UTF-8 of `json` without its first character, in its own memory. (Node's pool has slabs of 8 KiB, of which objects of nearly 3 KB, which
 * are kept for long, would waste a third.)
 */
export function bodyBytes(json: string): Buffer {
  // A character takes up to three bytes.
  if (json.length > scratchBytes / 3) return Buffer.from(json).subarray(1);
  const end = scratch.write(json, "utf8");
  const body = Buffer.allocUnsafeSlow(end - 1);
  scratch.copy(body, 0, 1, end);
  return body;
}
