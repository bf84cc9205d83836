import type { LanesObserver } from "../../serving/lanes/lanes.js";
import { addChanges } from "../../telemetry/metric-changes.js";
import type { Metrics } from "../../telemetry/metrics.js";

const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** What the lanes do, and why some were terminated. */
export function laneMetrics(metrics: Metrics): LanesObserver {
  const gauge = (name: string, help: string) => metrics.gauge({ name, help, labels: [] }).with();
  const lanes = gauge("apiserver_lanes", "Threads that answer large requests.");
  const running = gauge("apiserver_lane_requests_running", "Large requests in lanes.");
  const waiting = gauge("apiserver_lane_requests_waiting", "Large requests that wait for a lane.");
  const durations = metrics
    .histogram({
      name: "apiserver_lane_request_duration_seconds",
      help: "Time that large requests took, their wait for a lane included, in seconds.",
      labels: [],
      bounds: durationBounds,
    })
    .with();
  const ends = metrics.counter({
    name: "apiserver_lanes_ended_total",
    help: "Lanes that were ended because of what ran in them (memory, time or failure), or that could not be started (start).",
    labels: ["reason"],
  });
  return {
    changed(state) {
      lanes.value = state.lanes;
      running.value = state.running;
      waiting.value = state.waiting;
    },
    answered: (seconds) => durations.observe(seconds),
    ended: (why) => void ends.with(why).value++,
    counted: (changes) => addChanges(metrics, changes),
  };
}
