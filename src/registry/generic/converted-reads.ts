import { parseJson } from "../../apimachinery/json/json-parse.js";
import type { ReadScope } from "../../apimachinery/objects/conversion-scope.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { RemoteConversion, VersionDefinition } from "../../apis/definition/resource-definition.js";
import type { ObjectAttributes, StoredObject, WatchEvent } from "../../storage/object-store.js";
import { bodyBytes } from "./body-bytes.js";

/** Objects are converted in groups of this many bytes, which take some milliseconds each to print, parse and decode. */
const groupBytesMax = 256 * 1024;

/**
 * Stored objects and events in a version that a webhook converts to, a group in one call. Each is converted once and kept as long as the
 * original; equal events stay the same object.
 */
export class ConvertedReads<T extends ApiObject> {
  readonly #version: VersionDefinition<T>;
  readonly #conversion: RemoteConversion<T>;
  readonly #objects = new WeakMap<StoredObject<T>, StoredObject<T>>();
  readonly #events = new WeakMap<WatchEvent<T>, WatchEvent<T>>();

  constructor(version: VersionDefinition<T>, conversion: RemoteConversion<T>) {
    this.#version = version;
    this.#conversion = conversion;
  }

  /** Their bodies and decoded objects have the form of the version. */
  async objects(stored: readonly StoredObject<T>[], scope: ReadScope): Promise<readonly StoredObject<T>[]> {
    const missing = stored.filter((one) => this.#known(one) === undefined);
    for (const group of groupsOf(missing)) await this.#convert(group, scope);
    return stored.map((one) => this.#known(one) ?? one);
  }

  async #convert({ objects }: Group<T>, scope: ReadScope): Promise<void> {
    const hubs: T[] = [];
    for (const stored of objects) {
      const decoded = scope.runWork(() => stored.decode());
      hubs.push(decoded instanceof Promise ? await decoded : decoded);
    }
    const converted = await this.#conversion.fromHubs(hubs, scope);
    for (const [index, stored] of objects.entries()) {
      const object = converted[index];
      if (object === undefined) continue;
      const form = scope.runWork(() => this.#converted(stored, object));
      this.#objects.set(stored, form instanceof Promise ? await form : form);
    }
  }

  async events(batch: readonly WatchEvent<T>[], scope: ReadScope): Promise<readonly WatchEvent<T>[]> {
    const stored = batch.flatMap((event) => (event.type === "BOOKMARK" ? [] : [event.object]));
    await this.objects(stored, scope);
    return batch.map((event) => this.#event(event));
  }

  #event(event: WatchEvent<T>): WatchEvent<T> {
    if (event.type === "BOOKMARK") return event;
    const object = this.#known(event.object);
    if (object === undefined || object === event.object) return event;
    const known = this.#events.get(event);
    if (known !== undefined) return known;
    const converted = { ...event, object };
    this.#events.set(event, converted);
    return converted;
  }

  #known(stored: StoredObject<T>): StoredObject<T> | undefined {
    return this.#conversion.sharesBody(stored) ? stored : this.#objects.get(stored);
  }

  #converted(stored: StoredObject<T>, object: ApiObject): StoredObject<T> {
    const { codec } = this.#version;
    return new ConvertedObject<T>(
      stored,
      bodyBytes(codec.toJson(object)),
      (body) =>
        // Its readers use only the codec of its version.
        codec.fromJson(parseJson(`{${body.toString("utf8")}`), { dropsMalformed: true }) as T,
    );
  }
}

interface Group<T> {
  readonly objects: StoredObject<T>[];
  bytes: number;
}

function groupsOf<T>(stored: readonly StoredObject<T>[]): readonly Group<T>[] {
  const groups: Group<T>[] = [];
  let group: Group<T> | undefined;
  for (const one of stored) {
    if (group === undefined || group.bytes + one.body.length > groupBytesMax) {
      group = { objects: [], bytes: 0 };
      groups.push(group);
    }
    group.objects.push(one);
    group.bytes += one.body.length;
  }
  return groups;
}

class ConvertedObject<T> implements StoredObject<T> {
  readonly key: string;
  readonly revision: StoredObject<T>["revision"];
  readonly labels: ObjectAttributes["labels"];
  readonly fields: ObjectAttributes["fields"];
  readonly body: Buffer;
  readonly #fromBody: (body: Buffer) => T;

  constructor(
    { key, revision, labels, fields }: StoredObject<T>,
    body: Buffer,
    fromBody: (body: Buffer) => T,
  ) {
    this.key = key;
    this.revision = revision;
    this.labels = labels;
    this.fields = fields;
    this.body = body;
    this.#fromBody = fromBody;
  }

  decode(): T {
    return this.#fromBody(this.body);
  }
}
