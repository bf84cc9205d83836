import { ClientGoneError, type ExchangeHandler, type HttpExchange } from "./exchange.js";

/**
 * Runs the handler of a request. If it fails or does not answer, which is a defect, the request is answered here and the error passed to
 * `onError`.
 */
export function runHandler(
  handler: ExchangeHandler,
  exchange: HttpExchange,
  onError: (error: unknown) => void,
): void {
  try {
    const done = handler(exchange);
    if (done !== undefined) done.catch((error: unknown) => failed(exchange, error, onError));
  } catch (error) {
    failed(exchange, error, onError);
  }
}

function failed(exchange: HttpExchange, error: unknown, onError: (error: unknown) => void): void {
  const clientGone = error instanceof ClientGoneError;
  if (!clientGone) onError(error);
  if (clientGone || exchange.responseStarted) exchange.abort();
  else exchange.respond(500, { "Content-Type": "text/plain; charset=utf-8" }, "Internal Server Error\n");
}
