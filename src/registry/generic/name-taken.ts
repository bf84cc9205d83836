import { alreadyExists, StatusError } from "../../apimachinery/errors/status.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import type { ObjectStore } from "../../storage/object-store.js";
import { StorageError } from "../../storage/storage-error.js";
import { keyOf } from "./resource-key.js";

/** The error of a create whose name is taken. As in Kubernetes, a name given with a `generateName` counts as generated. */
export async function nameTaken<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  store: ObjectStore<T>,
  { metadata }: T,
): Promise<StatusError> {
  const { name = "", generateName = "" } = metadata;
  let { status } = alreadyExists(definition, name);
  if (generateName !== "") {
    status = {
      ...status,
      message: `${status.message}, the server was not able to generate a unique name for the object`,
      details: { ...status.details, retryAfterSeconds: 1 },
    };
  }
  if (await isBeingDeleted(store, keyOf(definition, metadata))) {
    status = { ...status, message: `object is being deleted: ${status.message}` };
  }
  return new StatusError(status);
}

/** False if the object cannot be read, although its name is taken. */
async function isBeingDeleted<T extends ApiObject>(store: ObjectStore<T>, key: string): Promise<boolean> {
  try {
    const { object } = await store.begin(key, true);
    return object?.decode().metadata.deletionTimestamp !== undefined;
  } catch (error) {
    if (error instanceof StorageError) return false;
    throw error;
  }
}
