import { tooManyRequests } from "../../apimachinery/errors/status.js";
import type { Filter } from "./filter.js";

/**
 * `--shutdown-send-retry-after`: answers new requests with 429, so that clients try another server. Health checks and metrics are still
 * answered.
 */
export function refuseWhileDraining(isDraining: () => boolean): Filter {
  return (context, next) => {
    if (!isDraining() || /^\/(livez|readyz|healthz|metrics)/.test(context.path)) return next(context);
    context.exchange.closeAfterResponse();
    return Promise.reject(tooManyRequests("The apiserver is shutting down, please try again later.", 5));
  };
}
