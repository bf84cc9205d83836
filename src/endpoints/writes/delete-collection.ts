import { FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { invalidObject, isStatus } from "../../apimachinery/errors/status.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { Turns } from "../../event-loop/turns.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { StoredObject } from "../../storage/object-store.js";
import { checkSelectors, listObjects, readListOptions } from "../reads/list.js";
import type { ListResultOf } from "../resource/api-result.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";
import { deleteOptionsOf, writeOf } from "../resource/write-options.js";
import { deleteNamed, warnOfOrphans } from "./delete.js";

/** Each stage of the deletion of a larger object takes a turn of its own. */
const largeBytes = 64 * 1024;

/**
 * DELETE of a collection: deletes every object that the selectors match, with a few workers. Answers with their list.
 */
export async function deleteCollection<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
): Promise<ListResultOf<T>> {
  // As in Kubernetes, the options of the list are checked before those of the deletion.
  const listOptions = readListOptions(endpoint, request);
  checkSelectors(endpoint, request, listOptions);
  const { options, dryRun } = await deleteOptionsOf(request, endpoint.settings);
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential === true) refuseUnsafe(endpoint);
  warnOfOrphans(endpoint, request, options);
  const listed = await listObjects(endpoint, request, listOptions);
  const queue = listed.items.values();
  const failures: unknown[] = [];
  // Deletions that write nothing (dry runs, objects held by finalizers) never wait, so this loop yields.
  const turns = new Turns(request.user.name);

  const work = async (): Promise<void> => {
    for (const item of queue) {
      const pause = () => (item.body.length > largeBytes ? turns.next() : turns.step());
      await pause();
      if (failures.length > 0) return;
      request.signal.throwIfAborted();
      try {
        const { namespace, name } = locationOf(request, item);
        const write = writeOf(request, dryRun, namespace);
        const { name: askedName } = request.info;
        await deleteNamed(endpoint, write, { name, askedName, options, pause });
      } catch (error) {
        // Another client has already deleted the object.
        if (!isStatus(error, "NotFound")) failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: endpoint.settings.deleteCollectionWorkers }, work));
  if (failures.length > 0) throw failures[0];
  return listed;
}

function refuseUnsafe<T extends ApiObject>({ settings }: ResourceEndpoint<T>): never {
  const path = FieldPath.of("ignoreStoreReadErrorWithClusterBreakingPotential");
  const detail = "is not allowed with DELETECOLLECTION, try again after removing the option";
  throw invalidObject({ group: settings.metaGroup, kind: "DeleteOptions" }, "", [
    invalid(path, true, detail),
  ]);
}

/** A list over all namespaces has objects from several. */
function locationOf(
  request: ApiRequest,
  { key }: StoredObject<unknown>,
): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf("/");
  if (slash < 0) return { namespace: request.info.namespace, name: key };
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
