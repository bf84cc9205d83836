import {
  alreadyExists,
  conflict,
  expired,
  internal,
  notFound,
  qualifiedResource,
  requestTooLarge,
  type StatusError,
  serviceUnavailable,
  storageReadError,
  tooLargeResourceVersion,
} from "../../apimachinery/errors/status.js";
import { unreachable } from "../../apimachinery/errors/unreachable.js";
import { StorageError } from "../../storage/storage-error.js";
import { UnreadableDeletion, UnreadableObjects } from "../../storage/unreadable-object.js";

interface Subject {
  readonly group: string;
  readonly resource: string;
}

/** Translates a storage error into a `StatusError`. Returns any other error unchanged. */
export function statusOfStorageError(error: unknown, of: Subject, name: string): unknown {
  if (!(error instanceof StorageError)) return error;
  switch (error.code) {
    case "KeyNotFound":
      return notFound(of, name);
    case "KeyExists":
      return alreadyExists(of, name);
    case "RevisionConflict":
    case "PreconditionFailed":
      return conflict(of, name, error.message);
    case "Compacted":
      return expired(error.message);
    case "FutureRevision":
      return tooLargeResourceVersion(error.revision ?? 0, error.newest ?? 0);
    case "TooLarge":
      return requestTooLarge(error.message);
    case "NoSpace":
    case "Unavailable":
      return serviceUnavailable(error.message);
    case "EncryptionFailed":
      return internal(error.message, error);
    case "Corrupt":
      return unreadable(error, of);
    default:
      return unreachable(error.code);
  }
}

function unreadable(error: StorageError, of: Subject): StatusError {
  if (error instanceof UnreadableDeletion) return storageReadError(error.message);
  if (!(error instanceof UnreadableObjects)) return internal(error.message, error);
  const causes = error.objects.map(({ key, report }) => ({
    reason: "UnexpectedServerResponse",
    message: report,
    field: key,
  }));
  if (error.isCut) {
    causes.push({
      reason: "FieldValueTooMany",
      message: "too many errors, the list is truncated",
      field: undefined,
    });
  }
  return storageReadError(`failed to read one or more ${qualifiedResource(of)} from the storage`, {
    ...(of.group !== "" && { group: of.group }),
    kind: of.resource,
    name: "list",
    causes,
  });
}

/** Runs a storage operation, and turns its `StorageError` into a `StatusError`. */
export function withStatus<R>(of: Subject, name: string, operation: () => Promise<R>): Promise<R> {
  return operation().catch((error: unknown) => {
    throw statusOfStorageError(error, of, name);
  });
}
