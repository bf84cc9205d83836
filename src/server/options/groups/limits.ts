import { notNegative, positive } from "../checks.js";
import { optionGroup } from "../option.js";
import { bool, duration, int } from "../value-types.js";

export const limits = optionGroup("Limits", {
  "max-requests-inflight": int({
    default: 400,
    help: "Requests that change nothing served at a time; 0 for no limit. With priority and fairness, the sum with --max-mutating-requests-inflight limits all requests, and must be positive.",
    check: notNegative,
  }),
  "max-mutating-requests-inflight": int({
    default: 200,
    help: "Requests that change something served at a time; 0 for no limit. With priority and fairness, the sum with --max-requests-inflight limits all requests, and must be positive.",
    check: notNegative,
  }),
  "enable-priority-and-fairness": bool({
    default: true,
    help: "Queue requests by priority and fairly between users, instead of refusing those over the limits. Needs the gate APIPriorityAndFairness.",
  }),
  "request-timeout": duration({
    default: "1m0s",
    help: "How long a request may take, unless another option says otherwise for its kind, and how long a client may then take to read its answer.",
    check: notNegative,
  }),
  "connection-header-timeout": duration({
    default: "32s",
    help: "How long a connection may take for its TLS handshake and the HTTP/2 preface, and a request for its headers.",
    check: positive,
  }),
  "connection-idle-timeout": duration({
    default: "1m30s",
    help: "After how long without a request a connection is closed.",
    check: positive,
  }),
  "max-connections": int({
    default: 10_000,
    help: "Connections open at a time. Above it, a new one takes the place of the oldest whose TLS handshake is not done, and is refused when there is none.",
    check: positive,
  }),
  "serving-threads": int({
    default: 1,
    help: "Threads that serve. With more than one, each of the others answers reads of its connections and hands all other requests to the first. Needs the embedded store, koffi, and Linux or macOS.",
    check: positive,
  }),
  "max-lanes": int({
    default: -1,
    help: "Threads that answer large requests, so that these do not hold up others: -1 for one less than there are processors, but at least one; 0 for none.",
    check: (value, flag) => (value < -1 ? `${flag}: must be -1 or more` : undefined),
  }),
  "lane-request-bytes": int({
    default: 64 * 1024,
    help: "Requests with a larger body, or about a larger object, are answered in a lane (--max-lanes).",
    check: notNegative,
  }),
  "lane-time-limit": duration({
    default: "20s",
    help: "How long a request may compute in a lane without a break. Beyond it the lane is replaced and the request refused.",
    check: positive,
  }),
  "lane-memory-mb": int({
    default: 1024,
    help: "Megabytes by which memory may grow while a lane computes without a break. Beyond it the lane is replaced and the request refused.",
    check: positive,
  }),
  "min-request-timeout": int({
    default: 1800,
    help: "Seconds that a watch stays open at least; the time is picked at random above it.",
    check: notNegative,
  }),
});
