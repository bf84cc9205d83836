import { internal, StatusError, timedOut } from "../../apimachinery/status.js";
import { ClientGoneError } from "../http/exchange.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter } from "./filter.js";

/** What becomes of errors that are no answer to the client. */
export interface UnexpectedErrors {
  unexpected(error: unknown, context: RequestContext): void;
}

/**
 * Turns whatever was thrown into a `Status`. An error that is none is a bug: logged whole, answered 500 without its insides.
 */
export function answerErrors(
  writeStatus: (context: RequestContext, error: StatusError) => Promise<void>,
  log: UnexpectedErrors,
): Filter {
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof ClientGoneError || context.exchange.signal.aborted)
        return context.exchange.abort();
      const status = toStatus(error, context, log);
      // Half an answer cannot be taken back: the client must see it as broken.
      if (context.exchange.responseStarted) return context.exchange.abort();
      try {
        await writeStatus(context, status);
      } catch (failure) {
        log.unexpected(failure, context);
        context.exchange.abort();
      }
    }
  };
}

function toStatus(error: unknown, context: RequestContext, log: UnexpectedErrors): StatusError {
  if (error instanceof StatusError) {
    // One without a cause says all there is to the client, who may send the same again and again.
    if (error.status.reason === "InternalError" && error.cause !== undefined) log.unexpected(error, context);
    return error;
  }
  if (context.signal.aborted && error === context.signal.reason) {
    return timedOut("request did not complete within the allotted timeout");
  }
  log.unexpected(error, context);
  return internal("the server could not handle the request; see its log");
}
