import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isStorageError, StorageError } from "../storage-error.js";
import { availableBytes, diskReserveBytes } from "./space-guard.js";

const inputOutputError = 5;
const mapFull = -30792;
const noSpaceErrnos: readonly number[] = [mapFull, 28, 122]; // 28 ENOSPC, 122 EDQUOT

/**
 * Translates LMDB's errors into storage errors. A failed commit is `Error("Commit failed")` whose `commitError` is a promise that
 * rejects with the reason; it must be handled, or the process ends with an unhandled rejection.
 */
export async function describeLmdbFailure(error: unknown, path: string): Promise<StorageError> {
  if (isStorageError(error)) return error;
  const reason = await reasonOf(error);
  const code = reason instanceof Error && "code" in reason ? Number(reason.code) : Number.NaN;
  const text = messageOf(reason);
  // LMDB reports a write that a full disk cut short as an input/output error.
  const wasCutShort = code === inputOutputError && availableBytes(path) < diskReserveBytes;
  if (wasCutShort || noSpaceErrnos.includes(code)) {
    return new StorageError("NoSpace", `the store's disk is full: ${text}`, { cause: reason });
  }
  return new StorageError("Unavailable", `the store could not write: ${text}`, { cause: reason });
}

async function reasonOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !("commitError" in error)) return error;
  try {
    await error.commitError;
    return error;
  } catch (reason) {
    return reason;
  }
}
