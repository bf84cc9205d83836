import { ClientGoneError, type ExchangeHandler, type HttpExchange } from "./exchange.js";

/** Has a request answered. Whatever the handler does not answer itself, which is a defect, is answered here and told to `onError`. */
export function runHandler(
  handler: ExchangeHandler,
  exchange: HttpExchange,
  onError: (error: unknown) => void,
): void {
  const failed = (error: unknown): void => {
    const clientGone = error instanceof ClientGoneError;
    if (!clientGone) onError(error);
    if (clientGone || exchange.responseStarted) exchange.abort();
    else exchange.respond(500, { "Content-Type": "text/plain; charset=utf-8" }, "Internal Server Error\n");
  };
  try {
    const done = handler(exchange);
    if (done !== undefined) done.catch(failed);
  } catch (error) {
    failed(error);
  }
}
