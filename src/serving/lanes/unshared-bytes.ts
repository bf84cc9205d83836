/** For bytes that are cloned to another thread: cloning a view would copy the whole buffer below it. */
export function unsharedBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
}
