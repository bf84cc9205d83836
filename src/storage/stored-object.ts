import { noRevision, type Revision } from "./kv.js";
import type { ObjectCodec, StoredObject } from "./object-store.js";

/**
 * Wraps an object that is about to be shared. Sets its resourceVersion (or clears it when `revision` is undefined, for an object that was
 * never stored), encodes its body once, and keeps no reference to `object`.
 */
export function createStoredObject<T>(
  codec: ObjectCodec<T>,
  key: string,
  object: T,
  revision: Revision | undefined,
): StoredObject<T> {
  codec.setResourceVersion(object, revision === undefined ? "" : String(revision));
  const body = codec.toBody(object);
  const { labels, fields } = codec.attributes(object);
  return new EncodedObject(codec, key, revision ?? noRevision, body, labels, fields);
}

/** An object whose parts are known because another thread has encoded it. */
export function encodedObject<T>(
  codec: ObjectCodec<T>,
  { key, revision, body, labels, fields }: Omit<StoredObject<T>, "decode">,
): StoredObject<T> {
  return new EncodedObject(codec, key, revision, body, labels, fields);
}

class EncodedObject<T> implements StoredObject<T> {
  readonly key: string;
  readonly revision: Revision;
  readonly body: Buffer;
  readonly labels: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  readonly #codec: ObjectCodec<T>;

  constructor(
    codec: ObjectCodec<T>,
    key: string,
    revision: Revision,
    body: Buffer,
    labels: Readonly<Record<string, string>>,
    fields: Readonly<Record<string, string>>,
  ) {
    this.#codec = codec;
    this.key = key;
    this.revision = revision;
    this.body = body;
    this.labels = labels;
    this.fields = fields;
  }

  decode(): T {
    return this.#codec.fromBody(this.body);
  }
}
