import { GrpcFailure, grpcStatus } from "../grpc/grpc-call.js";
import { StorageError, type StorageErrorCode } from "../storage-error.js";

/** Keyed by etcd's texts (`api/v3rpc/rpctypes/error.go`), because one status code stands for several of them. */
const codesByText: readonly (readonly [string, StorageErrorCode])[] = [
  ["required revision has been compacted", "Compacted"],
  ["required revision is a future revision", "FutureRevision"],
  ["database space exceeded", "NoSpace"],
  ["request is too large", "TooLarge"],
  ["received message larger than max", "TooLarge"],
  ["requested lease not found", "KeyNotFound"],
  ["corrupt cluster", "Corrupt"],
];

/**
 * Translates the failure of a call into a storage error. A request that etcd rejects as malformed is a bug: a `RangeError`.
 */
export function describeEtcdFailure(error: unknown, revision?: number): unknown {
  if (!(error instanceof GrpcFailure)) return error;
  const found = codesByText.find(([text]) => error.message.includes(text));
  if (found !== undefined) return new StorageError(found[1], error.message, { cause: error, revision });
  if (error.status === grpcStatus.invalidArgument) return new RangeError(error.message, { cause: error });
  return new StorageError("Unavailable", `the store does not answer: ${error.message}`, { cause: error });
}
