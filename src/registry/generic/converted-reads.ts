import { parseJson } from "../../apimachinery/json/json-parse.js";
import type { ReadScope } from "../../apimachinery/objects/conversion-scope.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { RemoteConversion, VersionDefinition } from "../../apis/definition/resource-definition.js";
import type { ObjectAttributes, Selection, StoredObject, WatchEvent } from "../../storage/object-store.js";
import type { BodyForms } from "../../storage/store/restamped-object.js";
import { bodyBytes } from "./body-bytes.js";
import { type ChangeEvent, ConvertedEvent } from "./converted-event.js";

/** Objects are converted in groups of this many bytes, which take some milliseconds each to print, parse and decode. */
const groupBytesMax = 256 * 1024;

/**
 * Stored objects and events in a version that a webhook converts to, in batches of one call each. Each is converted once and cached as
 * long as the original; equal events stay the same object.
 */
export class ConvertedReads<T extends ApiObject> {
  readonly #version: VersionDefinition<T>;
  readonly #conversion: RemoteConversion<T>;
  readonly #forms: BodyForms<T>;
  readonly #objects = new WeakMap<StoredObject<T>, StoredObject<T>>();
  /** Conversions in progress: watches that see an object at the same time share one call. */
  readonly #pending = new WeakMap<StoredObject<T>, Promise<Outcome>>();
  readonly #events = new WeakMap<WatchEvent<T>, WatchEvent<T>>();
  /** Like `#events`, for watchers whose selectors apply to converted objects. */
  readonly #changes = new WeakMap<WatchEvent<T>, ConvertedEvent<T>>();

  constructor(version: VersionDefinition<T>, conversion: RemoteConversion<T>) {
    this.#version = version;
    this.#conversion = conversion;
    this.#forms = {
      fromBody: (body) =>
        // Readers only use the version's codec, whatever the type says.
        version.codec.fromJson(parseJson(`{${body.toString("utf8")}`), { dropsMalformed: true }) as T,
      toBody: (object) => bodyBytes(version.codec.toJson(object)),
      setResourceVersion(object, resourceVersion) {
        object.metadata.resourceVersion = resourceVersion;
      },
    };
  }

  /** Whether selectors apply to converted objects, whose fields are in the attributes of what `objects` returns. */
  get selectsConverted(): boolean {
    return this.#conversion.selectableFields !== undefined;
  }

  /** The stored objects with bodies and decoded objects in the version. */
  async objects(stored: readonly StoredObject<T>[], scope: ReadScope): Promise<readonly StoredObject<T>[]> {
    const missing = stored.filter((one) => this.#known(one) === undefined);
    const elsewhere = new Set(missing.flatMap((one) => this.#pending.get(one) ?? []));
    if (elsewhere.size > 0) {
      for (const pending of elsewhere) await succeeded(pending);
      return await this.objects(stored, scope);
    }
    for (const group of groupsOf(missing)) await this.#convertShared(group, scope);
    return stored.map((one) => this.#known(one) ?? one);
  }

  async #convertShared(group: Group<T>, scope: ReadScope): Promise<void> {
    const pending = this.#convert(group, scope).then(
      () => undefined,
      (error: unknown) => ({ error, isAborted: scope.signal.aborted }),
    );
    for (const one of group.objects) this.#pending.set(one, pending);
    const outcome = await pending;
    for (const one of group.objects) this.#pending.delete(one);
    if (outcome !== undefined) throw outcome.error;
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

  /** Events as a watcher sees them; `matches`: its selector, if that applies to converted objects. */
  async events(
    batch: readonly WatchEvent<T>[],
    scope: ReadScope,
    matches?: Selection["matches"],
  ): Promise<readonly WatchEvent<T>[]> {
    const stored = batch.flatMap((event) => (event.type === "BOOKMARK" ? [] : objectsOf(event, matches)));
    await this.objects(stored, scope);
    return batch.flatMap((event) => this.#shown(event, matches) ?? []);
  }

  #shown(event: WatchEvent<T>, matches: Selection["matches"]): WatchEvent<T> | undefined {
    if (event.type === "BOOKMARK") return event;
    const object = this.#known(event.object);
    if (object === undefined || (object === event.object && matches === undefined)) return event;
    if (matches !== undefined) return this.#changeOf(event, object).shownTo({ matches });
    let converted = this.#events.get(event);
    if (converted === undefined) {
      converted = { ...event, object };
      this.#events.set(event, converted);
    }
    return converted;
  }

  #changeOf(event: ChangeEvent<T>, object: StoredObject<T>): ConvertedEvent<T> {
    let change = this.#changes.get(event);
    if (change === undefined) {
      const previous = event.previous && this.#known(event.previous);
      change = new ConvertedEvent({ ...event, object, previous }, this.#forms);
      this.#changes.set(event, change);
    }
    return change;
  }

  #known(stored: StoredObject<T>): StoredObject<T> | undefined {
    return this.#conversion.sharesBody(stored) ? stored : this.#objects.get(stored);
  }

  #converted(stored: StoredObject<T>, object: ApiObject): StoredObject<T> {
    const { key, revision, labels } = stored;
    const fields = { ...stored.fields, ...this.#conversion.selectableFields?.values(object) };
    const body = bodyBytes(this.#version.codec.toJson(object));
    return new ConvertedObject<T>({ key, revision, labels, fields }, body, this.#forms);
  }
}

/** Undefined for a success. */
type Outcome = { readonly error: unknown; readonly isAborted: boolean } | undefined;

/** Throws the error of the conversion, unless the request that started it was aborted: the caller then converts itself. */
async function succeeded(pending: Promise<Outcome>): Promise<void> {
  const outcome = await pending;
  if (outcome !== undefined && !outcome.isAborted) throw outcome.error;
}

interface Group<T> {
  readonly objects: StoredObject<T>[];
  bytes: number;
}

/** The objects to convert. A watcher with a selector also needs the previous object, to see what enters and leaves its selection. */
function objectsOf<T>(
  { object, previous }: ChangeEvent<T>,
  matches: Selection["matches"],
): readonly StoredObject<T>[] {
  return matches === undefined || previous === undefined ? [object] : [object, previous];
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
  readonly #forms: BodyForms<T>;

  constructor(
    { key, revision, labels, fields }: Omit<StoredObject<T>, "body" | "decode">,
    body: Buffer,
    forms: BodyForms<T>,
  ) {
    this.key = key;
    this.revision = revision;
    this.labels = labels;
    this.fields = fields;
    this.body = body;
    this.#forms = forms;
  }

  decode(): T {
    return this.#forms.fromBody(this.body);
  }
}
