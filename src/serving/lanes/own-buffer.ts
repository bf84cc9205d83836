/** For what is cloned on its way to another thread: a clone of a view copies the whole buffer that it lies in. */
export function inBufferOfItsOwn(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
}
