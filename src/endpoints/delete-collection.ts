import type { ApiObject } from "../apimachinery/meta.js";
import { isStatus } from "../registry/generic/storage-status.js";
import type { StoredObject } from "../storage/object-store.js";
import type { ApiRequest } from "./api-request.js";
import type { ListResultOf } from "./api-result.js";
import { deleteNamed, warnOfOrphans } from "./delete.js";
import { listObjects } from "./list.js";
import type { ResourceEndpoint } from "./resource-endpoint.js";
import { deleteOptionsOf } from "./write-options.js";

/** DELETE of a collection: every object that the selectors match, by a few workers. Answers with the list of them. */
export async function deleteCollection<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
): Promise<ListResultOf<T>> {
  const { options, dryRun } = await deleteOptionsOf(request, endpoint.settings);
  warnOfOrphans(endpoint, request, options);
  const listed = await listObjects(endpoint, request);
  const queue = listed.items.values();
  const failures: unknown[] = [];

  const work = async (): Promise<void> => {
    for (const item of queue) {
      if (failures.length > 0) return;
      request.signal.throwIfAborted();
      try {
        await deleteNamed(endpoint, inNamespaceOf(request, item), nameOf(item), options, dryRun);
      } catch (error) {
        // Somebody else was faster; the object is as gone as it was to be.
        if (!isStatus(error, "NotFound")) failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: endpoint.settings.deleteCollectionWorkers }, work));
  if (failures.length > 0) throw failures[0];
  return listed;
}

function nameOf(item: StoredObject<unknown>): string {
  return item.key.slice(item.key.indexOf("/") + 1);
}

function inNamespaceOf(request: ApiRequest, item: StoredObject<unknown>): ApiRequest {
  const slash = item.key.indexOf("/");
  if (slash < 0) return request;
  const namespace = item.key.slice(0, slash);
  return {
    info: { ...request.info, namespace },
    query: request.query,
    user: request.user,
    userAgent: request.userAgent,
    now: request.now,
    signal: request.signal,
    contentType: request.contentType,
    readBytes: () => request.readBytes(),
    readBody: (options) => request.readBody(options),
    readYaml: (options) => request.readYaml(options),
    warn: (text) => request.warn(text),
  };
}
