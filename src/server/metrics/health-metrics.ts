import type { Naming } from "../../naming/naming.js";
import { Metrics } from "../../telemetry/metrics.js";

/** Service level indicators, on a separate page: the results of health checks. Source: KEP-3466. */
export class HealthMetrics {
  readonly metrics = new Metrics();
  /** `endpoint` is the path of the request, such as `readyz`. */
  readonly observe: (endpoint: string, name: string, isHealthy: boolean) => void;

  constructor({ vendor }: Naming) {
    const now = this.metrics.gauge({
      name: `${vendor}_healthcheck`,
      help: "Whether a health check passed when it was last asked for.",
      labels: ["name", "type"],
    });
    const total = this.metrics.counter({
      name: `${vendor}_healthchecks_total`,
      help: "Results of health checks.",
      labels: ["name", "status", "type"],
    });
    this.observe = (endpoint, name, isHealthy) => {
      now.with(name, endpoint).value = isHealthy ? 1 : 0;
      total.with(name, isHealthy ? "success" : "error", endpoint).value++;
    };
  }

  async page(): Promise<string> {
    const { printMetrics } = await import("../../telemetry/metrics-text.js");
    return await printMetrics(this.metrics.read());
  }
}
