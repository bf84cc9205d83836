import type { Filter } from "./filter.js";

/**
 * `--goaway-chance`: tells some HTTP/2 clients to send their next requests over a new connection, which a load balancer may route
 * to another server. Requests in progress continue on the old one. `random` returns numbers in [0, 1).
 */
export function goaway(chance: number, random: () => number): Filter {
  return (context, next) => {
    const { exchange } = context;
    if (exchange.httpVersion === "2.0" && random() < chance) exchange.closeAfterResponse();
    return next(context);
  };
}
