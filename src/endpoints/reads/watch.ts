import type { FieldError } from "../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import {
  validateListOptions,
  validateWatchListOptions,
} from "../../apimachinery/validation/request-options.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import { noRevision } from "../../storage/kv.js";
import type { WatchRequest } from "../../storage/object-store.js";
import type { WatchResult } from "../resource/api-result.js";
import { type InitialEvents, sendInitialEventsOf } from "../resource/initial-events.js";
import { queryFlag, queryInteger, queryText } from "../resource/query-options.js";
import type { ResourceEndpoint, ShardObserver } from "../resource/resource-endpoint.js";
import { listOptionsInvalid, orOlder, parseResourceVersion } from "./read-version.js";
import { readSelectors, type Selectors, selectionOf } from "./selection.js";
import { shardOf } from "./shard-selector.js";

/** What the query of a watch asks for. */
export interface WatchOptions extends WatchStartOptions {
  readonly selectors: Selectors;
  readonly timeoutSeconds: number | undefined;
}

/** Throws 400 for a malformed option, and 422 for options that do not go together. */
export function readWatchOptions<T extends ApiObject>(
  { view, settings }: ResourceEndpoint<T>,
  { query }: Pick<ApiRequest, "query">,
): WatchOptions {
  const timeoutSeconds = queryInteger(query, "timeoutSeconds");
  queryInteger(query, "limit"); // must be one, though a watch does not go by it
  const selectors = readSelectors(view.definition, query);
  const options = startOptionsOf(settings.initialEvents, query);
  const errors = errorsIn(settings.initialEvents, options);
  if (errors.length > 0) throw listOptionsInvalid(errors, settings.metaGroup);
  return { ...options, selectors, timeoutSeconds };
}

/** GET with `watch=1` of a collection or of one object. */
export function watchObjects<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  { selectors, resourceVersion, sendInitialEvents, timeoutSeconds }: WatchOptions,
): WatchResult<T> {
  const { registry, view, settings } = endpoint;
  const { query } = request;
  const shard = shardOf(endpoint, request);
  const { matchesConverted, ...selected } = selectionOf(view, request.info, selectors, shard);
  const timeoutMs = watchTimeoutMs(timeoutSeconds, settings);
  const bookmarks = settings.allowBookmarks && queryFlag(query, "allowWatchBookmarks");
  const watch: WatchRequest = {
    ...selected,
    start: olderStart(startOf(resourceVersion, sendInitialEvents), request.olderState),
    bookmarks,
    bookmarkAfterState: bookmarks && sendInitialEvents === true,
    deadline: Date.now() + timeoutMs,
  };
  const start: WatchResult<T>["start"] = (sink) => registry.watch(watch, sink);
  const shards = shard === undefined ? undefined : settings.shards;
  return {
    kind: "watch",
    view,
    timeoutMs,
    ...(matchesConverted && { matchesConverted }),
    start: shards === undefined ? start : counted(endpoint, shards, start),
  };
}

/** Since 1.32, a watch that sends the current state and then a bookmark cannot be a table. */
export function hasWatchTable({ settings }: ResourceEndpoint, { query }: ApiRequest): boolean {
  const { initialEvents, level } = settings;
  if (!isAtLeast(level, "1.32") || initialEvents === "forbidden" || initialEvents === "unknown") return true;
  return (
    !queryFlag(query, "allowWatchBookmarks") ||
    startOptionsOf(initialEvents, query).sendInitialEvents !== true
  );
}

/** Counts the watch as one of a shard until it is stopped. */
function counted<T extends ApiObject>(
  { view: { definition } }: ResourceEndpoint<T>,
  shards: ShardObserver,
  start: WatchResult<T>["start"],
): WatchResult<T>["start"] {
  return async (sink) => {
    const handle = await start(sink);
    let ended: (() => void) | undefined = shards.watched(definition);
    return {
      stop() {
        ended?.();
        ended = undefined;
        handle.stop();
      },
    };
  };
}

interface WatchStartOptions {
  /** The deprecated paths of watches need no `watch` parameter, but without it Kubernetes validates the other options as a list's. */
  readonly watch: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly continue: string;
  readonly sendInitialEvents: boolean | undefined;
}

function startOptionsOf(initialEvents: InitialEvents, query: QueryParameters): WatchStartOptions {
  return withImpliedEvents(initialEvents, {
    watch: queryFlag(query, "watch"),
    resourceVersion: queryText(query, "resourceVersion"),
    resourceVersionMatch: queryText(query, "resourceVersionMatch"),
    continue: queryText(query, "continue"),
    sendInitialEvents: sendInitialEventsOf(query, initialEvents),
  });
}

/** A watch from the current state begins with its events in any case. With `implied`, a bookmark marks their end. */
function withImpliedEvents(initialEvents: InitialEvents, options: WatchStartOptions): WatchStartOptions {
  const { watch, resourceVersion, resourceVersionMatch, sendInitialEvents } = options;
  if (initialEvents !== "implied" || !watch) return options;
  if (sendInitialEvents !== undefined || resourceVersionMatch !== "") return options;
  if (resourceVersion !== "" && resourceVersion !== "0") return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
}

function errorsIn(initialEvents: InitialEvents, options: WatchStartOptions): readonly FieldError[] {
  return initialEvents === "unknown" || !options.watch
    ? validateListOptions(options)
    : validateWatchListOptions(options, { allowed: initialEvents !== "forbidden" });
}

/** The table for watch in Kubernetes' API Concepts. */
function startOf(resourceVersion: string, sendInitialEvents: boolean | undefined): WatchRequest["start"] {
  if (resourceVersion === "") {
    if (sendInitialEvents === false) return { kind: "exact", revision: noRevision };
    return { kind: "state", at: { kind: "mostRecent" } };
  }
  const revision = parseResourceVersion(resourceVersion);
  if (sendInitialEvents === true) {
    return {
      kind: "state",
      at: revision === noRevision ? { kind: "any" } : { kind: "notOlderThan", revision },
    };
  }
  if (revision === noRevision && sendInitialEvents !== false) return { kind: "state", at: { kind: "any" } };
  return { kind: "exact", revision };
}

/** The start of a watch that begins with a state; `older` replaces it by an earlier one. */
function olderStart(start: WatchRequest["start"], older: number | undefined): WatchRequest["start"] {
  return start.kind === "state" ? { kind: "state", at: orOlder(start.at, older) } : start;
}

/**
 * The client's time limit; a negative one ends the watch at once. Without one, between one and two times the minimum, so that watches do
 * not all end together.
 */
function watchTimeoutMs(
  requestedSeconds: number | undefined,
  settings: { readonly minRequestTimeoutSeconds: number; readonly random: () => number },
): number {
  if (requestedSeconds !== undefined && requestedSeconds !== 0) return Math.max(0, requestedSeconds * 1000);
  return settings.minRequestTimeoutSeconds * 1000 * (1 + settings.random());
}
