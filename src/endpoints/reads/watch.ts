import type { ApiObject } from "../../apimachinery/objects/meta.js";
import {
  validateListOptions,
  validateWatchListOptions,
} from "../../apimachinery/validation/request-options.js";
import type { ApiRequest } from "../../request/api-request.js";
import { noRevision } from "../../storage/kv.js";
import type { WatchRequest } from "../../storage/object-store.js";
import type { WatchResult } from "../resource/api-result.js";
import { queryFlag, queryInteger, queryText } from "../resource/query-options.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";
import { listOptionsInvalid, parseResourceVersion } from "./read-version.js";
import { selectionOf } from "./selection.js";

/** GET with `watch=1` of a collection or of one object. */
export function watchObjects<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
): WatchResult<T> {
  const { registry, view, settings } = endpoint;
  const { query } = request;
  const selection = selectionOf(view, request);
  const resourceVersion = queryText(query, "resourceVersion");
  const sendInitialEvents =
    settings.watchList && query.has("sendInitialEvents") ? queryFlag(query, "sendInitialEvents") : undefined;
  const options = {
    watch: true,
    resourceVersion,
    resourceVersionMatch: queryText(query, "resourceVersionMatch"),
    continue: queryText(query, "continue"),
    sendInitialEvents,
  };
  const errors = settings.watchList ? validateWatchListOptions(options) : validateListOptions(options);
  if (errors.length > 0) throw listOptionsInvalid(errors, settings.metaGroup);

  queryInteger(query, "limit"); // must be one, though a watch does not go by it
  const timeoutMs = watchTimeoutMs(queryInteger(query, "timeoutSeconds"), settings);
  const bookmarks = settings.allowBookmarks && queryFlag(query, "allowWatchBookmarks");
  const watch: WatchRequest = {
    ...selection,
    start: startOf(resourceVersion, sendInitialEvents),
    bookmarks,
    bookmarkAfterState: bookmarks && sendInitialEvents === true,
    deadline: request.receivedAt.getTime() + timeoutMs,
  };
  return { kind: "watch", view, timeoutMs, start: (sink) => registry.watch(watch, sink) };
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
  if (revision === noRevision) return { kind: "state", at: { kind: "any" } };
  return { kind: "exact", revision };
}

/**
 * The client's time-out; a negative one ends the watch at once. Without one, between one and two times the minimum, so that watches do
 * not all end together.
 */
function watchTimeoutMs(
  requestedSeconds: number | undefined,
  settings: { readonly minRequestTimeoutSeconds: number; readonly random: () => number },
): number {
  if (requestedSeconds !== undefined && requestedSeconds !== 0) return Math.max(0, requestedSeconds * 1000);
  return settings.minRequestTimeoutSeconds * 1000 * (1 + settings.random());
}
