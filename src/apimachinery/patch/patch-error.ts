import { shortened } from "../errors/printed-value.js";
import { badRequest, requestTooLarge, StatusError } from "../errors/status.js";

/**
 * - "malformed": the patch is not a patch at all (400);
 * - "tooLarge": a limit on patches is exceeded (413);
 * - "rejected": it does not fit this object: a failed test, a missing path (422);
 * - "failed": a mistake inside the patch, such as an item without its merge key (422 naming the field). Kubernetes answers 500,
 *   which tells clients to try again what can never succeed.
 */
export type PatchErrorKind = "malformed" | "tooLarge" | "rejected" | "failed";

export class PatchError extends Error {
  override readonly name = "PatchError";
  readonly kind: PatchErrorKind;
  /** Whether the object does not pass a test of the patch itself. */
  readonly isFailedTest: boolean;
  /** The location in the patch, as far as the thrower and its callers knew: `spec.containers[0]`. */
  field = "";

  constructor(kind: PatchErrorKind, message: string, isFailedTest = false) {
    super(message);
    this.kind = kind;
    this.isFailedTest = isFailedTest;
  }
}

/** Runs a part of a merge; an error from it gets `step` (a field's name, or `[0]`) prefixed to its field. */
export function withinField<R>(step: string, run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw withField(error, step);
  }
}

function withField(error: unknown, step: string): unknown {
  if (error instanceof PatchError) {
    const separator = error.field === "" || error.field.startsWith("[") ? "" : ".";
    error.field = `${step}${separator}${error.field}`;
  }
  return error;
}

/** What the client sees. As in Kubernetes, the reason of a rejection goes only to the log. */
export function statusOfPatchError(error: PatchError): StatusError {
  switch (error.kind) {
    case "malformed":
      return badRequest(error.message, error);
    case "tooLarge":
      return requestTooLarge(`Request entity too large: ${error.message}`);
    case "rejected":
      return new StatusError(
        {
          message: "the server rejected our request due to an error in our request",
          reason: "Invalid",
          details: {},
          code: 422,
        },
        error,
      );
    case "failed":
      return invalidPatch(error);
  }
}

function invalidPatch(error: PatchError): StatusError {
  const { message } = error;
  const field = shortened(error.field);
  return new StatusError(
    {
      message: `the patch is invalid: ${field === "" ? "" : `${field}: `}${message}`,
      reason: "Invalid",
      details: { causes: [{ reason: "FieldValueInvalid", message, ...(field !== "" && { field }) }] },
      code: 422,
    },
    error,
  );
}
