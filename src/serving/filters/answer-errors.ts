import { internal, StatusError, timedOut } from "../../apimachinery/errors/status.js";
import { ClientGoneError } from "../http/exchange.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter } from "./filter.js";

/** Receives errors that the client is not told about. */
export interface UnexpectedErrors {
  unexpected(error: unknown, context: RequestContext): void;
  /** An answer was cut because of an error after it had begun. */
  aborted?(context: RequestContext): void;
}

/**
 * Turns any error into a `Status`. An unexpected error is a bug: it is logged in full and answered with a plain 500.
 */
export function answerErrors(
  writeStatus: (context: RequestContext, error: StatusError) => Promise<void>,
  log: UnexpectedErrors,
): Filter {
  const answer = async (context: RequestContext, error: unknown): Promise<void> => {
    if (isClientGone(error, context)) return context.exchange.abort();
    const status = toStatus(error, context, log);
    // A partial answer cannot be taken back: the client must see it as broken.
    if (context.exchange.responseStarted) {
      log.aborted?.(context);
      return context.exchange.abort();
    }
    try {
      await writeStatus(context, status);
    } catch (failure) {
      if (!isClientGone(failure, context)) log.unexpected(failure, context);
      context.exchange.abort();
    }
  };
  return (context, next) => next(context)?.catch((error: unknown) => answer(context, error));
}

function isClientGone(error: unknown, { exchange }: RequestContext): boolean {
  return error instanceof ClientGoneError || exchange.signal.aborted;
}

function toStatus(error: unknown, context: RequestContext, log: UnexpectedErrors): StatusError {
  if (error instanceof StatusError) {
    // An internal error without a cause tells the client everything already, and a client might cause it endlessly, so it is not logged.
    if (error.status.reason === "InternalError" && error.cause !== undefined) log.unexpected(error, context);
    return error;
  }
  if (context.signal.aborted && error === context.signal.reason) {
    return timedOut("request did not complete within the allotted timeout");
  }
  log.unexpected(error, context);
  return internal("the server could not handle the request; see its log");
}
