import { forbiddenError, type Status } from "../../apimachinery/errors/status.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import { requestedGrace } from "../../registry/generic/before-delete.js";
import type { DeleteOptions } from "../../registry/generic/delete-options.js";
import type { Deleted } from "../../registry/generic/object-deleter.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { WriteScope } from "../../request/write-scope.js";
import { admissionAttributes } from "../resource/admission-attributes.js";
import type { ApiResult } from "../resource/api-result.js";
import { checkRequestedName } from "../resource/requested-name.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";
import { deleteOptionsOf, writeOf } from "../resource/write-options.js";
import { deleteUnreadable } from "./delete-unreadable.js";

/** DELETE of one object: finalization, then removal. */
export async function deleteObject<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
): Promise<ApiResult> {
  const { view, settings } = endpoint;
  const { options, dryRun } = await deleteOptionsOf(request, settings);
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential === true)
    return await deleteUnreadable(endpoint, request);
  warnOfOrphans(endpoint, request, options);
  const { name } = request.info;
  checkRequestedName(name);
  const why = view.definition.strategy.undeletable?.(name);
  if (why !== undefined) throw forbiddenError(view.definition, name, why);
  const deleted = await deleteNamed(endpoint, writeOf(request, dryRun), { name, askedName: name, options });
  // As in Kubernetes, only the deprecated option `orphanDependents` makes the answer 202 while the object still exists.
  const code = !deleted.removed && options.orphanDependents === false ? 202 : 200;
  if (deleted.removed && !view.definition.returnsDeletedObject) {
    return { kind: "status", code, status: deletedStatus(endpoint, deleted) };
  }
  return { kind: "object", code, view, stored: deleted.stored } as ApiResult; // T is erased in the result
}

/** Deletes one object of the endpoint's resource, with admission. */
export async function deleteNamed<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  write: WriteScope,
  deletion: {
    readonly name: string;
    /** The name in the request: empty for a collection. */
    readonly askedName: string;
    readonly options: DeleteOptions;
    /** Awaited after the object is read, because reading may take long. */
    readonly pause?: () => Promise<void>;
  },
): Promise<Deleted<T>> {
  const { registry, admission, view } = endpoint;
  let told: DeleteOptions | undefined;
  return await registry.delete(write, deletion.name, deletion.options, async (oldObject) => {
    await deletion.pause?.();
    // An object that cannot be converted to the request's version cannot be deleted in it. For a collection, the list has already
    // converted it.
    const { conversion } = view.version;
    const isConverted = deletion.askedName !== "" && !conversion.hub && conversion.remote === true;
    if (isConverted) await view.fromHub(view.hubCodec.clone(oldObject), write);
    told ??= completedOptions(registry.definition.strategy, oldObject, deletion.options);
    const attributes = admissionAttributes(endpoint, write, {
      operation: "DELETE",
      name: deletion.askedName,
      object: undefined,
      oldObject,
      options: { kind: "DeleteOptions", value: told },
    });
    await admission.mutate(attributes);
    await admission.validate(attributes);
  });
}

/** The options that admission sees: as in Kubernetes, with the uid of the object to delete, or the grace period that its kind chooses. */
function completedOptions<T extends ApiObject>(
  { termination, gracefulDeletion }: Strategy<T>,
  object: T,
  options: DeleteOptions,
): DeleteOptions {
  const { uid, deletionTimestamp } = object.metadata;
  if (termination !== undefined) return { ...options, preconditions: { ...options.preconditions, uid } };
  const asked = requestedGrace(options);
  const isChosen = gracefulDeletion !== undefined && deletionTimestamp === undefined;
  const gracePeriodSeconds = isChosen ? gracefulDeletion(object, asked).gracePeriodSeconds : asked;
  return { ...options, gracePeriodSeconds };
}

/** Warns a client without a propagation policy that dependents stay. */
export function warnOfOrphans<T extends ApiObject>(
  { registry: { definition } }: ResourceEndpoint<T>,
  request: ApiRequest,
  { propagationPolicy, orphanDependents }: DeleteOptions,
): void {
  const { orphaningWarning, defaultPropagation } = definition.strategy;
  if (orphaningWarning === undefined || propagationPolicy !== undefined || orphanDependents !== undefined)
    return;
  if (defaultPropagation?.(request.info.apiVersion) === "orphan") request.warn(orphaningWarning);
}

function deletedStatus<T extends ApiObject>(endpoint: ResourceEndpoint<T>, deleted: Deleted<T>): Status {
  const { group, resource } = endpoint.view.definition;
  const { name, uid } = deleted.stored.decode().metadata;
  return {
    metadata: {},
    status: "Success",
    details: { name, ...(group !== "" && { group }), kind: resource, uid },
  };
}
