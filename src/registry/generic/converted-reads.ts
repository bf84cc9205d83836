import { parseJson } from "../../apimachinery/json/json-parse.js";
import type { ConversionScope } from "../../apimachinery/objects/conversion-scope.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { RemoteConversion, VersionDefinition } from "../../apis/definition/resource-definition.js";
import type { ObjectAttributes, StoredObject, WatchEvent } from "../../storage/object-store.js";
import { bodyBytes } from "./body-bytes.js";

/**
 * Stored objects and events as they are read in a version that another server converts to: a page or a group in one call. Each is
 * converted once and kept while it is; equal events stay the same object.
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
  async objects(
    stored: readonly StoredObject<T>[],
    scope: ConversionScope,
  ): Promise<readonly StoredObject<T>[]> {
    const missing = stored.filter((one) => this.#known(one) === undefined);
    if (missing.length > 0) {
      const hubs = missing.map((one) => one.decode());
      const objects = await this.#conversion.fromHubs(hubs, scope);
      for (const [index, one] of missing.entries()) {
        const object = objects[index];
        if (object !== undefined) this.#objects.set(one, this.#converted(one, object));
      }
    }
    return stored.map((one) => this.#known(one) ?? one);
  }

  async events(batch: readonly WatchEvent<T>[], scope: ConversionScope): Promise<readonly WatchEvent<T>[]> {
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
        // Its readers know the object by its version's codec alone.
        codec.fromJson(parseJson(`{${body.toString("utf8")}`), { dropsMalformed: true }) as T,
    );
  }
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
