import { requestTooLarge } from "../../apimachinery/errors/status.js";
import { BodyTooLargeError, type HttpExchange } from "../http/exchange.js";

/** Twice the largest object that the store accepts, as in Kubernetes. */
export const bodyBytesMax = 3 * 1024 * 1024;

/** The bytes of the body. Throws 413 above `bodyBytesMax`, and `ClientGoneError` when the client hangs up. */
export async function readBytes(exchange: HttpExchange): Promise<Uint8Array> {
  try {
    return await exchange.readBody(bodyBytesMax);
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    throw requestTooLarge(`Request entity too large: limit is ${error.limitBytes}`);
  }
}
