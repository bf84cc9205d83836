import { Buffer } from "node:buffer";

/** UTF-8 in its own memory, for short texts that are kept: a piece of Node's pool would keep all of its 8 KiB. */
export function unpooledBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
