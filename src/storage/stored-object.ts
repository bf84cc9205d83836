import { stepsInTurns } from "../apimachinery/steps.js";
import { noRevision, type Revision } from "./kv.js";
import type { ObjectCodec, StoredObject, TakeTurn } from "./object-store.js";
import type { MaybePromise } from "./transform/value-transformer.js";

/**
 * Wraps an object that is about to be shared. Sets its resourceVersion (clears it for an undefined revision: an object that was never
 * stored), encodes its body once and keeps neither `object` nor a reference into it.
 */
export function createStoredObject<T>(
  codec: ObjectCodec<T>,
  key: string,
  object: T,
  revision: Revision | undefined,
): StoredObject<T> {
  setRevision(codec, object, revision);
  return wrapped(codec, key, object, revision, codec.toBody(object));
}

/** The same with turns for others, where `takeTurn` gives any and the codec has steps. */
export function encodeStoredObject<T>(
  codec: ObjectCodec<T>,
  key: string,
  object: T,
  revision: Revision | undefined,
  takeTurn: TakeTurn | undefined,
): MaybePromise<StoredObject<T>> {
  const turn = takeTurn?.();
  if (takeTurn === undefined || turn === undefined || codec.toBodySteps === undefined)
    return createStoredObject(codec, key, object, revision);
  setRevision(codec, object, revision);
  const steps = codec.toBodySteps(object);
  return turn
    .then(() => stepsInTurns(steps, takeTurn))
    .then((body) => wrapped(codec, key, object, revision, body));
}

/** More takes milliseconds to decode. */
const largeBytes = 32 * 1024;

/** As `stored.decode()`, with turns for others where the object is large and the codec has steps. */
export async function decodeInTurns<T>(
  codec: ObjectCodec<T>,
  stored: StoredObject<T>,
  takeTurn: TakeTurn,
): Promise<T> {
  if (codec.fromBodySteps === undefined || stored.body.length <= largeBytes) return stored.decode();
  return await stepsInTurns(codec.fromBodySteps(stored.body), takeTurn);
}

function setRevision<T>(codec: ObjectCodec<T>, object: T, revision: Revision | undefined): void {
  codec.setResourceVersion(object, revision === undefined ? "" : String(revision));
}

function wrapped<T>(
  codec: ObjectCodec<T>,
  key: string,
  object: T,
  revision: Revision | undefined,
  body: Buffer,
): StoredObject<T> {
  const { labels, fields } = codec.attributes(object);
  return new EncodedObject(codec, key, revision ?? noRevision, body, labels, fields);
}

/** An object whose parts are known, as another thread has encoded it. */
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
