import { connectionsGauge } from "./thread-connections.js";

/** Gauges that are 1 on every thread where the event has happened. */
export const flagGauges: ReadonlySet<string> = new Set(["apiserver_requested_deprecated_apis"]);

/** Gauges that readers report: those that are divided among threads, and the flags. */
export const gaugesOfThreads: ReadonlySet<string> = new Set([
  ...flagGauges,
  "apiserver_current_inflight_requests",
  "apiserver_current_inqueue_requests",
  "apiserver_flowcontrol_current_executing_requests",
  "apiserver_flowcontrol_current_inqueue_requests",
  "apiserver_flowcontrol_current_inqueue_seats",
  "apiserver_flowcontrol_current_limit_seats",
  "apiserver_flowcontrol_lower_limit_seats",
  "apiserver_flowcontrol_nominal_limit_seats",
  "apiserver_flowcontrol_request_concurrency_in_use",
  "apiserver_flowcontrol_request_concurrency_limit",
  "apiserver_flowcontrol_target_seats",
  "apiserver_flowcontrol_upper_limit_seats",
  "apiserver_lane_requests_running",
  "apiserver_lane_requests_waiting",
  "apiserver_lanes",
  "apiserver_longrunning_requests",
  "apiserver_registered_watchers",
  "apiserver_watch_shards_total",
  "watch_cache_watchers",
  connectionsGauge,
]);
