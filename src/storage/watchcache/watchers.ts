import type { Clock } from "../../time/clock.js";
import type { Revision } from "../kv.js";
import type { WatchEvent, WatchRequest, WatchSink } from "../object-store.js";
import { nextBookmarkAt } from "../store/bookmark-timing.js";
import { BookmarkSchedule } from "./bookmark-schedule.js";
import type { CacheEvent } from "./cache-event.js";
import type { CacheObserver } from "./cache-observer.js";
import { CacheWatcher, type CacheWatcherOptions, type WatcherLag } from "./cache-watcher.js";
import type { FanOut } from "./fan-out.js";
import { WatcherGroup } from "./watcher-group.js";

export interface WatchersOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly fanOut: FanOut;
  readonly lagMax: WatcherLag;
  /** Everything up to this revision was passed to `append`. */
  readonly progress: () => Revision;
  readonly requestProgress: () => void;
  readonly observer: CacheObserver | undefined;
}

export interface JoinRequest<T> {
  readonly request: WatchRequest;
  readonly sink: WatchSink<T>;
  readonly after: Revision;
  readonly future?: boolean | undefined;
  readonly backlog?: Iterator<readonly WatchEvent<T>[]> | undefined;
}

/** The watchers of a collection, indexed by what they select. */
export class Watchers<T> {
  readonly #options: WatchersOptions;
  readonly #everything: WatcherGroup<T>;
  readonly #byNamespace = new Map<string, WatcherGroup<T>>();
  readonly #byKey = new Map<string, WatcherGroup<T>>();
  /** By field, then by its value. */
  readonly #byField = new Map<string, Map<string, WatcherGroup<T>>>();
  readonly #all = new Set<CacheWatcher<T>>();
  /** Watchers in `#all` that bypass the fan-out. */
  readonly #immediate = new Set<CacheWatcher<T>>();
  readonly #schedule: BookmarkSchedule<CacheWatcher<T>>;
  readonly #due = new Set<CacheWatcher<T>>();
  #bookmark: WatchEvent<T> | undefined;

  constructor(options: WatchersOptions) {
    this.#options = options;
    this.#everything = new WatcherGroup(options.fanOut);
    this.#schedule = new BookmarkSchedule(
      options.clock,
      (due) => {
        for (const watcher of due) this.#due.add(watcher);
        options.fanOut.add(this.#bookmarkTask);
      },
      options.requestProgress,
    );
  }

  get size(): number {
    return this.#all.size;
  }

  /** Adds a watcher that gets its backlog, then every event appended from now on. */
  join({ request, sink, after, future, backlog }: JoinRequest<T>): CacheWatcher<T> {
    const { fanOut, lagMax, observer } = this.#options;
    const { group, covered, release } = this.#groupOf(request);
    const options: CacheWatcherOptions<T> = {
      request,
      sink,
      group,
      fanOut,
      groupCovered: covered,
      after,
      future: future === true,
      lagMax,
      closed: () => {
        release();
        this.#all.delete(watcher);
        this.#immediate.delete(watcher);
        this.#schedule.delete(watcher);
        this.#due.delete(watcher);
        observer?.watchers?.(this.#all.size);
      },
      slow: () => observer?.slowWatcher?.(),
    };
    const watcher = new CacheWatcher(
      options,
      backlog === undefined || observer === undefined ? backlog : counted(backlog, observer),
    );
    this.#all.add(watcher);
    if (request.immediate === true) this.#immediate.add(watcher);
    observer?.watchers?.(this.#all.size);
    if (request.bookmarks) this.#scheduleNext(watcher);
    return watcher;
  }

  append(event: CacheEvent<T>): void {
    if (this.#all.size === 0) return;
    if (this.#everything.size > 0) this.#everything.append(event);
    if (this.#byNamespace.size > 0) {
      this.#byNamespace.get(event.key.slice(0, event.key.indexOf("/") + 1))?.append(event);
    }
    if (this.#byKey.size > 0) this.#byKey.get(event.key)?.append(event);
    for (const [field, groups] of this.#byField) {
      const value = event.current?.fields[field];
      const previousValue = event.previous?.fields[field];
      if (value !== undefined) groups.get(value)?.append(event);
      // An object that leaves one selection may enter another.
      if (previousValue !== undefined && previousValue !== value) groups.get(previousValue)?.append(event);
    }
  }

  /** Delivers appended events to the immediate watchers. One that is still sending its backlog gets them afterwards. */
  deliverImmediately(): void {
    for (const watcher of this.#immediate) watcher.deliver();
  }

  endAll(error: Error | undefined): void {
    for (const watcher of this.#all) watcher.end(error);
  }

  #groupOf({ key, prefix, fieldEquals }: WatchRequest): {
    readonly group: WatcherGroup<T>;
    readonly covered: boolean;
    readonly release: () => void;
  } {
    if (key !== undefined) return { ...this.#groupIn(this.#byKey, key), covered: key.startsWith(prefix) };
    if (fieldEquals !== undefined) {
      const { field, value } = fieldEquals;
      const groups = this.#byField.get(field) ?? new Map<string, WatcherGroup<T>>();
      this.#byField.set(field, groups);
      const { group, release } = this.#groupIn(groups, value);
      const releaseField = (): void => {
        release();
        if (groups.size === 0 && this.#byField.get(field) === groups) this.#byField.delete(field);
      };
      return { group, covered: prefix === "", release: releaseField };
    }
    const isNamespace = prefix !== "" && prefix.indexOf("/") === prefix.length - 1;
    if (isNamespace) return { ...this.#groupIn(this.#byNamespace, prefix), covered: true };
    return { group: this.#everything, covered: prefix === "", release: () => undefined };
  }

  #groupIn(
    groups: Map<string, WatcherGroup<T>>,
    name: string,
  ): { readonly group: WatcherGroup<T>; readonly release: () => void } {
    const group = groups.get(name) ?? new WatcherGroup<T>(this.#options.fanOut);
    groups.set(name, group);
    const release = (): void => {
      if (group.size === 0 && groups.get(name) === group) groups.delete(name);
    };
    return { group, release };
  }

  #scheduleNext(watcher: CacheWatcher<T>): void {
    const { clock, random } = this.#options;
    this.#schedule.set(watcher, nextBookmarkAt(clock.now(), watcher.request.deadline, random));
  }

  /** Bookmarks use the fan-out too: thousands of them must not block. */
  readonly #bookmarkTask = {
    run: (expired: () => boolean): boolean => {
      for (const watcher of this.#due) {
        this.#due.delete(watcher);
        if (watcher.bookmark(this.#currentBookmark())) {
          if (!watcher.stopped) this.#scheduleNext(watcher);
        } else {
          this.#schedule.set(watcher, this.#options.clock.now() + 1000);
        }
        if (expired()) return this.#due.size === 0;
      }
      return true;
    },
  };

  #currentBookmark(): WatchEvent<T> {
    const revision = this.#options.progress();
    if (this.#bookmark?.revision !== revision) {
      this.#bookmark = { type: "BOOKMARK", revision, initialEventsEnd: false };
    }
    return this.#bookmark;
  }
}

function* counted<T>(
  backlog: Iterator<readonly WatchEvent<T>[]>,
  observer: CacheObserver,
): Generator<readonly WatchEvent<T>[], void> {
  for (let portion = backlog.next(); portion.done !== true; portion = backlog.next()) {
    observer.initialEvents?.(portion.value.length);
    yield portion.value;
  }
}
