/** Bytes to clone to another thread: cloning a view would copy its whole underlying buffer. */
export function unsharedBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
}
