import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { KeyValue } from "../kv.js";
import type { StoredObject } from "../object-store.js";
import { UnreadableObject, UnreadableObjects } from "../unreadable-object.js";
import type { ObjectReader } from "./object-reader.js";

/** How many unreadable objects of a list are named. */
const unreadableMax = 100;

/** The unreadable objects of a list. */
export class UnreadableOfList {
  readonly #found: UnreadableObject[] = [];

  /** The object, or undefined when it cannot be read. Throws once there are too many of those. */
  unless<T>(reader: ObjectReader<T>, kv: KeyValue): MaybePromise<StoredObject<T> | undefined> {
    const read = readOrNot(reader, kv);
    return read instanceof Promise ? read.then((each) => this.#kept(each)) : this.#kept(read);
  }

  /** Throws if there are any. */
  check(): void {
    if (this.#found.length > 0) throw new UnreadableObjects(this.#found, false);
  }

  #kept<T>(read: StoredObject<T> | UnreadableObject): StoredObject<T> | undefined {
    if (!(read instanceof UnreadableObject)) return read;
    if (this.#found.length === unreadableMax) throw new UnreadableObjects(this.#found, true);
    this.#found.push(read);
    return undefined;
  }
}

/** Undefined for an object that cannot be read; rejects with any other error. */
export function readOrNot<T>(
  reader: ObjectReader<T>,
  kv: KeyValue,
): MaybePromise<StoredObject<T> | UnreadableObject> {
  const caught = (error: unknown): UnreadableObject => {
    if (error instanceof UnreadableObject) return error;
    throw error;
  };
  try {
    const read = reader.read(kv);
    return read instanceof Promise ? read.catch(caught) : read;
  } catch (error) {
    return caught(error);
  }
}
