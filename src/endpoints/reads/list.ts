import { isStatus, StatusError } from "../../apimachinery/errors/status.js";
import type { ApiObject, ListMeta } from "../../apimachinery/objects/meta.js";
import { runInTurn } from "../../event-loop/turns.js";
import type { ConvertedReads } from "../../registry/generic/converted-reads.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { ListResult, Selection, StoredObject } from "../../storage/object-store.js";
import type { ListResultOf } from "../resource/api-result.js";
import { sendInitialEventsOf } from "../resource/initial-events.js";
import { queryInteger, queryText } from "../resource/query-options.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";
import { encodeContinueToken, type TokenScope } from "./continue-token.js";
import {
  checkListOptions,
  type ListVersion,
  type ListVersionOptions,
  orOlder,
  readVersionOfList,
} from "./read-version.js";
import { readSelectors, type Selectors, selectionOf } from "./selection.js";
import { shardOf } from "./shard-selector.js";

/** What the query of a list asks for. */
export interface ListOptions extends ListVersionOptions {
  readonly selectors: Selectors;
}

/** GET of a collection, whole or in chunks. */
export async function listObjects<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  options: ListOptions,
): Promise<ListResultOf<T>> {
  const { registry, view, settings } = endpoint;
  const shard = shardOf(endpoint, request);
  const { matchesConverted, ...selection } = selectionOf(view, request.info, options.selectors, shard);
  const { namespaced } = registry.definition;
  const { namespace } = request.info;
  const scope: TokenScope = {
    metaGroup: settings.metaGroup,
    level: settings.level,
    prefix: namespaced && namespace !== "" ? `${namespace}/` : "",
  };
  const version = readVersionOfList(options, scope);
  const { signal } = request;
  request.step("About to List from storage");
  const result = await listAt(
    endpoint,
    { ...selection, ...(selection.matches && { signal }) },
    { ...version, at: orOlder(version.at, request.olderState) },
    scope,
  );
  request.step("Listing from storage done");
  const items =
    matchesConverted === undefined || view.reads === undefined
      ? result.items
      : await matchingItems(view.reads, result.items, matchesConverted, signal);
  const metadata: ListMeta = {
    resourceVersion: String(result.revision),
    ...(result.continueAfter !== undefined && {
      continue: encodeContinueToken({ revision: result.revision, after: result.continueAfter }, scope),
    }),
    ...(settings.remainingItemCount &&
      matchesConverted === undefined &&
      result.remaining !== undefined &&
      result.remaining > 0 && { remainingItemCount: result.remaining }),
    ...(shard !== undefined && { shardInfo: { selector: shard.text } }),
  };
  return { kind: "list", view, items, metadata };
}

/** The objects of a chunk that match after the webhook's conversion: there may be fewer than the limit. */
async function matchingItems<T extends ApiObject>(
  reads: ConvertedReads<T>,
  items: readonly StoredObject<T>[],
  matches: NonNullable<Selection["matches"]>,
  signal: AbortSignal,
): Promise<readonly StoredObject<T>[]> {
  const converted = await reads.objects(items, { signal, runWork: runInTurn });
  return items.filter((item, index) => matches(converted[index] ?? item));
}

/** Throws 400 for a malformed option, and 422 for options that do not go together. */
export function readListOptions<T extends ApiObject>(
  { settings, view }: ResourceEndpoint<T>,
  { query }: Pick<ApiRequest, "query">,
): ListOptions {
  queryInteger(query, "timeoutSeconds"); // must be valid, though only a watch uses it
  const limit = queryInteger(query, "limit") ?? 0;
  const chunking = settings.listChunking;
  const options = {
    selectors: readSelectors(view.definition, query),
    resourceVersion: queryText(query, "resourceVersion"),
    resourceVersionMatch: queryText(query, "resourceVersionMatch"),
    limit: chunking ? Math.max(0, limit) : 0,
    continue: chunking ? queryText(query, "continue") : "",
    sendInitialEvents: sendInitialEventsOf(query, settings.initialEvents),
  };
  checkListOptions(options, settings.metaGroup);
  return options;
}

/** Throws 400 for the selector of a shard or a field that the kind does not have, which `listObjects` would refuse. */
export function checkSelectors<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  { selectors }: ListOptions,
): void {
  selectionOf(endpoint.view, request.info, selectors, shardOf(endpoint, request));
}

async function listAt<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  selection: ReturnType<typeof selectionOf> & { readonly signal?: AbortSignal },
  version: ListVersion,
  scope: TokenScope,
): Promise<ListResult<T>> {
  try {
    return await endpoint.registry.list({ ...selection, ...version });
  } catch (error) {
    if (version.after !== undefined && isStatus(error, "Expired"))
      throw expiredContinue(error, version.after, scope);
    throw error;
  }
}

/** 410 with a token that continues at the newest state: the rest of the list, but not from the same snapshot. */
function expiredContinue(error: StatusError, after: string, scope: TokenScope): StatusError {
  return new StatusError({
    ...error.status,
    metadata: { continue: encodeContinueToken({ revision: undefined, after }, scope) },
    message:
      "The provided continue parameter is too old to display a consistent list result. You can start a new list without " +
      "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. " +
      "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted " +
      "between the time the first chunk was returned and now may show up in the list.",
  });
}
