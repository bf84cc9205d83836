import type { Filter } from "./filter.js";

/**
 * `--goaway-chance`: some HTTP/2 clients are told to send their next requests over a new connection, which a load balancer may
 * lead to another server. What is open on the old one goes on. `random` gives numbers from 0 to below 1.
 */
export function goaway(chance: number, random: () => number): Filter {
  return (context, next) => {
    const { exchange } = context;
    if (exchange.httpVersion === "2.0" && random() < chance) exchange.closeAfterResponse();
    return next();
  };
}
