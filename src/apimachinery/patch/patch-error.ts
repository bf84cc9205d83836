import { badRequest, requestTooLarge, StatusError } from "../errors/status.js";

/**
 * - "malformed": the patch is not a patch at all (400);
 * - "tooLarge": a limit on patches is exceeded (413);
 * - "rejected": it does not fit this object: a failed test, a missing path (422);
 * - "failed": a mistake inside the patch, such as an item without its merge key (500, as in Kubernetes).
 */
export type PatchErrorKind = "malformed" | "tooLarge" | "rejected" | "failed";

export class PatchError extends Error {
  override readonly name = "PatchError";
  readonly kind: PatchErrorKind;
  /** Whether the object does not pass a test of the patch itself. */
  readonly isFailedTest: boolean;

  constructor(kind: PatchErrorKind, message: string, isFailedTest = false) {
    super(message);
    this.kind = kind;
    this.isFailedTest = isFailedTest;
  }
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
      return new StatusError({ message: error.message, code: 500 }, error);
  }
}
