export type StorageErrorCode =
  | "KeyNotFound"
  | "KeyExists"
  | "RevisionConflict"
  | "PreconditionFailed"
  | "Compacted"
  | "FutureRevision"
  | "TooLarge"
  | "NoSpace"
  | "Unavailable"
  /** A value could not be encrypted, and was not written. */
  | "EncryptionFailed"
  | "Corrupt";

export interface StorageErrorDetails {
  readonly key?: string | undefined;
  readonly revision?: number | undefined;
  /** The newest revision, when a later one was requested. */
  readonly newest?: number | undefined;
  readonly cause?: unknown;
}

/** Storage errors, which know nothing of HTTP: `registry/generic/storage-status.ts` translates them. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: StorageErrorCode;
  readonly key: string | undefined;
  readonly revision: number | undefined;
  readonly newest: number | undefined;

  constructor(code: StorageErrorCode, message: string, details: StorageErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.key = details.key;
    this.revision = details.revision;
    this.newest = details.newest;
  }
}

export function isStorageError(error: unknown, code?: StorageErrorCode): error is StorageError {
  return error instanceof StorageError && (code === undefined || error.code === code);
}

export function closedError(): StorageError {
  return new StorageError("Unavailable", "the store is closed");
}

export function keyNotFound(key: string, revision?: number): StorageError {
  return new StorageError("KeyNotFound", `key not found: ${key}`, { key, revision });
}

/** `revision` was requested and `current` is the newest. */
export function futureRevision(revision: number, current: number): StorageError {
  const message = `Too large resource version: ${revision}, current: ${current}`;
  return new StorageError("FutureRevision", message, { revision, newest: current });
}
