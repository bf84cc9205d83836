import type { FieldError } from "./field-error.js";
import { quotedShortened, shortened } from "./printed-value.js";
import { quoted } from "./quoted-text.js";
import { shownErrors } from "./shown-errors.js";

/** The reasons for failures, with the HTTP code of each. */
export const codeOfReason = {
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  Invalid: 422,
  ServerTimeout: 500,
  Timeout: 504,
  TooManyRequests: 429,
  BadRequest: 400,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  InternalError: 500,
  StorageReadError: 500,
  ServiceUnavailable: 503,
} as const satisfies Record<string, number>;

export type StatusReason = keyof typeof codeOfReason;

export interface StatusCause {
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly field?: string | undefined;
}

export interface StatusDetails {
  readonly name?: string | undefined;
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
  readonly uid?: string | undefined;
  readonly causes?: readonly StatusCause[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** Metadata of a 410 for an expired continue token: a token with which the client may continue an inconsistent list. */
export interface StatusMetadata {
  readonly continue?: string | undefined;
}

/** The body of every error answer, `v1` `Status`. */
export interface Status {
  readonly metadata: StatusMetadata;
  readonly status: "Success" | "Failure";
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly details?: StatusDetails | undefined;
  readonly code?: number | undefined;
}

interface Subject {
  readonly group: string;
  readonly resource: string;
}

/** An error that a client sees. Use the named constructors below. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly status: Status;

  constructor(status: Partial<Status>, cause?: unknown) {
    super(status.message ?? "", cause === undefined ? undefined : { cause });
    this.status = { ...status, metadata: status.metadata ?? {}, status: "Failure" };
  }

  get code(): number {
    return this.status.code ?? 500;
  }
}

export function isStatus(error: unknown, reason: StatusReason): error is StatusError {
  return error instanceof StatusError && error.status.reason === reason;
}

/** `pods`, or `deployments.apps`. */
export function qualifiedResource(of: Subject): string {
  return of.group === "" ? of.resource : `${of.resource}.${of.group}`;
}

function failure(
  reason: StatusReason,
  message: string,
  details?: StatusDetails,
  cause?: unknown,
): StatusError {
  return new StatusError({ message, reason, ...(details && { details }), code: codeOfReason[reason] }, cause);
}

function about(of: Subject, name: string): StatusDetails {
  return {
    ...(name !== "" && { name: shortened(name) }),
    ...(of.group !== "" && { group: of.group }),
    ...(of.resource !== "" && { kind: of.resource }),
  };
}

export function notFound(of: Subject, name: string): StatusError {
  return failure("NotFound", `${qualifiedResource(of)} ${quotedShortened(name)} not found`, about(of, name));
}

export function alreadyExists(of: Subject, name: string): StatusError {
  return failure(
    "AlreadyExists",
    `${qualifiedResource(of)} ${quotedShortened(name)} already exists`,
    about(of, name),
  );
}

export function conflict(of: Subject, name: string, why: string): StatusError {
  return failure(
    "Conflict",
    `Operation cannot be fulfilled on ${qualifiedResource(of)} ${quotedShortened(name)}: ${why}`,
    about(of, name),
  );
}

/** 409, for a write of an object that was deleted, and perhaps created again under the same name. */
export function otherUid(
  of: Subject,
  name: string,
  { wanted, actual }: { readonly wanted: string; readonly actual: string },
): StatusError {
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${actual}`;
  return conflict(of, name, why);
}

/** 409, for a write that names another version than the newest. */
export function outdatedVersion(of: Subject, name: string): StatusError {
  const why = "the object has been modified; please apply your changes to the latest version and try again";
  return conflict(of, name, why);
}

export function forbiddenError(of: Subject, name: string, why: string): StatusError {
  const subject = qualifiedResource(of);
  const what =
    subject === ""
      ? "forbidden"
      : name === ""
        ? `${subject} is forbidden`
        : `${subject} ${quotedShortened(name)} is forbidden`;
  return failure("Forbidden", `${what}: ${why}`, about(of, name));
}

/** 422 with one cause per field error. `kind` is the object's, not the resource's. */
export function invalidObject(
  of: { group: string; kind: string },
  name: string,
  errors: readonly FieldError[],
  isCut = false,
): StatusError {
  const shown = shownErrors({ errors, isCut }, errorCharactersMax);
  const what = of.group === "" ? of.kind : `${of.kind}.${of.group}`;
  return failure(
    "Invalid",
    `${what} ${quotedShortened(name)} is invalid${errors.length === 0 ? "" : `: ${shown.text}`}`,
    {
      ...(name !== "" && { name: shortened(name) }),
      ...(of.group !== "" && { group: of.group }),
      kind: of.kind,
      causes: shown.errors.map((e) => ({ reason: e.type, message: e.body, field: e.field })),
    },
  );
}

/** Kubernetes' answer with all errors is ten times as long as the object. */
const errorCharactersMax = 1024 * 1024;

/** 400. An object may repeat the namespace of the path, but not contradict it. */
export function otherNamespace(): StatusError {
  return badRequest("the namespace of the provided object does not match the namespace sent on the request");
}

/** 400. A long message is cut like a bad value, because it may quote a body or a URL. */
export function badRequest(message: string, cause?: unknown): StatusError {
  return failure("BadRequest", shortened(message), undefined, cause);
}

export function unauthorized(): StatusError {
  return failure("Unauthorized", "Unauthorized");
}

/** 405, for a verb that Kubernetes routes to the resource's handler, which refuses it. */
export function verbNotSupported(verb: string, of: Subject): StatusError {
  const message = `${verb} is not supported on resources of kind ${quoted(qualifiedResource(of))}`;
  return failure("MethodNotAllowed", message, about(of, ""));
}

/** 405, in Kubernetes' words for a method without a handler. */
export function methodNotAllowed(): StatusError {
  return failure("MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}

export function notAcceptable(supported: readonly string[]): StatusError {
  return failure("NotAcceptable", `only the following media types are accepted: ${supported.join(", ")}`);
}

/** 406 of Kubernetes' router, which matches media types before content negotiation. Before 1.25 it listed none. */
export function noSuchRepresentation(available: readonly string[] | undefined): StatusError {
  const list = available === undefined ? "" : `\n\nAvailable representations: ${available.join(", ")}`;
  return failure("NotAcceptable", `406: Not Acceptable${list}`, {});
}

/** 415 of the same router. */
export function noSuchMediaType(): StatusError {
  return failure("UnsupportedMediaType", "415: Unsupported Media Type", {});
}

export function unsupportedMediaType(supported: readonly string[]): StatusError {
  return failure(
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${supported.join(", ")}`,
  );
}

export function requestTooLarge(message: string): StatusError {
  return failure("RequestEntityTooLarge", message);
}

/** 410: the requested version is no longer available. */
export function expired(message: string): StatusError {
  return failure("Expired", message);
}

export function timedOut(message: string): StatusError {
  return failure("Timeout", `Timeout: ${message}`, {});
}

/** 504 for a revision the server has not seen; clients search for this exact text. */
export function tooLargeResourceVersion(requested: number, current: number): StatusError {
  return failure("Timeout", `Timeout: Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return failure("TooManyRequests", message, { retryAfterSeconds });
}

export function serviceUnavailable(message: string): StatusError {
  return failure("ServiceUnavailable", message);
}

/** Objects in the store cannot be decrypted or decoded. */
export function storageReadError(why: string, details?: StatusDetails): StatusError {
  return failure("StorageReadError", why, details);
}

/** 500. `cause` is for the log, never for the client. */
export function internal(why: string, cause?: unknown): StatusError {
  const message = shortened(why);
  return failure("InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] }, cause);
}

/** An error that is answered as text, without its `Status`. */
export class PlainTextError extends StatusError {
  readonly text: string;

  constructor(status: Partial<Status>, text: string) {
    super(status);
    this.text = text;
  }
}

/** Go's answer for a path that no router of Kubernetes has. */
export function pageNotFound(): StatusError {
  const { status } = pathNotFound();
  return new PlainTextError(status, "404 page not found\n");
}

/** 404 for an unknown path below a served one. */
export function pathNotFound(): StatusError {
  return failure("NotFound", "the server could not find the requested resource", {});
}
