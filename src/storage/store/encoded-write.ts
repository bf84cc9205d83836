import { type Revision, toRevision } from "../kv.js";
import type { ObjectCodec, StoredObject } from "../object-store.js";
import { createStoredObject } from "../stored-object.js";
import { RestampedObject } from "./restamped-object.js";
import { withoutVersion } from "./version-in-body.js";

/** The bytes that a write stores, and the object that all readers then share. */
export interface EncodedWrite<T> {
  /** Before encryption. */
  readonly bytes: Uint8Array;
  /** The object at the revision of the write, encoded once however often it is requested. */
  readonly stored: (revision: Revision) => StoredObject<T>;
}

/** Placeholder revision of an object that is printed before it is stored. */
const placeholder = toRevision(1);

/** Encodes a new object. */
export function encodeCreated<T>(codec: ObjectCodec<T>, key: string, object: T): EncodedWrite<T> {
  const encoded = createStoredObject(codec, key, object, placeholder);
  // The object may be too large, and be created again without its managers.
  codec.setResourceVersion(object, "");
  return encodeUpdated(codec, object, encoded);
}

/** Encodes a change; `encoded` is the changed object at the revision that it was read at. */
export function encodeUpdated<T>(
  codec: ObjectCodec<T>,
  object: T,
  encoded: StoredObject<T>,
): EncodedWrite<T> {
  const { storedWrapper } = codec;
  const bytes = storedWrapper && withoutVersion(encoded.body, encoded.revision, storedWrapper);
  const stored = restamped(codec, encoded);
  if (bytes !== undefined) return { bytes, stored };
  codec.setResourceVersion(object, "");
  return { bytes: codec.toStorage(object), stored };
}

/** The object with the revision of its write. */
export function restamped<T>(
  codec: ObjectCodec<T>,
  encoded: StoredObject<T>,
): (revision: Revision) => StoredObject<T> {
  let made: StoredObject<T> | undefined;
  return (revision) => {
    if (made?.revision !== revision) made = new RestampedObject(codec, encoded, revision);
    return made;
  };
}
