import { notNegative, positive } from "../checks.js";
import { optionGroup } from "../option.js";
import { bool, duration, int } from "../value-types.js";

export const limits = optionGroup("Limits", {
  "max-requests-inflight": int({
    default: 400,
    help: "Maximum number of concurrent non-mutating requests; 0 means no limit. With priority and fairness, the sum of this and --max-mutating-requests-inflight limits all requests together, and must be positive.",
    check: notNegative,
  }),
  "max-mutating-requests-inflight": int({
    default: 200,
    help: "Maximum number of concurrent mutating requests; 0 means no limit. With priority and fairness, the sum of this and --max-requests-inflight limits all requests together, and must be positive.",
    check: notNegative,
  }),
  "enable-priority-and-fairness": bool({
    default: true,
    help: "Queue requests by priority, and fairly among users, instead of rejecting those over the limits. Needs the feature gate APIPriorityAndFairness.",
  }),
  "request-timeout": duration({
    default: "1m0s",
    help: "Maximum time to handle a request, unless another option sets one for its kind, and then again for the client to read the response.",
    check: notNegative,
  }),
  "connection-header-timeout": duration({
    default: "32s",
    help: "Maximum time for the TLS handshake and the HTTP/2 preface of a connection, and for the headers of a request.",
    check: positive,
  }),
  "connection-idle-timeout": duration({
    default: "1m30s",
    help: "Time without a request after which a connection is closed.",
    check: positive,
  }),
  "max-connections": int({
    default: 10_000,
    help: "Maximum number of open connections. Beyond it, a new connection replaces the oldest one whose TLS handshake is unfinished; when there is none, the new connection is refused.",
    check: positive,
  }),
  "serving-threads": int({
    default: 1,
    help: "Number of serving threads. Each thread beyond the first answers the reads of its own connections, and passes all other requests to the first. More than one needs the embedded store, the package koffi, and Linux or macOS.",
    check: positive,
  }),
  "max-lanes": int({
    default: -1,
    help: "Number of lanes: threads that handle large requests, so that these do not delay others. -1 means one less than there are processors, but at least one; 0 means none.",
    check: (value, flag) => (value < -1 ? `${flag}: must be -1 or more` : undefined),
  }),
  "lane-request-bytes": int({
    default: 64 * 1024,
    help: "Size in bytes above which a request is handled in a lane (--max-lanes): the size of its body, or of the object it concerns.",
    check: notNegative,
  }),
  "lane-time-limit": duration({
    default: "20s",
    help: "Maximum time that a request may compute in a lane without a pause. Beyond it, the request is rejected and the lane is replaced.",
    check: positive,
  }),
  "lane-memory-mb": int({
    default: 1024,
    help: "Maximum growth of memory, in megabytes, while a lane computes without a pause. Beyond it, the request is rejected and the lane is replaced.",
    check: positive,
  }),
  "min-request-timeout": int({
    default: 1800,
    help: "Minimum seconds that a watch stays open when the client sets no timeout. Each watch ends at a random time between this and twice this.",
    check: notNegative,
  }),
});
