import { badRequest, requestTooLarge, StatusError } from "../status.js";

/**
 * - "malformed": the patch is not a patch at all (400);
 * - "tooLarge": a limit on patches is exceeded (413);
 * - "rejected": it does not fit this object: a failed test, a missing path (422);
 * - "failed": the original reports it as an error of its own (500), with the text for the client.
 */
export type PatchErrorKind = "malformed" | "tooLarge" | "rejected" | "failed";

export class PatchError extends Error {
  override readonly name = "PatchError";
  readonly kind: PatchErrorKind;

  constructor(kind: PatchErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** What the client sees. As in the original, the reason of a rejection is for the log only. */
export function statusOfPatchError(error: PatchError): StatusError {
  switch (error.kind) {
    case "malformed":
      return badRequest(error.message, error);
    case "tooLarge":
      return requestTooLarge(error.message);
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
