import { isStatus, type StatusReason } from "../apimachinery/errors/status.js";

/** Waits for a write that may find its object deleted. */
export function ignoreNotFound(write: Promise<unknown>): Promise<void> {
  return ignoreReasons(write, ["NotFound"]);
}

/** Waits for a write with preconditions that may find its object deleted, replaced or changed. */
export function ignoreNotFoundOrConflict(write: Promise<unknown>): Promise<void> {
  return ignoreReasons(write, ["NotFound", "Conflict"]);
}

/** Waits for the creation of an object that another server may have created. */
export function ignoreAlreadyExists(create: Promise<unknown>): Promise<void> {
  return ignoreReasons(create, ["AlreadyExists"]);
}

async function ignoreReasons(write: Promise<unknown>, reasons: readonly StatusReason[]): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!reasons.some((reason) => isStatus(error, reason))) throw error;
  }
}
