import { notNegative } from "../checks.js";
import { optionGroup } from "../option.js";
import { bool, duration } from "../value-types.js";

export const health = optionGroup("Health and shutdown", {
  "livez-grace-period": duration({
    help: "How long after the start /livez assumes that unfinished start-up work will succeed.",
    check: notNegative,
  }),
  "shutdown-delay-duration": duration({
    help: "How long a stopping server continues to serve as usual, with only /readyz failing, so that load balancers drain it.",
    check: notNegative,
  }),
  "shutdown-watch-termination-grace-period": duration({
    since: "1.27",
    help: "Time over which a draining server ends its watches, at least two hundred a second, so that clients do not reach other servers all at once. 0 ends them at once.",
    check: notNegative,
  }),
  "shutdown-send-retry-after": bool({
    help: "While draining, keep listening until requests in flight have finished, and answer new ones with 429, Retry-After and Connection: close.",
  }),
});
