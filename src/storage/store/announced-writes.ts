import type { AnnouncedWrite, RemoteCaches } from "../kv.js";
import { toRevision } from "../kv.js";
import type { ObjectCodec } from "../object-store.js";
import { encodedObject } from "../stored-object.js";
import { restamped } from "./encoded-write.js";
import type { PendingWrite, WriteRegister } from "./own-writes.js";

/** Placeholder revision of an object that is announced before it is stored. */
const placeholder = toRevision(1);

/** Announces the writes of this thread to the caches of another one. */
export class AnnouncedWrites<T> implements WriteRegister<T> {
  readonly eventsComeFirst = true;
  readonly #caches: RemoteCaches;

  constructor(caches: RemoteCaches) {
    this.#caches = caches;
  }

  add(key: string, write: PendingWrite<T>): void {
    const { body, labels, fields } = write.stored(placeholder);
    this.#caches.announce({ key, body, labels, fields });
  }

  remove(): void {}
}

/** The pending write for a cache. `value` is what will be stored, below `prefix`. */
export function pendingWriteOf<T>(
  codec: ObjectCodec<T>,
  prefix: string,
  { key, body, labels, fields }: AnnouncedWrite,
  value: Uint8Array,
): PendingWrite<T> {
  const encoded = encodedObject(codec, {
    key: key.slice(prefix.length),
    revision: placeholder,
    body: Buffer.from(body.buffer, body.byteOffset, body.length),
    labels,
    fields,
  });
  return { value, revision: undefined, stored: restamped(codec, encoded) };
}
