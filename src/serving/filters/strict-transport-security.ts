import type { Filter } from "./filter.js";

/** RFC 6797: `--strict-transport-security-directives`. */
export function strictTransportSecurity(directives: readonly string[]): Filter {
  const value = directives.join("; ");
  return (context, next) => {
    context.exchange.addResponseHeader("Strict-Transport-Security", value);
    return next(context);
  };
}
