import type { ManualClock } from "../../time/manual-clock.js";
import { type KeyValueStore, type Revision, toRevision } from "../kv.js";
import type { ListRequest, ListResult, ObjectStore, WatchHandle, WatchRequest } from "../object-store.js";
import { changeObject, removeObject } from "../store/change-object.js";
import { RecordedSink } from "./recorded-sink.js";
import { type TestObject, testObject } from "./test-object.js";

/** What an implementation of the object store provides for its contract suite. */
export interface ObjectSubject {
  readonly store: ObjectStore<TestObject>;
  readonly kv: KeyValueStore;
  /** Absolute prefix of the store's keys. */
  readonly prefix: string;
  readonly clock: ManualClock;
  /** Set if the key-value store is remote and runs on real time: how long it may take to answer. */
  readonly answersWithinMs?: number | undefined;
  /** Whether watchers of the same events get the same event objects. */
  readonly sharesEvents: boolean;
  readonly close: () => Promise<void>;
}

/** One test's store, with short names for what tests do often. */
export class ObjectGround {
  readonly subject: ObjectSubject;
  readonly store: ObjectStore<TestObject>;
  readonly #handles: WatchHandle[] = [];

  constructor(subject: ObjectSubject) {
    this.subject = subject;
    this.store = subject.store;
  }

  async close(): Promise<void> {
    for (const handle of this.#handles) handle.stop();
    await this.subject.close();
  }

  async create(key: string, value = "1", labels?: Record<string, string>): Promise<Revision> {
    return (await this.store.create(key, testObject(key, value, labels))).revision;
  }

  async set(key: string, value: string, labels?: Record<string, string>): Promise<Revision> {
    const stored = await changeObject(this.store, key, (current) => {
      const object = current?.decode() ?? testObject(key, value);
      object.value = value;
      if (labels !== undefined) object.metadata.labels = labels;
      return { object };
    });
    return stored.revision;
  }

  async delete(key: string): Promise<Revision> {
    return (await removeObject(this.store, key)).revision;
  }

  /** Moves the store's revision without touching the collection. */
  async elsewhere(): Promise<Revision> {
    const value = Buffer.from("x");
    const operation = { kind: "put", key: `/elsewhere${this.subject.prefix}x`, value } as const;
    const { revision } = await this.subject.kv.transact({ compare: [], success: [operation], failure: [] });
    return revision;
  }

  async advance(milliseconds: number): Promise<void> {
    await this.subject.clock.advance(milliseconds);
    const { answersWithinMs } = this.subject;
    if (answersWithinMs !== undefined) await new Promise((resolve) => setTimeout(resolve, answersWithinMs));
  }

  list(request: Partial<ListRequest> = {}): Promise<ListResult<TestObject>> {
    return this.store.list({ prefix: "", at: { kind: "mostRecent" }, limit: 0, ...request });
  }

  /** Every page of a list, each continued at the revision of the first. `between` runs between pages. */
  async pages(
    request: Partial<ListRequest> & { readonly limit: number },
    between?: () => Promise<unknown>,
  ): Promise<ListResult<TestObject>[]> {
    const pages: ListResult<TestObject>[] = [await this.list(request)];
    for (;;) {
      const last = pages[pages.length - 1];
      if (last?.continueAfter === undefined) return pages;
      await between?.();
      const at = { kind: "exact", revision: last.revision } as const;
      pages.push(await this.list({ ...request, at, after: last.continueAfter }));
    }
  }

  async watch(
    request: Partial<WatchRequest> = {},
    sink: RecordedSink = new RecordedSink(),
  ): Promise<RecordedSink & { readonly handle: WatchHandle }> {
    const start = { kind: "state", at: { kind: "mostRecent" } } as const;
    const handle = await this.store.watch({ prefix: "", start, bookmarks: false, ...request }, sink);
    this.#handles.push(handle);
    return Object.assign(sink, { handle });
  }

  watchAfter(revision: number, request: Partial<WatchRequest> = {}): ReturnType<ObjectGround["watch"]> {
    return this.watch({ ...request, start: { kind: "exact", revision: toRevision(revision) } });
  }
}

export function shownList({ items }: ListResult<TestObject>): string[] {
  return items.map((item) => {
    const { metadata, value } = item.decode();
    if (Number(metadata.resourceVersion) !== item.revision) throw new Error(`${item.key} has two versions`);
    return `${item.key}=${value}@${item.revision}`;
  });
}
