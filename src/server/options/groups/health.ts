import { notNegative } from "../checks.js";
import { optionGroup } from "../option.js";
import { bool, duration } from "../value-types.js";

export const health = optionGroup("Health and shutdown", {
  "livez-grace-period": duration({
    help: "How long after the start /livez takes it that unfinished start-up work will succeed.",
    check: notNegative,
  }),
  "shutdown-delay-duration": duration({
    help: "How long a server told to stop goes on serving as usual, with only /readyz failing, so that load balancers drain it.",
    check: notNegative,
  }),
  "shutdown-watch-termination-grace-period": duration({
    since: "1.27",
    help: "Over which time the watches of a server that drains end, at least two hundred a second, so that clients do not come to other servers at once. 0: at once.",
    check: notNegative,
  }),
  "shutdown-send-retry-after": bool({
    help: "While draining, keep listening until requests in flight have finished, and answer new ones with 429, Retry-After and Connection: close.",
  }),
});
