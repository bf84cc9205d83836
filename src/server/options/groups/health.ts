import { notNegative } from "../checks.js";
import { optionGroup } from "../option.js";
import { bool, duration } from "../value-types.js";

export const health = optionGroup("Health and shutdown", {
  "livez-grace-period": duration({
    help: "Time after the start during which /livez assumes that unfinished post-start hooks will succeed.",
    check: notNegative,
  }),
  "shutdown-delay-duration": duration({
    help: "Time that a server keeps serving after it is told to stop. Only /readyz fails, so that load balancers stop sending requests.",
    check: notNegative,
  }),
  "shutdown-watch-termination-grace-period": duration({
    since: "1.27",
    help: "Time over which a stopping server ends its watches, at least 200 per second, so that clients do not all reconnect to other servers at once. 0 ends all watches at once.",
    check: notNegative,
  }),
  "shutdown-send-retry-after": bool({
    help: "While requests in flight finish during shutdown, keep listening, and reject new requests with 429, Retry-After and Connection: close.",
  }),
});
